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

/* The elements of a list, one after the other; NULL after the last. */
static Value first(Value list) {
    if (!list || *(list = skip_space(list)) != '[') return NULL;
    Value v = skip_space(list + 1);
    return *v == ']' ? NULL : v;
}
static Value next(Value element) {
    Value v = skip_space(end_of(element));
    return *v == ',' ? skip_space(v + 1) : NULL;
}

static long number(Value v) { return v ? strtol(v, NULL, 10) : 0; }
static int count(Value list) {
    int n = 0;
    for (Value v = first(list); v; v = next(v)) n++;
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

/* How often so many fair dice score nothing, for one to six of them. */
static const double BUST[7] = {0.0, 2 / 3., 4 / 9., 5 / 18., 17 / 108., 25 / 324., 5 / 216.};

/* What an option is worth in points: those it secures, or those it hopes for. */
static double worth(Value seen, Value fields) {
    Value dice = get(fields, "dice"), save = first(get(seen, "saves"));
    while (save && !same(get(save, "dice"), dice)) save = next(save);
    if (!save) return -1; /* something this bot knows nothing of, such as using an item */
    long points = number(get(save, "turn_points"));
    if (is_text(get(fields, "act"), "pass")) {
        Value mine = first(get(seen, "totals"));
        if (number(get(seen, "player")) == 2) mine = next(mine);
        return number(mine) + points >= number(get(seen, "target")) ? 1e9 : (double)points;
    }
    int left = -count(dice);
    for (Value die = first(get(seen, "dice")); die; die = next(die)) left += strncmp(get(die, "thrown"), "true", 4) == 0;
    if (left <= 0) left = 6; /* all of them scored: all are thrown again */
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
            Value seen = get(line, "seen");
            int best = 0, index = 0;
            double most = -INFINITY;
            for (Value option = first(get(line, "options")); option; option = next(option), index++) {
                double found = worth(seen, get(option, "fields"));
                if (found > most) most = found, best = index;
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
