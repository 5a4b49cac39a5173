// Games of Save Oneself, written by hand to be fast: the same games as the rules play, with the same luck, and counted
// in the same way. The clauses are those of the rules page.
//
//     save_oneself 1 random SEED GAMES    prints what it counted, and seconds of the processor

#include "playing.h"

enum { VINES, HOOK, WATER, FLINT, PALM_TREES, STICKS, BOTTLE, HIGHER_GROUND, TELESCOPE, ROCKS, PIG, STORM, MIRAGE };
enum { PIRATES = MIRAGE + 1, MAP_R, MAP_C, CARDS, SKIP = CARDS, FRONT = CARDS };
enum { NE, SE, SW, NW };
enum { NO_SHIP, WAITING, UNDER_WAY };
enum { BY_SOS, BY_BEACON, BY_MESSAGE, NO_LIVES, SHIP_GONE, ENDINGS, RUNNING = -1 };
enum { LIVES = 16, TORNADO_AT = 13, CARDS_PER_POINT = 4, ISLAND = 4, STRIDE = 8, START = 27 };
enum { CELLS = 56, ROUNDS = 40, SCORES = 64 };  // no game has more rounds: all lives that can be gained are 15

#define BIT(number) (1u << (number))
#define BOTH_SIDES(card) (BIT(card) | BIT(FRONT + (card)))
#define UP(side) (g->sides >> (side) & 1)

// The cards. Most of them need that one side is up, and no two need the same one: the set of cards that have what
// they need changes with every card that is laid or turned. Where the player stands comes on top of that.

enum { CORNERS = BIT(VINES) | BIT(HOOK) | BIT(PALM_TREES) | BIT(STICKS) };
enum { CHOOSABLE = (BIT(CARDS) - 1) & ~(BIT(STORM) | BIT(MIRAGE) | BIT(PIRATES) | BIT(MAP_C)) };
enum { ON_HIGHER_GROUND = BIT(HIGHER_GROUND) | BIT(TELESCOPE) | BIT(ROCKS) };
enum { NEED_NO_SIDE = BIT(TELESCOPE) | BIT(ROCKS) };
enum { SIGNALS = BIT(FRONT + ROCKS) | BIT(FRONT + HIGHER_GROUND) | BIT(FRONT + BOTTLE) };

static const uint8_t corner[CARDS] = {[VINES] = SW, [HOOK] = NE, [PALM_TREES] = SE, [STICKS] = NW};
static const uint8_t found[CARDS] = {[WATER] = 2};  // lives when it is revealed
static const uint8_t gained[CARDS + 1] = {
    [VINES] = 2, [HOOK] = 3, [WATER] = 2, [PALM_TREES] = 2, [PIG] = 3, [MAP_R] = 1,
};
static const uint8_t points_of[CARDS + 1] = {
    [VINES] = 2, [FLINT] = 2, [STICKS] = 2, [BOTTLE] = 3, [HIGHER_GROUND] = 7, [TELESCOPE] = 1, [ROCKS] = 5,
    [MAP_R] = 10,  // with map-c, which turns with it
};
static const uint16_t serves[CARDS + 1] = {  // which card needs its back
    [PALM_TREES] = BIT(VINES), [WATER] = BIT(HOOK), [TELESCOPE] = BIT(WATER), [VINES] = BIT(FLINT),
    [ROCKS] = BIT(PALM_TREES), [FLINT] = BIT(STICKS), [MAP_C] = BIT(MAP_R),
};
static const uint16_t serves_turned[CARDS + 1] = {[FLINT] = BIT(HIGHER_GROUND), [STICKS] = BIT(PIG)};

// By card, or SKIP which does nothing: what turning it over changes.
static struct { uint32_t sides; uint16_t cards, met; uint8_t lives, points; } turning[CARDS + 1];

// The field. A cell is 8 * row + column, a set of cells a word of bits; no card lies more than three rows or columns
// away from another.

static uint64_t near[CELLS];      // the cells that a card on a cell leaves room for
static int8_t ways[16][4];        // by the bits of the cells around: the steps to them
static uint8_t number_of_ways[16];

static void make_tables(void) {
    static const int step[] = {-STRIDE, 1, STRIDE, -1};
    for (int card = 0; card < CARDS; card++) {
        uint16_t also = card == MAP_R ? BIT(MAP_C) : 0;
        turning[card].sides = BOTH_SIDES(card) | also | (uint32_t)also << FRONT;
        turning[card].cards = BIT(card) | also;
        turning[card].met = serves[card] ^ serves_turned[card] ^ (card == MAP_R ? serves[MAP_C] : 0);
        turning[card].lives = gained[card];
        turning[card].points = points_of[card];
    }
    for (int cell = 0; cell < CELLS; cell++)
        for (int other = 0; other < CELLS; other++)
            if (other % STRIDE < 7 && abs(other / STRIDE - cell / STRIDE) < ISLAND)
                near[cell] |= (uint64_t)(abs(other % STRIDE - cell % STRIDE) < ISLAND) << other;
    for (int around = 0; around < 16; around++)
        for (int direction = 0; direction < 4; direction++)
            if (around >> direction & 1) ways[around][number_of_ways[around]++] = step[direction];
}

// What is counted.

static struct counts {
    int64_t games, decisions, ended_by[ENDINGS], score[SCORES], rounds[ROUNDS], cards_placed[CARDS + 1], ships[4];
    int64_t turned[CARDS], turned_and_won[CARDS], reached[ROUNDS], lives[ROUNDS], lives_squared[ROUNDS];
} counts;

// Counted in a simpler way, and added up at the end: games by whether they were won and half of the cards that were
// turned over, and rounds by the lives with which they began.
static int64_t with_turned[2][2][256], with_lives[ROUNDS][LIVES + 1];

static void add_up(void) {
    for (int won = 0; won < 2; won++)
        for (int half = 0; half < 2; half++)
            for (int cards = 0; cards < 256; cards++)
                for (int card = 0; card < 8; card++)
                    if (cards >> card & 1) {
                        counts.turned[8 * half + card] += with_turned[won][half][cards];
                        if (won) counts.turned_and_won[8 * half + card] += with_turned[won][half][cards];
                    }
    for (int round = 0; round < ROUNDS; round++)
        for (int lives = 0; lives <= LIVES; lives++) {
            counts.reached[round] += with_lives[round][lives];
            counts.lives[round] += with_lives[round][lives] * lives;
            counts.lives_squared[round] += with_lives[round][lives] * lives * lives;
        }
}

// A game.

static uint8_t deck[CARDS], cell_of[CARDS], card_on[CELLS];  // of the cards on the field

struct game {
    int ending, lives, here, placed, rounds, points, decisions;
    uint32_t sides, met, overturned;  // sides that are up; cards that have what they need; cards that were turned over
    uint32_t notable;                 // cards that now do more than give or take lives when they are revealed
    uint64_t field, open, room;       // cells with cards; where cards may lie if there is no ship, and where now
    int ship, ships, course, turned, legs, ship_row, ship_column, island_north, island_west;
    uint64_t luck, whim, word;        // the stream of `random`, whose next word is made long before it is wanted
};

static inline int choose(struct game *g, uint32_t n) {
    uint64_t product;
    g->decisions++;
    do {
        product = (g->word >> 32) * n;
        g->whim += STEP;
        g->word = mix(g->whim);
    } while (favours(product, n));
    return product >> 32;
}

static inline void gain(struct game *g, int lives) {
    g->lives += lives;
    if (g->lives > LIVES) g->lives = LIVES;
}

static inline void lose(struct game *g, int lives) {
    g->lives -= lives;
    if (g->lives <= 0) {
        g->lives = 0;
        g->ending = NO_LIVES;
    }
}

static inline void turn(struct game *g, int card) {
    g->sides ^= turning[card].sides;
    g->overturned |= turning[card].cards;
    g->met ^= turning[card].met;
    g->points += turning[card].points;
    gain(g, turning[card].lives);
}

static inline void turn_back(struct game *g, int card) {
    g->sides ^= turning[card].sides;
    g->met ^= turning[card].met;
    g->points -= turning[card].points;
}

// The ship.

static inline void ship_comes(struct game *g, int corner) {
    // The first and the last cell that are open lie so far from the box as the island is wide.
    int first = __builtin_ctzll(g->open), last = 63 - __builtin_clzll(g->open);
    int north = corner == NE || corner == NW, west = corner == SW || corner == NW;
    g->ship = WAITING;
    g->ships++;
    g->course = corner;
    g->turned = 0;
    g->legs = ISLAND + 2;  // to the far corner, and one cell more
    g->island_north = north ? last / STRIDE - ISLAND + 1 : first / STRIDE;
    g->island_west = west ? last % STRIDE - ISLAND + 1 : first % STRIDE;
    g->ship_row = north ? g->island_north - 1 : g->island_north + ISLAND;
    g->ship_column = west ? g->island_west - 1 : g->island_west + ISLAND;
    g->room = 0x0F0F0F0Full << (STRIDE * g->island_north + g->island_west);
    g->notable = BIT(MIRAGE);
    g->met |= BIT(BOTTLE);
}

static inline void drive_off(struct game *g) {
    g->ship = NO_SHIP;
    g->room = g->open;
    g->notable = BIT(MIRAGE) | CORNERS;
    turn(g, PIRATES);
}

static inline int next_to_ship(const struct game *g, int cell) {
    return abs(cell / STRIDE - g->ship_row) + abs(cell % STRIDE - g->ship_column) == 1;
}

static inline int on_island_corner(const struct game *g, int cell) {
    int row = cell / STRIDE - g->island_north, column = cell % STRIDE - g->island_west;
    return (row == 0 || row == ISLAND - 1) && (column == 0 || column == ISLAND - 1);
}

static inline void look_out(struct game *g) {
    if (!(g->sides & SIGNALS) || g->ship == NO_SHIP) return;
    if (UP(FRONT + ROCKS) && cell_of[ROCKS] / STRIDE == g->ship_row)
        g->ending = BY_SOS;
    else if (UP(FRONT + HIGHER_GROUND) && cell_of[HIGHER_GROUND] % STRIDE == g->ship_column)
        g->ending = BY_BEACON;
    else if (UP(FRONT + BOTTLE) && next_to_ship(g, cell_of[BOTTLE]) && !on_island_corner(g, cell_of[BOTTLE]))
        g->ending = BY_MESSAGE;
}

static inline void sail_on(struct game *g) {
    static const int8_t south[] = {1, 0, -1, 0}, east[] = {0, -1, 0, 1};
    g->ship_row += south[g->course];
    g->ship_column += east[g->course];
    g->legs--;
}

static inline void sail(struct game *g) {
    if (g->ship == NO_SHIP) return;
    if (g->ship == WAITING) {
        g->ship = UNDER_WAY;
        g->notable = BIT(MIRAGE) | BIT(PIRATES);
        g->met &= ~BIT(BOTTLE);
        return;
    }
    if (UP(PIRATES)) {
        drive_off(g);
        return;
    }
    if (g->legs == 1 && UP(FRONT + TELESCOPE) && !g->turned) {
        g->course = (g->course + 1) % 4;
        g->turned = 1;
        g->legs = ISLAND + 2;
    }
    sail_on(g);
    if (UP(FRONT + MIRAGE) && next_to_ship(g, cell_of[MIRAGE])) sail_on(g);
    look_out(g);
    if (g->legs == 0 && g->ending == RUNNING) g->ending = SHIP_GONE;
}

// Moves.

static inline void mirage(struct game *g) {
    uint32_t farthest = 0, others = (g->sides | g->sides >> FRONT) & (BIT(CARDS) - 1);
    for (int most = 1; others; others &= others - 1) {
        int other = __builtin_ctz(others), cell = cell_of[other];
        int rows = abs(cell / STRIDE - g->here / STRIDE), columns = abs(cell % STRIDE - g->here % STRIDE);
        if (rows + columns > most) {
            most = rows + columns;
            farthest = 0;
        }
        if (rows + columns == most) farthest |= BIT(other);
    }
    if (farthest) {
        uint64_t luck = mix(g->luck + 2 * STEP);
        for (int k = below(&luck, __builtin_popcount(farthest)); k > 0; k--) farthest &= farthest - 1;
        int card = __builtin_ctz(farthest);
        card_on[cell_of[MIRAGE] = cell_of[card]] = MIRAGE;
        card_on[cell_of[card] = g->here] = card;
    }
    turn(g, MIRAGE);
}

static inline void tornado(struct game *g) {
    g->overturned |= BIT(STORM);
    lose(g, 3);
    if (g->ending != RUNNING) return;
    if (UP(FRONT + VINES)) turn_back(g, VINES);
    if (UP(FRONT + HIGHER_GROUND)) turn_back(g, HIGHER_GROUND);
}

static inline void reveal(struct game *g) {
    int card = deck[g->placed++];
    g->field |= 1ull << g->here;
    g->open &= near[g->here];
    g->room = g->ship == NO_SHIP ? g->open : g->room;
    g->sides |= BIT(card);
    g->met |= serves[card];
    card_on[cell_of[card] = g->here] = card;
    gain(g, found[card]);
    if (!(g->notable & BIT(card))) return;
    if (card == MIRAGE)
        mirage(g);
    else if (card == PIRATES)
        drive_off(g);
    else
        ship_comes(g, corner[card]);
}

static inline int enter(struct game *g, int here) {
    int laid = ~g->field >> here & 1;
    g->here = here;
    if (laid) reveal(g);
    uint32_t spear = g->sides >> (FRONT + STICKS - PIG), shelter = g->sides >> (FRONT + VINES - STORM);
    uint32_t harmful = g->sides & ((~spear & BIT(PIG)) | (~shelter & BIT(STORM)));
    lose(g, harmful >> card_on[here] << 1 & 2);  // nothing to be guessed
    if (laid && g->placed == TORNADO_AT && UP(STORM) && g->ending == RUNNING) tornado(g);
    return laid;
}

static inline int around(uint64_t cells, int here) {
    uint64_t rows = cells << STRIDE >> here;  // bit 0: the cell to the north
    return (rows & 1) | (rows >> STRIDE & 2) | (rows >> (2 * STRIDE - 2) & 4) | (rows >> (STRIDE - 4) & 8);
}

// Whether a card was laid. There are always two options or more: the room is four by four cells at least, and after a
// move one can go back.
static inline int move(struct game *g, uint64_t cells, int waives) {
    int options = around(cells, g->here), n = number_of_ways[options], k = choose(g, n + waives);
    if (waives && k == n) return 0;
    int laid = enter(g, g->here + ways[options][k]);
    if (g->ending == RUNNING) look_out(g);
    return laid;
}

// Turning over.

static inline int nth(uint32_t options, int k) {
    while (k--) options &= options - 1;
    return __builtin_ctz(options);
}

static inline void turn_over(struct game *g) {
    int crossing = (cell_of[MAP_R] & -STRIDE) | (cell_of[MAP_C] & (STRIDE - 1));
    int on_top = (g->here == cell_of[HIGHER_GROUND]) & UP(HIGHER_GROUND);
    uint32_t options = g->sides & g->met & CHOOSABLE;
    options &= on_top ? ~0u : ~(uint32_t)ON_HIGHER_GROUND;
    options &= crossing == g->here ? ~0u : ~BIT(MAP_R);
    if (options) turn(g, nth(options | BIT(SKIP), choose(g, __builtin_popcount(options) + 1)));
}

// Shuffling, with a word for every card; that one of them is unfair is looked at once.

static __attribute__((noinline)) void shuffle_slowly(uint64_t stream) {
    for (int card = 0; card < CARDS; card++) {
        int place = below(&stream, card + 1);
        deck[card] = deck[place];
        deck[place] = card;
    }
}

static inline void shuffle(uint64_t stream) {
    uint64_t luck = stream + STEP;  // the first word is for a deck of one
    uint32_t unfair = 0;
    deck[0] = 0;
#pragma GCC unroll 16
    for (uint32_t card = 1; card < CARDS; card++) {
        uint64_t product = (mix(luck + card * STEP) >> 32) * (card + 1);
        unfair |= (uint32_t)product < -(card + 1) % (card + 1);
        deck[card] = deck[product >> 32];
        deck[product >> 32] = card;
    }
    if (unfair) shuffle_slowly(stream);
}

static inline void play(uint64_t seed, int64_t game) {
    struct game state = {.ending = RUNNING, .lives = LIVES, .met = NEED_NO_SIDE, .open = ~0ull}, *g = &state;
    g->luck = mix(mix(seed) + game * KEY_STEP);
    g->whim = mix(mix(mix(seed ^ WHIM) + game * KEY_STEP) + STEP) + STEP;
    g->word = mix(g->whim);
    g->notable = BIT(MIRAGE) | CORNERS;
    shuffle(mix(g->luck + STEP));
    enter(g, START);
    while (g->ending == RUNNING) {
        with_lives[g->rounds++][g->lives]++;
        int compass = UP(FRONT + PIRATES), laid = move(g, g->room, 0);
        if (g->ending != RUNNING) break;
        if (compass) {
            move(g, laid ? g->field : g->room, 1);
            if (g->ending != RUNNING) break;
        }
        lose(g, 1);
        if (g->ending != RUNNING) break;
        turn_over(g);
        sail(g);
    }
    int won = g->ending <= BY_MESSAGE;
    counts.games++;
    counts.decisions += g->decisions;
    counts.ended_by[g->ending]++;
    counts.score[g->points + g->lives + g->placed / CARDS_PER_POINT]++;
    counts.rounds[g->rounds]++;
    counts.cards_placed[g->placed]++;
    counts.ships[g->ships]++;
    with_turned[won][0][g->overturned & 255]++;
    with_turned[won][1][g->overturned >> 8]++;
}

int main(int argc, char **argv) {
    if (argc != 5 || strcmp(argv[1], "1") || strcmp(argv[2], "random")) return 2;
    uint64_t seed = strtoull(argv[3], NULL, 10);
    int64_t games = strtoll(argv[4], NULL, 10);
    make_tables();
    double start = seconds();
    for (int64_t game = 0; game < games; game++) play(seed, game);
    add_up();
    double end = seconds();
    PRINT(games);
    PRINT(decisions);
    PRINT(ended_by);
    PRINT(score);
    PRINT(rounds);
    PRINT(cards_placed);
    PRINT(ships);
    PRINT(turned);
    PRINT(turned_and_won);
    PRINT(reached);
    PRINT(lives);
    PRINT(lives_squared);
    printf("seconds %.9f\n", end - start);
}
