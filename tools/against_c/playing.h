// What all games have in common: luck, the time it takes, and how counts are told.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Luck: SplitMix64, a stream of words for each purpose.

static const uint64_t STEP = 0x9E3779B97F4A7C15, KEY_STEP = 0xD1342543DE82EF95, WHIM = 0xA0761D6478BD642F;

static inline uint64_t mix(uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
}

// A word of luck is one too many for some of n numbers.
static inline int favours(uint64_t product, uint32_t n) {
    return __builtin_expect((uint32_t)product < n, 0) && (uint32_t)product < -n % n;
}

static inline int below(uint64_t *stream, uint32_t n) {
    uint64_t product;
    do {
        product = (mix(*stream += STEP) >> 32) * n;
    } while (favours(product, n));
    return product >> 32;
}

static inline double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static inline void print(const char *name, const void *numbers, size_t bytes) {
    printf("%s", name);
    for (size_t i = 0; i < bytes / sizeof(int64_t); i++) printf(" %lld", (long long)((const int64_t *)numbers)[i]);
    printf("\n");
}

// One of the game's `counts`, by its name.
#define PRINT(name) print(#name, &counts.name, sizeof counts.name)
