/* A bot for Dice in C, with nothing but the standard library: takes the most points, and stops when the risk outgrows them.
 *
 *   cc -O2 -o bot bot.c -lm
 *   playmill simulate dice --agents program:examples/bots/dice_c threshold
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A JSON value where it stands in the line: nothing is copied, nothing is kept. */
typedef const char *Value;

static Value skip_space(Value v) { return v + strspn(v, " \t\r\n"); }

/* The end of a value: strings by their quotes, the rest by counting brackets. */
static Value end_of(Value v) {
    int depth = 0;
    v = skip_space(v);
    for (; *v; v++) {
        if (*v == '"') {
            for (v++; *v && *v != '"'; v++)
                if (*v == '\\' && v[1]) v++;
        } else if (*v == '[' || *v == '{') {
            depth++;
        } else if (*v == ']' || *v == '}') {
            if (depth == 0) return v;
            depth--;
        } else if (*v == ',' && depth == 0) {
            return v;
        }
        if (depth == 0 && (*v == '"' || *v == ']' || *v == '}')) return v + 1;
    }
    return v;
}

/* The value of a key in an object; NULL if it has none. */
static Value get(Value object, const char *key) {
    size_t length = strlen(key);
    if (!object) return NULL;
    object = skip_space(object);
    if (*object != '{') return NULL;
    for (Value v = skip_space(object + 1); *v == '"';) {
        Value name = v + 1;
        Value after = skip_space(end_of(v));
        if (*after != ':') return NULL;
        if (strncmp(name, key, length) == 0 && name[length] == '"') return skip_space(after + 1);
        v = skip_space(end_of(after + 1));
        if (*v != ',') return NULL;
        v = skip_space(v + 1);
    }
    return NULL;
}

/* Element k of a list; NULL if it has none. */
static Value at(Value list, int k) {
    if (!list) return NULL;
    list = skip_space(list);
    if (*list != '[') return NULL;
    Value v = skip_space(list + 1);
    if (*v == ']') return NULL;
    while (k-- > 0) {
        v = skip_space(end_of(v));
        if (*v != ',') return NULL;
        v = skip_space(v + 1);
    }
    return v;
}

static long number(Value v) { return v ? strtol(v, NULL, 10) : 0; }
static int count(Value list) {
    int n = 0;
    while (at(list, n)) n++;
    return n;
}
static int is_text(Value v, const char *text) {
    size_t length = strlen(text);
    return v && *v == '"' && strncmp(v + 1, text, length) == 0 && v[1 + length] == '"';
}
static int same(Value one, Value other) {
    if (!one || !other) return 0;
    size_t length = (size_t)(end_of(one) - one);
    return length == (size_t)(end_of(other) - other) && strncmp(one, other, length) == 0;
}

/* How often so many fair dice score nothing: measured once, for one to six of them. */
static const double BUST[7] = {0.0, 2 / 3., 4 / 9., 5 / 18., 17 / 108., 25 / 324., 5 / 216.};

/* What an option is worth in points: those it secures, or those it hopes for. */
static double worth(Value seen, Value option) {
    Value dice = get(get(option, "fields"), "dice"), saves = get(seen, "saves"), save = NULL;
    for (int k = 0; (save = at(saves, k)) != NULL; k++)
        if (same(get(save, "dice"), dice)) break;
    if (!save) return -1; /* something this bot knows nothing of, such as using an item */
    long points = number(get(save, "turn_points")), target = number(get(seen, "target"));
    long mine = number(at(get(seen, "totals"), (int)number(get(seen, "player")) - 1));
    if (is_text(get(get(option, "fields"), "act"), "pass")) return mine + points >= target ? 1e9 : (double)points;
    int thrown = 0;
    Value die;
    for (int k = 0; (die = at(get(seen, "dice"), k)) != NULL; k++) thrown += strncmp(get(die, "thrown"), "true", 4) == 0;
    int left = thrown - count(dice);
    if (left == 0) left = 6; /* hot dice */
    return (1 - BUST[left]) * (double)(points + 60 * left);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        Value type = get(line, "type");
        if (is_text(type, "hello")) {
            printf("{\"type\": \"ready\", \"name\": \"Six sides\"}\n");
        } else if (is_text(type, "act")) {
            Value seen = get(line, "seen"), options = get(line, "options"), option;
            int best = 0;
            double most = -INFINITY;
            for (int k = 0; (option = at(options, k)) != NULL; k++) {
                double found = worth(seen, option);
                if (found > most) most = found, best = k;
            }
            printf("{\"type\": \"answer\", \"number\": %ld, \"index\": %d}\n", number(get(line, "number")), best);
        } else if (is_text(type, "quit")) {
            break;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
