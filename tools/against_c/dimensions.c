// Games of Battle of Dimensions (Epic) for three, written by hand to be fast: the same games as the rules play, with
// the same luck, and counted in the same way. The phases are those of the rules page.
//
//     dimensions 3 AGENT SEED GAMES    AGENT is random or dealer; prints what it counted, and seconds of the processor

#include "playing.h"
#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

enum { SEATS = 3, MOST_SEATS = 5, HAND = 4, MAX_TURNS = 254, NOBODY = -1 };
enum { RED, GREEN, YELLOW, BLUE, PURPLE, FACTIONS, AURA = FACTIONS, TARGETS };
enum { ENTANGLEMENT, WORMHOLE, BLACK_HOLE, BIG_BANG, TIME_LOOP, ANOMALIES };
enum { COPIES = 11, KINDS = 15, SEVENTEEN = 11, ANOMALY_CARD = 15, DECK = FACTIONS * COPIES + 1, MOST_KINDS = 21 };
enum { BY_COUNT = 5, ENDS, NO_TIE = 0, BY_SPIRAL, BY_LOT, TIES };
enum { LUCK_FACTIONS, LUCK_ANOMALY, LUCK_SPIRAL, LUCK_FIRST, LUCK_DECK, LUCK_LOSS, LUCK_BIG_BANG, LUCK_LOT };
enum { BATTLE, REINFORCE, MOVEMENT, ATTACK, RECOVER, PHASES };
enum { MADE, LOST, SWALLOWED, FATES, SETS = 1 << FACTIONS };
enum { SPIRALS = 24, PAIRS = 10, DEALS = 60 };

static inline uint64_t stream_of(uint64_t luck, int purpose) { return mix(luck + (purpose + 1) * STEP); }

// Sets as bits.

static const uint64_t ONE = 0x0101010101010101;  // in every byte

static uint8_t size_of[64];
static uint32_t members[64];        // of a set of up to six, three bits each
static uint8_t place_in[256][8];

static inline int nth_of_few(int set, int k) { return members[set] >> 3 * k & 7; }

static inline uint64_t sums_of(uint64_t set) {  // how many there are up to the end of each byte
    set -= set >> 1 & 0x5555555555555555;
    set = (set & 0x3333333333333333) + (set >> 2 & 0x3333333333333333);
    return ((set + (set >> 4)) & 0x0F0F0F0F0F0F0F0F) * ONE;
}

static inline int nth_of(uint64_t set, uint64_t sums, int k) {
    int start = __builtin_ctzll((sums + (127 - k) * ONE) >> 7 & ONE);
    return start + place_in[set >> start & 255][k - (sums << 8 >> start & 255)];
}

static inline int nth_of_hand(uint32_t set, int k) {  // one of four at most
    uint32_t second = set & (set - 1), third = second & (second - 1), fourth = third & (third - 1);
    uint32_t early = k & 1 ? second : set, late = k & 1 ? fourth : third;
    return __builtin_ctz(k & 2 ? late : early);
}

// Cards are kinds, as in the rules: 0 … 4 the plain ones, then blue values. What lies in a Dimension is a word of
// bytes: how many cards of each colour, how many Auras, how many blue 17; all other blue cards are single ones.

enum { AURAS = 8 * AURA, SEVENTEENS = 48, NONE = 56 };

static const uint8_t blue_values[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
static uint64_t laid[KINDS + 1];        // what a card adds to its Dimension
static uint8_t left_at[KINDS];      // where the number of its kind stands
static uint8_t colour_bit[KINDS + 1];  // the last kind is no card

// How near the instant wins are, in one word, which changes with every card on the table. Fields of five bits reach 16
// when a number is large enough: green in each Dimension, yellow in each, yellow in all. Then the sums of blue values,
// a byte for each Dimension. Factions that are nobody's begin where they cannot win.

enum { GREENS = 0, YELLOWS = 15, ALL_YELLOW = 30, BLUES = 40 };
enum { BLUE_GOAL = 42, GOAL = 16, GREEN_GOAL = 5, YELLOW_GOAL = 5 };

static const uint64_t GREEN_WON = 0x4210, YELLOW_WON = 0x421080000;
static uint64_t goal_step[SEATS][KINDS + 1];

static inline int blue_won(uint64_t goals) {
    uint32_t apart = goals >> BLUES ^ BLUE_GOAL * 0x010101;
    return (apart - 0x010101) & ~apart & 0x808080;
}

static inline int is_won(uint64_t goals) {
    return ((goals & GREEN_WON) != 0) | ((goals & YELLOW_WON) == YELLOW_WON) | (blue_won(goals) != 0);
}

// Spirals of Forces: one for each way in which five can beat one another.

static struct spiral {
    uint8_t prey[8];
    uint64_t beating;               // attacks won by colour alone: a byte for each attacker, a bit for each target
    uint8_t winner[32];             // of the colours in a battle, as bits: the winning one, as a bit, or none
    uint8_t entangled[PAIRS];
} spirals[SPIRALS];
static uint8_t spiral_drawn[120];

// Who plays which faction.

static struct deal {
    uint64_t goals;
    int8_t faction[SEATS], owner[FACTIONS];
    int64_t games;
} deals[DEALS];

static uint64_t card_key[DECK], anomaly_key[ANOMALIES];
static uint8_t new_deck[DECK];

static int spiral_number(const uint8_t prey[FACTIONS], int *known) {
    for (int i = 0; i < *known; i++)
        if (memcmp(spirals[i].prey, prey, FACTIONS) == 0) return i;
    memcpy(spirals[*known].prey, prey, FACTIONS);
    return (*known)++;
}

static void make_spirals(void) {
    int known = 0;
    for (int drawn = 0; drawn < 120; drawn++) {
        int others[] = {0, drawn / 60, drawn / 20 % 3, drawn / 5 % 4, drawn % 5};
        uint8_t order[FACTIONS], prey[FACTIONS];
        for (int place = 0; place < FACTIONS; place++) {
            order[place] = order[others[place]];
            order[others[place]] = place;
        }
        for (int place = 0; place < FACTIONS; place++) prey[order[place]] = order[(place + 1) % FACTIONS];
        spiral_drawn[drawn] = spiral_number(prey, &known);
    }
    for (struct spiral *one = spirals; one < spirals + SPIRALS; one++) {
        for (int colour = 0; colour < FACTIONS; colour++) one->beating |= 1ull << (8 * colour + one->prey[colour]);
        for (int colours = 1; colours < 32; colours++) {
            int beaten = 0, beating = 0;
            for (int colour = 0; colour < FACTIONS; colour++)
                if (colours >> colour & 1) {
                    beaten |= 1 << one->prey[colour];
                    if (colours >> one->prey[colour] & 1) beating |= 1 << colour;
                }
            one->winner[colours] = colours & (colours - 1) ? beating & ~beaten : colours;
        }
        for (int first = 0, pair = 0; first < FACTIONS; first++)
            for (int second = first + 1; second < FACTIONS; second++, pair++) {
                uint8_t now[FACTIONS] = {RED, GREEN, YELLOW, BLUE, PURPLE}, prey[FACTIONS];
                now[first] = second;
                now[second] = first;
                for (int colour = 0; colour < FACTIONS; colour++) prey[now[colour]] = now[one->prey[colour]];
                one->entangled[pair] = spiral_number(prey, &known);
            }
    }
}

static void make_deals(void) {
    for (int drawn = 0; drawn < DEALS; drawn++) {
        struct deal *deal = &deals[drawn];
        int others[] = {drawn / 12, 1 + drawn / 3 % 4, 2 + drawn % 3};
        int8_t factions[] = {RED, GREEN, YELLOW, BLUE, PURPLE};
        memset(deal->owner, NOBODY, sizeof deal->owner);
        for (int seat = 0; seat < SEATS; seat++) {
            deal->faction[seat] = factions[others[seat]];
            factions[others[seat]] = factions[seat];
            deal->owner[deal->faction[seat]] = seat;
        }
        for (int place = 0; place < SEATS; place++) {
            if (deal->owner[GREEN] != NOBODY) deal->goals |= (uint64_t)(GOAL - GREEN_GOAL) << (GREENS + 5 * place);
            if (deal->owner[BLUE] == NOBODY) deal->goals |= (uint64_t)(BLUE_GOAL + 1) << (BLUES + 8 * place);
            deal->goals |= (uint64_t)(GOAL - 1) << (YELLOWS + 5 * place);
        }
        if (deal->owner[YELLOW] != NOBODY) deal->goals |= (uint64_t)(GOAL - YELLOW_GOAL) << ALL_YELLOW;
    }
}

static void make_cards(void) {
    int size = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        int blue = kind >= FACTIONS, colour = blue ? BLUE : kind;
        int copies = kind == BLUE ? 0 : kind == SEVENTEEN ? 2 : blue ? 1 : COPIES;
        laid[kind] = (1ull << 8 * colour) + (kind == SEVENTEEN ? 1ull << SEVENTEENS : 0);
        left_at[kind] = kind == SEVENTEEN ? SEVENTEENS : blue ? NONE : 8 * kind;
        colour_bit[kind] = 1 << colour;
        for (int place = 0; place < SEATS; place++) {
            uint64_t step = blue ? (uint64_t)blue_values[kind - FACTIONS] << (BLUES + 8 * place) : 0;
            if (kind == GREEN) step = 1ull << (GREENS + 5 * place);
            if (kind == YELLOW) step = (1ull << (YELLOWS + 5 * place)) + (1ull << ALL_YELLOW);
            goal_step[place][kind] = step;
        }
        for (int copy = 0; copy < copies; copy++, size++) {
            new_deck[size] = kind;
            card_key[size] = (kind * MOST_KINDS + copy + 1) * KEY_STEP;
        }
    }
    new_deck[size] = ANOMALY_CARD;
    for (int i = 0; i < ANOMALIES; i++) anomaly_key[i] = (MOST_KINDS * MOST_KINDS + i + 1) * KEY_STEP;
}

static void make_sets(void) {
    for (int set = 0; set < 256; set++)
        for (int place = 0, n = 0; place < 8; place++)
            if (set >> place & 1) {
                place_in[set][n] = place;
                if (set < 64) members[set] |= place << 3 * n, size_of[set]++;
                n++;
            }
}

// Shuffling: cards are sorted by keys of 64 bits. Nearly always their first 28 bits tell: these and the card are
// numbers that are sorted, 64 of them, by a network: 16 rows of 4, each column in itself, then two columns together,
// then all four.

enum { ROWS = 16, COLUMNS = 4, SLOTS = ROWS * COLUMNS };

typedef uint32_t row __attribute__((vector_size(16)));

static inline void sort_two(row *low, row *high) {
    row a = *low, b = *high;
#ifdef __ARM_NEON  // gcc does not find these two by itself
    *low = vminq_u32(a, b);
    *high = vmaxq_u32(a, b);
#else
    row less = (row)(a < b);
    *low = (a & less) | (b & ~less);
    *high = (b & less) | (a & ~less);
#endif
}

static inline row twisted(row one) { return __builtin_shuffle(one, (row){1, 0, 3, 2}); }
static inline row swapped(row one) { return __builtin_shuffle(one, (row){2, 3, 0, 1}); }
static inline row evens(row one, row other) { return __builtin_shuffle(one, other, (row){0, 4, 2, 6}); }
static inline row odds(row one, row other) { return __builtin_shuffle(one, other, (row){1, 5, 3, 7}); }

// What falls and rises in each column, or rises and falls, is put in order.
static inline __attribute__((always_inline)) void clean(row *rows, int size) {
#pragma GCC unroll 16
    for (int apart = size / 2; apart; apart /= 2)
#pragma GCC unroll 16
        for (int i = 0; i < size; i++)
            if (!(i & apart)) sort_two(&rows[i], &rows[i + apart]);
}

static inline __attribute__((always_inline)) void sort_columns(row rows[ROWS]) {
#pragma GCC unroll 16
    for (int size = 2; size <= ROWS; size *= 2)
#pragma GCC unroll 16
        for (int start = 0; start < ROWS; start += size) {
#pragma GCC unroll 16
            for (int i = 0; i < size / 2; i++) sort_two(&rows[start + i], &rows[start + size - 1 - i]);
            clean(rows + start, size / 2);
            clean(rows + start + size / 2, size / 2);
        }
}

static inline __attribute__((always_inline)) void merge_columns(row rows[ROWS]) {
#pragma GCC unroll 16
    for (int i = 0; i < ROWS / 2; i++) {
        row low = rows[i], high = twisted(rows[ROWS - 1 - i]);
        sort_two(&low, &high);
        high = twisted(high);
        rows[i] = evens(low, high);
        rows[ROWS - 1 - i] = odds(low, high);
    }
    clean(rows, ROWS);
}

static inline __attribute__((always_inline)) void merge_pairs(row rows[ROWS]) {
#pragma GCC unroll 16
    for (int i = 0; i < ROWS / 2; i++) {
        row low = rows[i], high = swapped(twisted(rows[ROWS - 1 - i]));
        sort_two(&low, &high);
        rows[i] = __builtin_shuffle(low, high, (row){0, 1, 6, 7});
        rows[ROWS - 1 - i] = twisted(__builtin_shuffle(low, high, (row){2, 3, 4, 5}));
    }
#pragma GCC unroll 16
    for (int i = 0; i < ROWS; i += 2) {
        row low = evens(rows[i], rows[i + 1]), high = odds(rows[i], rows[i + 1]);
        sort_two(&low, &high);
        rows[i] = evens(low, high);
        rows[i + 1] = odds(low, high);
    }
    clean(rows, ROWS);
}

static __attribute__((noinline)) void sort_exactly(const uint64_t *keys, const uint8_t *cards, int count,
                                                   uint8_t *deck) {
    uint64_t sorted[SLOTS];
    for (int i = 0; i < count; i++) {
        int place = i;
        for (; place && sorted[place - 1] > (keys[i] & ~255ull); place--) sorted[place] = sorted[place - 1];
        sorted[place] = (keys[i] & ~255ull) | cards[i];
    }
    for (int i = 0; i < count; i++) deck[SLOTS - count + i] = sorted[i] & 255;
}

// The cards come to lie in the last places of the deck. The slots before them hold different small numbers.
static inline __attribute__((always_inline)) void shuffle(const uint64_t *keys, const uint8_t *cards, int count,
                                                         uint8_t deck[SLOTS]) {
    union {
        uint32_t slot[SLOTS];
        row rows[ROWS];
    } memory;
    for (int i = 0; i < count; i++) memory.slot[i] = (keys[i] >> 36) << 4 | cards[i];
    for (int i = count; i < SLOTS; i++) memory.slot[i] = (i - count) << 4;
    row rows[ROWS];
    memcpy(rows, memory.rows, sizeof rows);
    sort_columns(rows);
    merge_columns(rows);
    merge_pairs(rows);
    row same = rows[0] - (row){0, rows[ROWS - 1][0], rows[ROWS - 1][1], rows[ROWS - 1][2]};
    same = (row)(same < 16) & (row){0, ~0u, ~0u, ~0u};
#pragma GCC unroll 16
    for (int i = 1; i < ROWS; i++) same |= (row)(rows[i] - rows[i - 1] < 16);
    if (__builtin_expect(same[0] | same[1] | same[2] | same[3], 0)) {
        sort_exactly(keys, cards, count, deck);
        return;
    }
    uint32_t packed[COLUMNS][COLUMNS];
#pragma GCC unroll 16
    for (int i = 0; i < COLUMNS; i++) {
        row four = (rows[4 * i] & 15) | (rows[4 * i + 1] & 15) << 8;
        four |= (rows[4 * i + 2] & 15) << 16 | rows[4 * i + 3] << 24;
#pragma GCC unroll 16
        for (int column = 0; column < COLUMNS; column++) packed[column][i] = four[column] & 0x0F0F0F0F;
    }
    memcpy(deck, packed, SLOTS);
}

// A game.

struct game {
    uint64_t place[SEATS], word[SEATS];  // whims: the next word of each stream is made before it is wanted
    uint64_t hand[SEATS];                // cards of each kind, four bits each
    uint32_t kinds[SEATS];               // as bits
    int number[SEATS], size[SEATS];      // of kinds, of cards
    uint64_t table[SEATS];               // what lies in each Dimension
    uint64_t lying;                      // the kinds there, 16 bits for each
    uint64_t goals;
    uint64_t luck, loss;
    const struct spiral *spiral;
    const struct deal *deal;
    int captain, captain_at;             // who places and moves it; where it is, NOBODY if nowhere
    int captain_placed, captain_placed_in, captain_moved, captain_moves[SEATS];  // turns (0: never), and where
    int auras_made, auras_swallowed, tied;
    int anomaly, holder, anomaly_player;
    int active, turns, final, loop, last_taker, decisions, winner, tie;
    int bottom, top;
    uint8_t deck[SLOTS];
    uint8_t aura_cards[SEATS][SLOTS];
};

static inline int whim(struct game *g, int player, uint32_t n) {
    uint64_t product;
    do {
        product = (uint64_t)(uint32_t)(g->word[player] >> 32) * n;
        g->place[player] += STEP;
        g->word[player] = mix(g->place[player]);
    } while (favours(product, n));
    return product >> 32;
}

static inline int happens(struct game *g, int player, uint64_t chance) {  // of 2 to the power 53
    int does = g->word[player] >> 11 < chance;
    g->place[player] += STEP;
    g->word[player] = mix(g->place[player]);
    return does;
}

static inline int next_seat(int seat) { return seat == SEATS - 1 ? 0 : seat + 1; }

static inline uint32_t kinds_in(const struct game *g, int dimension) { return g->lying >> 16 * dimension & 0xFFFF; }

static inline int colours_in(const struct game *g, int dimension) {
    uint32_t kinds = kinds_in(g, dimension);
    return (kinds & 31) | (kinds > 31) << BLUE;
}

static inline int squad(const struct game *g, int dimension, int target) {
    return g->table[dimension] >> 8 * target & 255;
}

static inline void lay(struct game *g, int dimension, int kind) {
    g->table[dimension] += laid[kind];
    g->lying |= 1ull << (16 * dimension + kind);
    g->goals += goal_step[dimension][kind];
}

static inline void lift(struct game *g, int dimension, int kind) {
    uint64_t left = g->table[dimension] -= laid[kind];
    g->lying ^= (uint64_t)((left >> left_at[kind] & 255) == 0) << (16 * dimension + kind);
    g->goals -= goal_step[dimension][kind];
}

static inline void take_from_hand(struct game *g, int player, int kind) {
    uint64_t left = g->hand[player] -= 1ull << 4 * kind;
    int last = (left >> 4 * kind & 15) == 0;
    g->kinds[player] ^= last << kind;
    g->number[player] -= last;
    g->size[player]--;
}

static inline void draw(struct game *g, int player) {
    while (g->size[player] < HAND && g->top > g->bottom) {
        int card = g->deck[--g->top];
        g->size[player]++;
        if (card == ANOMALY_CARD) {
            g->holder = player;
        } else {
            g->hand[player] += 1ull << 4 * card;
            g->number[player] += ~g->kinds[player] >> card & 1;
            g->kinds[player] |= 1u << card;
        }
        if (g->top == g->bottom) g->last_taker = player;
    }
}

// Phase 1: battle. Both agents lay any kind of card.

static inline int lay_card(struct game *g, int player) {
    int k = 0;
    if (g->number[player] > 1) {
        g->decisions++;
        k = whim(g, player, g->number[player]);
    }
    int kind = nth_of_hand(g->kinds[player], k);
    take_from_hand(g, player, kind);
    return kind;
}

static inline void battle(struct game *g) {
    int kind[SEATS], colours = 0;
    for (int player = 0; player < SEATS; player++) {
        kind[player] = KINDS;
        if (g->number[player]) kind[player] = lay_card(g, player);
        colours |= colour_bit[kind[player]];
    }
    int winner = g->spiral->winner[colours];
    for (int player = 0; player < SEATS; player++) {
        uint64_t won = -(uint64_t)((colour_bit[kind[player]] & winner) != 0);
        g->table[player] += laid[kind[player]] & won;
        g->lying |= (1ull << (16 * player + kind[player])) & won;
        g->goals += goal_step[player][kind[player]] & won;
    }
}

// Phase 2: reinforce.

static inline void put(struct game *g, int kind, int dimension) {
    take_from_hand(g, g->active, kind);
    lay(g, dimension, kind);
}

static inline void place_captain(struct game *g, int dimension) {
    g->captain_at = g->captain_placed_in = dimension;
    g->captain_placed = g->turns;
}

static inline void reinforce(struct game *g, int dealer) {
    int player = g->active, number = g->number[player];
    int captain = (player == g->captain) & (g->captain_at == NOBODY);
    if (!number & !captain) return;
    g->decisions++;
    if (dealer) {
        if (captain && happens(g, player, 2702159776422298)) {
            place_captain(g, player);
        } else if (number) {
            int kind = nth_of_hand(g->kinds[player], whim(g, player, number));
            put(g, kind, whim(g, player, SEATS));
        }
        return;
    }
    int k = whim(g, player, SEATS * (number + captain) + !number), which = k / SEATS, dimension = k - which * SEATS;
    if (__builtin_expect(which < number, 1))
        put(g, nth_of_hand(g->kinds[player], which), dimension);
    else if (which == number)
        place_captain(g, dimension);
}

// Phase 3: move or anomaly.

static inline void move(struct game *g, int source, int kind, int target) {
    lift(g, source, kind);
    lay(g, target, kind);
}

static int movable(const struct game *g, int source) {
    int auras = g->anomaly == BLACK_HOLE && squad(g, source, AURA) > 0;
    return colours_in(g, source) | auras << AURA;
}

static int count_targets(const struct game *g) {
    if (g->anomaly == ENTANGLEMENT) return PAIRS;
    if (g->anomaly == BIG_BANG || g->anomaly == TIME_LOOP) return 1;
    int things = 0;
    for (int source = 0; source < SEATS; source++) things += size_of[movable(g, source)];
    return g->anomaly == WORMHOLE ? things * (SEATS - 1) : things;
}

static void take_squad(struct game *g, int source, int colour, int target) {  // to nobody: into the Black Hole
    for (int kind = 0; kind < KINDS; kind++)
        while (colour_bit[kind] == 1 << colour && kinds_in(g, source) >> kind & 1) {
            lift(g, source, kind);
            if (target != NOBODY) lay(g, target, kind);
        }
}

static void big_bang(struct game *g) {
    uint64_t hole = 0, stream = stream_of(g->luck, LUCK_BIG_BANG), keys[SLOTS];
    uint8_t cards[SLOTS];
    int count = g->top - g->bottom;
    memcpy(cards, g->deck + g->bottom, count);
    for (int i = 0; i < DECK - 1; i++) hole += 1ull << 4 * new_deck[i];
    for (int i = 0; i < count; i++)
        if (cards[i] != ANOMALY_CARD) hole -= 1ull << 4 * cards[i];
    for (int player = 0; player < SEATS; player++) {
        hole -= g->hand[player];
        for (int kind = 0; kind < KINDS; kind++) {
            int some = kinds_in(g, player) >> kind & 1, more = g->table[player] >> left_at[kind] & 255;
            hole -= (uint64_t)(more ? more : some) << 4 * kind & -(uint64_t)some;
        }
        for (int i = 0; i < squad(g, player, AURA); i++) hole -= 1ull << 4 * g->aura_cards[player][i];
    }
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = hole >> 4 * kind & 15; i; i--) cards[count++] = kind;
    for (int i = 0; i < count; i++) keys[i] = mix(stream + (i + 1) * KEY_STEP);
    shuffle(keys, cards, count, g->deck);
    g->bottom = SLOTS - count;
    g->top = SLOTS;
}

static __attribute__((noinline)) void play_anomaly(struct game *g, int k) {
    int player = g->active;
    if (g->anomaly == ENTANGLEMENT) {
        g->spiral = &spirals[g->spiral->entangled[k]];
    } else if (g->anomaly == WORMHOLE || g->anomaly == BLACK_HOLE) {
        int ways = g->anomaly == WORMHOLE ? SEATS - 1 : 1, number = k / ways, target = k % ways, source = 0;
        for (; number >= size_of[movable(g, source)]; source++) number -= size_of[movable(g, source)];
        int thing = nth_of_few(movable(g, source), number);
        if (g->anomaly == WORMHOLE)
            take_squad(g, source, thing, target + (target >= source));
        else if (thing == AURA) {
            g->auras_swallowed += squad(g, source, AURA);
            g->table[source] &= ~(255ull << AURAS);
        } else
            take_squad(g, source, thing, NOBODY);
    } else if (g->anomaly == BIG_BANG) {
        big_bang(g);
        if (g->last_taker != NOBODY && g->top > g->bottom) g->final = 1;
    } else if (!g->final) {
        g->loop = 1;
    }
    g->holder = NOBODY;
    g->size[player]--;
    g->anomaly_player = player;
}

static inline void random_move(struct game *g) {
    int player = g->active, captain = (player == g->captain) & (g->captain_at != NOBODY);
    uint64_t movables = g->lying | (uint64_t)captain << 16 * SEATS, sums = sums_of(movables);
    int moves = 1 + (SEATS - 1) * (int)(sums >> 56), n = moves;
    if (player == g->holder) n += count_targets(g);
    if (n == 1) return;
    g->decisions++;
    int k = whim(g, player, n);
    if (k == 0) return;
    if (__builtin_expect(k >= moves, 0)) {
        play_anomaly(g, k - moves);
        return;
    }
    int thing = nth_of(movables, sums, (k - 1) / (SEATS - 1)), target = (k - 1) % (SEATS - 1), source = thing >> 4;
    if (__builtin_expect(source == SEATS, 0)) {
        g->captain_at = target + (target >= g->captain_at);
        g->captain_moves[g->captain_at]++;
        if (!g->captain_moved) g->captain_moved = g->turns;
    } else
        move(g, source, thing & 15, target + (target >= source));
}

static inline int nth_blue(const struct game *g, int dimension, int number) {
    uint32_t kinds = kinds_in(g, dimension) >> FACTIONS << FACTIONS;
    int before = __builtin_popcount(kinds & ((1 << SEVENTEEN) - 1));
    number -= (g->table[dimension] >> SEVENTEENS & 2) && number > before;
    return nth_of(kinds, sums_of(kinds), number);
}

static inline void dealer_move(struct game *g) {
    int player = g->active, captain = (player == g->captain) & (g->captain_at != NOBODY);
    if (__builtin_expect(!g->lying & !captain, 0) && (player != g->holder || !count_targets(g))) return;
    g->decisions++;
    if (happens(g, player, 1ull << 52)) {
        if (player != g->holder) return;
        whim(g, player, 1);
        int targets = count_targets(g);
        if (targets) play_anomaly(g, whim(g, player, targets));
        return;
    }
    int dimensions = 0;
    for (int dimension = 0; dimension < SEATS; dimension++) dimensions |= (kinds_in(g, dimension) != 0) << dimension;
    if (!dimensions) return;
    int source = nth_of_few(dimensions, whim(g, player, size_of[dimensions])), colours = colours_in(g, source);
    int colour = nth_of_few(colours, whim(g, player, size_of[colours])), target = whim(g, player, SEATS);
    if (target == source) return;
    int number = whim(g, player, squad(g, source, colour));
    move(g, source, colour == BLUE ? nth_blue(g, source, number) : colour, target);
}

// Phase 4: attack.

typedef uint8_t bytes __attribute__((vector_size(16)));

static inline int is_captain_in(const struct game *g, int dimension) { return g->captain_at == dimension; }

// Every attack that wins and takes something: a byte for each attacker, a bit for each target. Two targets at once are
// compared with all attackers.
static inline uint64_t winning_attacks(const struct game *g, int dimension) {
    uint64_t sizes = g->table[dimension] + is_captain_in(g, dimension);
    typedef uint64_t words __attribute__((vector_size(16)));
    bytes both = (bytes)(words){sizes, sizes}, larger = {0};
#pragma GCC unroll 3
    for (int pair = 0; pair < 3; pair++) {
        uint8_t one = 2 * pair, other = one + 1;
        bytes targets = __builtin_shuffle(both, (bytes){one, one, one, one, one, one, one, one, other, other, other,
                                                        other, other, other, other, other});
        larger |= (bytes)(both > targets) & (bytes)(words){ONE << one, ONE << other};
    }
    words halves = (words)larger;
    bytes present = (bytes)((words){sizes, sizes} & (words){0xFFFFFFFFFF, 0}) > 0;
    uint64_t wins = halves[0] | halves[1] | (((words)present)[0] & g->spiral->beating);
    int targets = colours_in(g, dimension) | (squad(g, dimension, AURA) > 0) << AURA;
    return wins & targets * 0x0101010101 & ~(1ull << (8 * PURPLE + AURA));
}

static inline void attack(struct game *g, int attacker, int target) {
    int dimension = g->active, auras = squad(g, dimension, AURA);
    if (target == AURA) {
        g->table[dimension] -= 1ull << AURAS;
        return;
    }
    int kind = target == BLUE ? nth_blue(g, dimension, below(&g->loss, squad(g, dimension, BLUE))) : target;
    lift(g, dimension, kind);
    g->aura_cards[dimension][auras] = kind;
    g->table[dimension] += (uint64_t)(attacker == PURPLE) << AURAS;
    g->auras_made += attacker == PURPLE;
}

static inline void random_attack(struct game *g) {
    uint64_t attacks = winning_attacks(g, g->active);
    if (!attacks) return;
    g->decisions++;
    uint64_t sums = sums_of(attacks);
    int k = whim(g, g->active, 1 + (sums >> 56));
    if (k == 0) return;
    int bit = nth_of(attacks, sums, k - 1);
    attack(g, bit >> 3, bit & 7);
}

static inline void dealer_attack(struct game *g) {
    int player = g->active;
    uint64_t attacks = winning_attacks(g, player);
    if (!attacks) return;
    g->decisions++;
    int colours = colours_in(g, player) | is_captain_in(g, player) << RED;
    int attacker = nth_of_few(colours, whim(g, player, size_of[colours]));
    int targets = (colours ^ 1 << attacker) | ((squad(g, player, AURA) > 0) & (attacker != PURPLE)) << AURA;
    if (!targets) return;
    int target = nth_of_few(targets, whim(g, player, size_of[targets]));
    if (attacks >> (8 * attacker + target) & 1) attack(g, attacker, target);
}

// Phase 5: recover, and whose turn is next.

static inline void recover(struct game *g) {
    int player = g->active;
    for (int i = 0; i < SEATS; i++, player = next_seat(player)) draw(g, player);
}

static inline void pass_the_turn(struct game *g) {
    g->turns++;
    if (g->last_taker == NOBODY) {
        if (!g->loop) g->active = next_seat(g->active);
        g->loop = 0;
    } else if (g->top > g->bottom) {
        g->active = next_seat(g->last_taker);
        g->last_taker = NOBODY;
        g->final = 0;
    } else if (g->loop) {
        g->loop = 0;
    } else {
        g->active = g->last_taker;
        g->final = 1;
    }
}

// The end.

static inline uint64_t cards_by_faction(const struct game *g) {  // a byte for each
    uint64_t sum = g->table[0] + g->table[1] + g->table[2];
    return sum + (g->captain_at != NOBODY) + ((sum >> AURAS & 255) << 8 * PURPLE);
}

static inline void count_up(struct game *g, uint64_t cards) {
    int best = 0, tied = 0, number[SEATS];
    for (int player = 0; player < SEATS; player++) {
        number[player] = cards >> 8 * g->deal->faction[player] & 255;
        best = number[player] > best ? number[player] : best;
    }
    for (int player = 0; player < SEATS; player++) tied |= (number[player] == best) << g->deal->faction[player];
    g->winner = __builtin_ctz(tied);
    if (size_of[tied] == 1) return;
    g->tied = tied;
    if (size_of[tied] == 2) {
        int other = nth_of_few(tied, 1);
        g->tie = BY_SPIRAL;
        if (g->spiral->prey[g->winner] == other) return;
        if (g->spiral->prey[other] == g->winner) {
            g->winner = other;
            return;
        }
    }
    uint64_t stream = stream_of(g->luck, LUCK_LOT);
    g->tie = BY_LOT;
    g->winner = nth_of_few(tied, below(&stream, size_of[tied]));
}

static struct counts {
    int64_t games, decisions, turns[MAX_TURNS + 2], ends[ENDS], ties[TIES], first_wins, seat_wins[MOST_SEATS];
    int64_t participates[MOST_SEATS][FACTIONS], wins[MOST_SEATS][FACTIONS], cards[FACTIONS], cards_squared[FACTIONS];
    int64_t anomaly_plays[ANOMALIES], anomaly_games[ANOMALIES], anomaly_wins[ANOMALIES];
    int64_t tied[SETS], tied_wins[SETS][FACTIONS], instant_wins[FACTIONS][PHASES], count_wins[FACTIONS];
    int64_t plain_cards[FACTIONS], plain_cards_squared[FACTIONS], owed_wins[FACTIONS];
    int64_t auras[FATES], auras_squared[FATES], aura_games[FATES];
    int64_t captain_placed[MAX_TURNS + 2], captain_moved[MAX_TURNS + 2], captain_with[FACTIONS];
    int64_t captain_placed_in[FACTIONS], captain_moves[FACTIONS], captain_moves_squared[FACTIONS];
    int64_t all_captain_moves_squared;
} counts;

static inline void count_captain(const struct game *g) {
    int all = 0;
    counts.captain_placed[g->captain_placed]++;
    counts.captain_placed_in[g->deal->faction[g->captain_placed_in]]++;
    if (g->captain_moved) counts.captain_moved[g->captain_moved]++;
    for (int player = 0; player < SEATS; player++) {
        int faction = g->deal->faction[player], moves = g->captain_moves[player];
        counts.captain_with[faction]++;
        counts.captain_moves[faction] += moves;
        counts.captain_moves_squared[faction] += moves * moves;
        all += moves;
    }
    counts.all_captain_moves_squared += all * all;
}

static inline void count_epic(const struct game *g, uint64_t cards, int end, int phase) {
    uint64_t sum = g->table[0] + g->table[1] + g->table[2];  // without the Captain and the Auras
    int mine = sum >> 8 * g->winner & 255, owed = 0;
    for (int player = 0; player < SEATS; player++) {
        int faction = g->deal->faction[player], plain = sum >> 8 * faction & 255;
        counts.plain_cards[faction] += plain;
        counts.plain_cards_squared[faction] += plain * plain;
        owed |= (faction != g->winner) & (plain >= mine);
    }
    if (end == BY_COUNT) {
        counts.count_wins[g->winner]++;
        counts.owed_wins[g->winner] += owed & ((int)(cards >> 8 * g->winner & 255) > mine);
        if (g->tied) {
            counts.tied[g->tied]++;
            counts.tied_wins[g->tied][g->winner]++;
        }
    } else {
        counts.instant_wins[g->winner][phase]++;
    }
    int fates[FATES] = {g->auras_made, g->auras_made - g->auras_swallowed - (int)(sum >> AURAS & 255), g->auras_swallowed};
    for (int fate = 0; fate < FATES; fate++) {
        counts.auras[fate] += fates[fate];
        counts.auras_squared[fate] += fates[fate] * fates[fate];
        counts.aura_games[fate] += fates[fate] > 0;
    }
    if (g->captain_placed) count_captain(g);
}

static inline __attribute__((always_inline)) void play(uint64_t seed, int64_t game, int dealer) {
    struct game g;
    uint64_t whims = mix(mix(seed ^ WHIM) + game * KEY_STEP);
    g.luck = mix(mix(seed) + game * KEY_STEP);
    uint64_t stream = stream_of(g.luck, LUCK_FACTIONS);
    int drawn = below(&stream, 5);
    drawn = drawn * 4 + below(&stream, 4);
    struct deal *deal = &deals[drawn * 3 + below(&stream, 3)];
    g.deal = deal;
    stream = stream_of(g.luck, LUCK_SPIRAL) + STEP;
    drawn = below(&stream, 2);
    drawn = drawn * 3 + below(&stream, 3);
    drawn = drawn * 4 + below(&stream, 4);
    g.spiral = &spirals[spiral_drawn[drawn * 5 + below(&stream, 5)]];
    stream = stream_of(g.luck, LUCK_ANOMALY);
    g.anomaly = below(&stream, ANOMALIES);
    stream = stream_of(g.luck, LUCK_FIRST);
    int first = below(&stream, SEATS);
    g.loss = stream_of(g.luck, LUCK_LOSS);

    uint64_t keys[DECK];
    stream = stream_of(g.luck, LUCK_DECK);
    for (int i = 0; i < DECK - 1; i++) keys[i] = mix(stream + card_key[i]);
    keys[DECK - 1] = mix(stream + anomaly_key[g.anomaly]);
    shuffle(keys, new_deck, DECK, g.deck);
    g.bottom = SLOTS - DECK;
    g.top = SLOTS;

    g.lying = 0;
    g.goals = deal->goals;
    g.captain = deal->owner[RED];
    g.captain_at = g.holder = g.anomaly_player = g.last_taker = g.winner = NOBODY;
    g.final = g.loop = g.decisions = 0;
    g.tie = NO_TIE;
    g.tied = g.auras_made = g.auras_swallowed = g.captain_placed = g.captain_moved = 0;
    for (int player = 0; player < SEATS; player++) {
        g.place[player] = stream_of(whims, player) + STEP;
        g.word[player] = mix(g.place[player]);
        g.hand[player] = g.table[player] = 0;
        g.captain_moves[player] = 0;
        g.kinds[player] = g.number[player] = g.size[player] = 0;
        draw(&g, player);
    }
    g.active = first;
    g.turns = 1;
    int end = BY_COUNT, phase;
    for (;; pass_the_turn(&g)) {
        phase = BATTLE;
        battle(&g);
        if (__builtin_expect(is_won(g.goals), 0)) break;
        phase = REINFORCE;
        reinforce(&g, dealer);
        if (__builtin_expect(is_won(g.goals), 0)) break;
        phase = MOVEMENT;
        if (dealer)
            dealer_move(&g);
        else
            random_move(&g);
        if (__builtin_expect(is_won(g.goals), 0)) break;
        phase = ATTACK;
        if (dealer)
            dealer_attack(&g);
        else
            random_attack(&g);
        if (__builtin_expect(is_won(g.goals), 0)) break;
        recover(&g);
        if (g.final & (g.top == g.bottom)) break;
    }
    uint64_t cards = cards_by_faction(&g);
    if (g.goals & GREEN_WON)
        end = g.winner = GREEN;
    else if ((g.goals & YELLOW_WON) == YELLOW_WON)
        end = g.winner = YELLOW;
    else if (blue_won(g.goals))
        end = g.winner = BLUE;
    else
        count_up(&g, cards);

    int winner = deal->owner[g.winner];
    deal->games++;
    counts.decisions += g.decisions;
    counts.turns[g.turns]++;
    counts.ends[end]++;
    counts.ties[g.tie]++;
    counts.first_wins += first == winner;
    counts.seat_wins[winner]++;
    counts.wins[0][g.winner]++;
    for (int player = 0; player < SEATS; player++) {
        int faction = deal->faction[player], number = cards >> 8 * faction & 255;
        counts.cards[faction] += number;
        counts.cards_squared[faction] += number * number;
    }
    counts.anomaly_plays[g.anomaly] += g.anomaly_player != NOBODY;
    counts.anomaly_wins[g.anomaly] += g.anomaly_player == winner;
    count_epic(&g, cards, end, phase);
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int random = strcmp(argv[2], "random") == 0;
    uint64_t seed = strtoull(argv[3], NULL, 10);
    int64_t games = strtoll(argv[4], NULL, 10);
    make_sets();
    make_cards();
    make_deals();
    make_spirals();
    double start = seconds();
    if (random)
        for (int64_t game = 0; game < games; game++) play(seed, game, 0);
    else
        for (int64_t game = 0; game < games; game++) play(seed, game, 1);
    double end = seconds();
    for (int i = 0; i < DEALS; i++) {
        counts.games += deals[i].games;
        for (int player = 0; player < SEATS; player++)
            counts.participates[0][deals[i].faction[player]] += deals[i].games;
    }
    memcpy(counts.anomaly_games, counts.anomaly_plays, sizeof counts.anomaly_plays);  // the only one is played once
    PRINT(games);
    PRINT(decisions);
    PRINT(turns);
    PRINT(ends);
    PRINT(ties);
    PRINT(first_wins);
    PRINT(seat_wins);
    PRINT(participates);
    PRINT(wins);
    PRINT(cards);
    PRINT(cards_squared);
    PRINT(anomaly_plays);
    PRINT(anomaly_games);
    PRINT(anomaly_wins);
    PRINT(tied);
    PRINT(tied_wins);
    PRINT(instant_wins);
    PRINT(count_wins);
    PRINT(plain_cards);
    PRINT(plain_cards_squared);
    PRINT(owed_wins);
    PRINT(auras);
    PRINT(auras_squared);
    PRINT(aura_games);
    PRINT(captain_placed);
    PRINT(captain_moved);
    PRINT(captain_with);
    PRINT(captain_placed_in);
    PRINT(captain_moves);
    PRINT(captain_moves_squared);
    PRINT(all_captain_moves_squared);
    printf("seconds %.9f\n", end - start);
}
