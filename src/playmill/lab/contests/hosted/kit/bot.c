/* A bot for any game: it takes one of its options by the chance that it is handed. Make it better.
   It only looks for the few words it needs; to understand `seen` use a JSON library, in the same folder. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long number_after(const char *place) { return place ? strtoull(place, NULL, 10) : 0; }

static const char *last(const char *line, const char *word) {
    const char *found = NULL;
    for (const char *at = line; (at = strstr(at, word)); at += strlen(word)) found = at + strlen(word);
    return found;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (strstr(line, "\"type\":\"hello\"")) {
            puts("{\"type\":\"ready\"}");
        } else if (strstr(line, "\"type\":\"act\"")) {
            unsigned long long options = 0, number = number_after(strstr(line, "\"number\":") + 9);
            for (const char *at = line; (at = strstr(at, "{\"index\":")); at++) options++;
            printf("{\"type\":\"answer\",\"number\":%llu,\"index\":%llu}\n", number,
                   number_after(last(line, "\"random\":")) % options);
        } else if (strstr(line, "\"type\":\"quit\"")) {
            break;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
