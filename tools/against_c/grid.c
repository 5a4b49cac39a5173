// Games of Grid by the usual config, written by hand to be fast: the same games as the rules play, with the same luck,
// and counted in the same way. The clauses are those of the rules page.
//
//     grid PLAYERS random SEED GAMES    prints what it counted, and seconds of the processor

#include <stddef.h>

#include "playing.h"

enum { PLAYERS = 4, SIDE = 5, CELLS = 25, CARDS = 90, REVEAL = 3, TURNS = 122, RESOLVED = 40, POINTS = 20 };

static const uint64_t STEP_BACK = 0xF1DE83E19937733D;  // times a step it is 1

// A card is a byte: its rank in three bits, its colour in three, its shape in two. A joker has a rank of its own.

enum { EMPTY = 0, JOKER_RANK = 7, JOKER = JOKER_RANK << 5 };

static inline int rank_of(int card) { return card >> 5; }

static inline int colour_of(int card) { return card >> 2 & 7; }

static uint8_t cards[CARDS];
static uint64_t key_steps[CARDS];  // from the luck of a shuffle to the key of a card

// A cell is 8y + x, a set of cells has its bits. A window is known by its cells in reading order.

enum { SQUARE, LINE_5, LINE_4, WINDOWS = 9 + 10 + 20, PATTERNS = 10, REWARDS = 10 };
enum { SEQUENCE = 1, EQUAL = 2, STRIPES = 1, TWO_AXES = 2, MONOCHROME = 1, DISTINCT = 2, FLAG = 1, LATIN = 2 };
enum { REMOVE_OWN, TAKE_TOP, MOVE_OWN, EXTRA_TURN, SKIP_TURN };
enum { REMOVE_OTHERS = SKIP_TURN + 1, MOVE_OTHERS, TAKE_ANY, SPAWN_JOKER, STEAL };

static const struct {
    uint8_t shape, ranks, colours, points, reward;
} patterns[PATTERNS] = {
    {SQUARE, STRIPES, FLAG, 20, SPAWN_JOKER},       {SQUARE, STRIPES, LATIN, 15, REMOVE_OTHERS},
    {SQUARE, TWO_AXES, FLAG, 16, TAKE_ANY},         {SQUARE, TWO_AXES, LATIN, 13, MOVE_OWN},
    {LINE_5, SEQUENCE, MONOCHROME, 8, SKIP_TURN},   {LINE_5, SEQUENCE, DISTINCT, 6, TAKE_TOP},
    {LINE_5, EQUAL, DISTINCT, 14, STEAL},           {LINE_4, SEQUENCE, MONOCHROME, 7, EXTRA_TURN},
    {LINE_4, SEQUENCE, DISTINCT, 6, REMOVE_OWN},    {LINE_4, EQUAL, DISTINCT, 9, MOVE_OTHERS},
};
static struct window {
    uint64_t bits;
    uint8_t shape, size, cell[9];
} windows[WINDOWS];
static uint64_t board_cells, zone, windows_with[64];  // the windows that a cell is in have bits, too

static inline uint64_t bit(int place) { return 1ull << place; }

static int lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }

// A line of a board has the ranks of its cards, three bits each. What it tells by its ranks alone is which of its cards
// can be the first of four, and of three, in a pattern with a line, or in the first line of a square.

enum { MARK = 3, LINE = MARK * SIDE, FOURS = 3, THREES = 7 << 2 };

static uint8_t told[1 << LINE];

static int is_steady(int line, int first, int length) {
    for (int step = -1; step <= 1; step++) {
        int start = 0, steady = 1;
        for (int i = 0; i < length; i++) {
            int rank = line >> MARK * (first + i) & 7;
            if (rank == EMPTY) return 0;
            if (rank == JOKER_RANK) continue;
            if (!start) start = 16 + rank - step * i;
            steady &= start == 16 + rank - step * i;
        }
        if (steady) return 1;
    }
    return 0;
}

static void add_window(int shape, int x, int y, int columns, int rows) {
    static int number;
    struct window *window = &windows[number];
    window->shape = shape;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            int cell = 8 * (y + j) + x + i;
            window->cell[window->size++] = cell;
            window->bits |= bit(cell);
            windows_with[cell] |= bit(number);
        }
    number++;
}

static void make_tables(void) {
    for (int card = 0; card < CARDS; card++) {
        cards[card] = (card / 15 + 1) << 5 | card / 3 % 5 << 2 | card % 3;
        key_steps[card] = (card + 2) * KEY_STEP;
    }
    for (int y = 0; y < SIDE; y++) board_cells |= 31ull << 8 * y;
    for (int y = 1; y < 4; y++) zone |= 14ull << 8 * y;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) add_window(SQUARE, x, y, 3, 3);
    for (int length = 5; length >= 4; length--) {
        int shape = length == 5 ? LINE_5 : LINE_4;
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x + length <= SIDE; x++) add_window(shape, x, y, length, 1);
        for (int x = 0; x < SIDE; x++)
            for (int y = 0; y + length <= SIDE; y++) add_window(shape, x, y, 1, length);
    }
    for (int line = 0; line < 1 << LINE; line++) {
        for (int first = 0; first < 2; first++) told[line] |= is_steady(line, first, 4) << first;
        for (int first = 0; first < 3; first++) told[line] |= 4 * is_steady(line, first, 3) << first;
    }
}

// A game.

struct seat {
    uint64_t whim, dirty;  // the agent's luck; cells that changed since the board was last searched in vain
    uint32_t free_cells, hand_size, skips;
    uint16_t rows[SIDE], columns[SIDE];
    uint16_t free[CELLS];  // the free cells, in no order
    uint16_t board[8 * SIDE], hand[CARDS];
};

static struct seat new_seat;  // the cards in it are anything

// What a player has made, blank until somebody makes something.
struct feats {
    int vp, resolved[PATTERNS], applied[REWARDS], refused[REWARDS], impossible[REWARDS];
};

struct game {
    struct seat seats[PLAYERS];
    uint32_t players, turns, rejected, deck_size, discard_size, extra, resolved;
    uint16_t deck[CARDS], discard[CARDS + RESOLVED];  // the top is the last one
    struct feats feats[PLAYERS];
};

static inline uint32_t choose(struct game *g, struct seat *me, uint32_t n) {
    if (n == 1) return 0;
    uint64_t product = (mix(me->whim += STEP) >> 32) * n;
    while (favours(product, n)) {
        product = (mix(me->whim += STEP) >> 32) * n;
        g->rejected++;
    }
    return product >> 32;
}

static int choose_bit(struct game *g, struct seat *me, uint64_t bits) {
    int k = choose(g, me, __builtin_popcountll(bits));
    while (k--) bits &= bits - 1;
    return lowest_bit(bits);
}

static inline struct seat *after(struct game *g, struct seat *seat) {
    return seat + 1 == g->seats + g->players ? g->seats : seat + 1;
}

static inline void discard(struct game *g, int card) { g->discard[g->discard_size++] = card; }

// A card comes to lie on a cell, which is number k of the free ones; returns whether it can be in a pattern.
static inline uint32_t lay(struct seat *seat, uint32_t k, uint32_t card) {
    uint32_t cell = seat->free[k], x = cell & 7, y = cell >> 3, mark = rank_of(card);
    seat->free[k] = seat->free[--seat->free_cells];
    seat->board[cell] = card;
    uint32_t row = seat->rows[y] | mark << MARK * x, column = seat->columns[x] | mark << MARK * y;
    seat->rows[y] = row;
    seat->columns[x] = column;
    uint32_t across = told[row], down = told[column];
    return ((across | down) & FOURS) | ((across > FOURS) & (down > FOURS));
}

static void put(struct seat *seat, uint32_t cell, int card) {
    int k = 0;
    while (seat->free[k] != cell) k++;
    lay(seat, k, card);
    seat->dirty |= bit(cell);
}

static int take(struct seat *seat, int cell) {
    int card = seat->board[cell], x = cell & 7, y = cell >> 3, mark = rank_of(card);
    seat->rows[y] ^= mark << MARK * x;
    seat->columns[x] ^= mark << MARK * y;
    seat->free[seat->free_cells++] = cell;
    return card;
}

static uint64_t free_cells(const struct seat *seat) {
    uint64_t cells = 0;
    for (uint32_t k = 0; k < seat->free_cells; k++) cells |= bit(seat->free[k]);
    return cells;
}

// Patterns, which are seldom.

static int line_ranks(const struct seat *seat, const struct window *window) {
    int first = 0, up = 0, down = 0, rising = 1, falling = 1, equal = 1;
    for (int i = 0; i < window->size; i++) {
        int rank = rank_of(seat->board[window->cell[i]]);
        if (rank == JOKER_RANK) continue;
        if (!first) {
            first = rank;
            up = rank - i;
            down = rank + i;
        }
        rising &= rank - i == up;
        falling &= rank + i == down;
        equal &= rank == first;
    }
    int last = window->size - 1;
    rising &= !first || (up >= 1 && up + last <= 6);
    falling &= !first || (down <= 6 && down - last >= 1);
    return (rising | falling ? SEQUENCE : 0) | (equal ? EQUAL : 0);
}

static int line_colours(const struct seat *seat, const struct window *window) {
    int seen = 0, distinct = 1;
    for (int i = 0; i < window->size; i++) {
        int card = seat->board[window->cell[i]], colour = 1 << colour_of(card);
        if (card == JOKER) continue;
        distinct &= !(seen & colour);
        seen |= colour;
    }
    return (seen & (seen - 1) ? 0 : MONOCHROME) | (distinct ? DISTINCT : 0);
}

static int climbs(const struct seat *seat, const struct window *window, int across, int down) {
    int corner = 0, fixed = 0;
    for (int i = 0; i < 9; i++) {
        int rank = rank_of(seat->board[window->cell[i]]), here = rank - across * (i % 3) - down * (i / 3);
        if (rank == JOKER_RANK) continue;
        if (fixed && here != corner) return 0;
        corner = here;
        fixed = 1;
    }
    int low = (across < 0 ? 2 * across : 0) + (down < 0 ? 2 * down : 0);
    int high = (across > 0 ? 2 * across : 0) + (down > 0 ? 2 * down : 0);
    return !fixed || (corner + low >= 1 && corner + high <= 6);
}

static int square_ranks(const struct seat *seat, const struct window *window) {
    int kept = 0;
    for (int across = -1; across <= 1; across++)
        for (int down = -1; down <= 1; down++)
            if ((across || down) && climbs(seat, window, across, down)) kept |= across && down ? TWO_AXES : STRIPES;
    return kept;
}

static int is_flag(const struct seat *seat, const struct window *window, int stripe_step, int cell_step) {
    int seen = 0;
    for (int stripe = 0; stripe < 3; stripe++) {
        int colours = 0;
        for (int i = 0; i < 3; i++) {
            int card = seat->board[window->cell[stripe * stripe_step + i * cell_step]];
            if (card != JOKER) colours |= 1 << colour_of(card);
        }
        if (colours & (colours - 1) || colours & seen) return 0;
        seen |= colours;
    }
    return 1;
}

static int is_latin(const struct seat *seat, const struct window *window) {  // of five colours one is left for a joker
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < i; j++) {
            int card = seat->board[window->cell[i]], other = seat->board[window->cell[j]];
            int clash = card != JOKER && other != JOKER && colour_of(card) == colour_of(other);
            if (clash && (i / 3 == j / 3 || i % 3 == j % 3)) return 0;
        }
    return 1;
}

static int square_colours(const struct seat *seat, const struct window *window) {
    int flag = is_flag(seat, window, 3, 1) || is_flag(seat, window, 1, 3);
    return (flag ? FLAG : 0) | (is_latin(seat, window) ? LATIN : 0);
}

struct match {
    uint8_t window, pattern;
};

// All patterns in full windows with a cell that changed; how many there are.
static int search(const struct seat *seat, struct match *found) {
    uint64_t filled = board_cells & ~free_cells(seat), looked_at = 0;
    for (uint64_t cells = seat->dirty; cells; cells &= cells - 1) looked_at |= windows_with[lowest_bit(cells)];
    int n = 0;
    for (; looked_at; looked_at &= looked_at - 1) {
        int number = lowest_bit(looked_at);
        const struct window *window = &windows[number];
        if (window->bits & ~filled) continue;
        int ranks = window->shape == SQUARE ? square_ranks(seat, window) : line_ranks(seat, window);
        if (!ranks) continue;
        int colours = window->shape == SQUARE ? square_colours(seat, window) : line_colours(seat, window);
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            int kept = patterns[pattern].ranks & ranks && patterns[pattern].colours & colours;
            if (kept && patterns[pattern].shape == window->shape) found[n++] = (struct match){number, pattern};
        }
    }
    return n;
}

// Rewards. What an opponent has in the protected zone cannot be touched, and nothing comes there.

static uint64_t reachable_cards(const struct seat *seat, int reward) {
    uint64_t empty = free_cells(seat);
    return reward == MOVE_OTHERS && !(empty & ~zone) ? 0 : board_cells & ~empty & ~zone;
}

static uint64_t reachable_opponents(const struct game *g, const struct seat *me, int reward) {
    uint64_t seats = 0;
    for (uint32_t player = 0; player < g->players; player++)
        if (&g->seats[player] != me && reachable_cards(&g->seats[player], reward)) seats |= bit(player);
    return seats;
}

static int is_possible(const struct game *g, const struct seat *me, int reward) {
    static const int fills_cell = 1 << TAKE_TOP | 1 << TAKE_ANY | 1 << SPAWN_JOKER | 1 << STEAL | 1 << MOVE_OWN;
    if (fills_cell >> reward & 1 && !me->free_cells) return 0;
    switch (reward) {
        case EXTRA_TURN: return g->deck_size > 0;
        case REMOVE_OWN:
        case MOVE_OWN: return me->free_cells < CELLS;
        case TAKE_TOP:
        case TAKE_ANY: return g->discard_size > 0;
        case REMOVE_OTHERS:
        case MOVE_OTHERS:
        case STEAL: return reachable_opponents(g, me, reward) != 0;
        default: return 1;
    }
}

static int from_discard(struct game *g, int place) {
    int card = g->discard[place];
    memmove(g->discard + place, g->discard + place + 1, (--g->discard_size - place) * sizeof *g->discard);
    return card;
}

// Does a reward; returns where the cards of the pattern lie then.
static uint64_t apply(struct game *g, struct seat *me, int reward, uint64_t pattern_cells) {
    struct seat *other;
    int place, source;
    switch (reward) {
        case REMOVE_OWN:
            source = choose_bit(g, me, board_cells & ~free_cells(me));
            discard(g, take(me, source));
            return pattern_cells & ~bit(source);
        case MOVE_OWN:
            source = choose_bit(g, me, board_cells & ~free_cells(me));
            place = choose_bit(g, me, free_cells(me));
            put(me, place, take(me, source));
            return pattern_cells & bit(source) ? pattern_cells ^ (bit(source) | bit(place)) : pattern_cells;
        case TAKE_TOP:
            place = choose_bit(g, me, free_cells(me));
            put(me, place, from_discard(g, g->discard_size - 1));
            return pattern_cells;
        case TAKE_ANY:
            source = choose(g, me, g->discard_size);
            place = choose_bit(g, me, free_cells(me));
            put(me, place, from_discard(g, source));
            return pattern_cells;
        case SPAWN_JOKER: put(me, choose_bit(g, me, free_cells(me)), JOKER); return pattern_cells;
        case EXTRA_TURN: g->extra = 1; return pattern_cells;
        case SKIP_TURN: after(g, me)->skips = 1; return pattern_cells;
    }
    other = &g->seats[choose_bit(g, me, reachable_opponents(g, me, reward))];
    source = choose_bit(g, me, reachable_cards(other, reward));
    if (reward == REMOVE_OTHERS) {
        discard(g, take(other, source));
    } else if (reward == MOVE_OTHERS) {
        place = choose_bit(g, me, free_cells(other) & ~zone);
        put(other, place, take(other, source));
    } else {
        place = choose_bit(g, me, free_cells(me));
        put(me, place, take(other, source));
    }
    return pattern_cells;
}

// Victory points first, then the reward, then the cards leave the board.
static void resolve(struct game *g, struct seat *me, struct match match) {
    int reward = patterns[match.pattern].reward;
    uint64_t pattern_cells = windows[match.window].bits;
    if (!g->resolved++) memset(g->feats, 0, sizeof g->feats);
    struct feats *feats = &g->feats[me - g->seats];
    feats->vp += patterns[match.pattern].points;
    feats->resolved[match.pattern]++;
    if (!choose(g, me, 2)) {
        feats->refused[reward]++;
    } else if (!is_possible(g, me, reward)) {
        feats->impossible[reward]++;
    } else {
        feats->applied[reward]++;
        pattern_cells = apply(g, me, reward, pattern_cells);
    }
    for (; pattern_cells; pattern_cells &= pattern_cells - 1) discard(g, take(me, lowest_bit(pattern_cells)));
}

static __attribute__((noinline)) void look_closely(struct game *g, struct seat *me, int cell) {
    struct match found[WINDOWS * PATTERNS];
    me->dirty |= bit(cell);
    for (int n; (n = search(me, found));) resolve(g, me, found[choose(g, me, n)]);
    me->dirty = 0;
}

// Turns.

static inline void place(struct game *g, struct seat *me, uint32_t card) {
    uint32_t k = choose(g, me, me->free_cells), cell = me->free[k];
    if (__builtin_expect(lay(me, k, card) | me->dirty, 0)) look_closely(g, me, cell);
}

static inline uint32_t from_hand(struct seat *me) {
    uint32_t card = me->hand[0];
    if (__builtin_expect(--me->hand_size, 0)) memmove(me->hand, me->hand + 1, me->hand_size * sizeof *me->hand);
    return card;
}

// The player picks one of three open cards and passes another one on; returns the one she keeps.
static inline uint32_t draft(struct game *g, struct seat *me, struct seat *next) {
    uint32_t pick = choose(g, me, 3), pass = choose(g, me, 2);
    pass += pass >= pick;
    const uint16_t *open = g->deck + (g->deck_size -= REVEAL);
    next->hand[next->hand_size++] = open[2 - pass];
    discard(g, open[pick + pass - 1]);
    return open[2 - pick];
}

enum { NOT_ENDED, END1, END2, ENDS };

static inline int play_on(struct game *g) {
    for (struct seat *me = g->seats;;) {
        while (me->hand_size) {
            if (!me->free_cells) return END2;
            place(g, me, from_hand(me));
        }
        if (g->deck_size < REVEAL) return END1;
        struct seat *next = after(g, me);
        uint32_t card = draft(g, me, next);
        if (!me->free_cells) return END2;
        place(g, me, card);
        g->turns++;
        if (!g->extra || !g->deck_size) me = next;
        g->extra = 0;
        for (; __builtin_expect(me->skips, 0); me = after(g, me)) {
            me->skips = 0;
            g->turns++;
        }
    }
}

// The deck is shuffled by a random key for each card: counted into buckets by their highest bits, then put in order.

enum { BUCKETS = 128, BUCKET_SHIFT = 57 };

static __attribute__((noinline)) void shuffle(uint64_t luck, uint16_t deck[CARDS]) {
    static const uint64_t every_byte = 0x0101010101010101;
    uint64_t keys[CARDS], sorted[CARDS + 1], eight, before = every_byte;
    uint8_t bucket[BUCKETS] = {0};
    for (int card = 0; card < CARDS; card++) keys[card] = (mix(luck + key_steps[card]) & ~255ull) | cards[card];
    for (int card = 0; card < CARDS; card++) bucket[keys[card] >> BUCKET_SHIFT]++;
    for (int i = 0; i < BUCKETS; i += 8) {  // where each bucket begins, from place 1
        memcpy(&eight, bucket + i, 8);
        uint64_t sums = eight * every_byte, starts = (sums << 8) + before;
        before += (sums >> 56) * every_byte;
        memcpy(bucket + i, &starts, 8);
    }
    for (int i = 0; i < CARDS; i++) sorted[bucket[keys[i] >> BUCKET_SHIFT]++] = keys[i];
    uint64_t high = 0, last = 0;
    sorted[0] = 0;
    for (int i = 1; i <= CARDS; i++) {  // the higher one of two is carried on; seldom has one further to go
        uint64_t word = sorted[i], low = word < high ? word : high;
        high = word < high ? high : word;
        sorted[i - 1] = low;
        if (__builtin_expect(low < last, 0)) {
            int place = i - 1;
            for (; sorted[place - 1] > low; place--) sorted[place] = sorted[place - 1];
            sorted[place] = low;
            low = last;
        }
        last = low;
    }
    sorted[CARDS] = high;
    for (int i = 0; i < CARDS; i++) deck[i] = (uint8_t)sorted[i + 1];
}

// What is counted.

static struct counts {
    int64_t games, decisions, ties, turns[TURNS + 2], resolved[RESOLVED + 2], vp[RESOLVED * POINTS + 2];
    int64_t seat_vp[PLAYERS], seat_vp_squared[PLAYERS], ends[ENDS], seat_wins[PLAYERS], agent_wins[1];
    int64_t patterns[PATTERNS], winner_patterns[PATTERNS], applied[REWARDS], refused[REWARDS], impossible[REWARDS];
    int64_t winner_applied[REWARDS], winner_refused[REWARDS], winner_impossible[REWARDS];
} counts;

static __attribute__((noinline)) void count_patterns(const struct game *g) {
    int best = -1, winner = -1;
    for (uint32_t player = 0; player < g->players; player++) {
        const struct feats *seat = &g->feats[player];
        counts.vp[seat->vp]++;
        counts.seat_vp[player] += seat->vp;
        counts.seat_vp_squared[player] += seat->vp * seat->vp;
        for (int i = 0; i < PATTERNS; i++) {
            counts.patterns[i] += seat->resolved[i];
            counts.applied[i] += seat->applied[i];
            counts.refused[i] += seat->refused[i];
            counts.impossible[i] += seat->impossible[i];
        }
        if (seat->vp >= best) winner = seat->vp > best ? (int)player : -1;
        best = seat->vp > best ? seat->vp : best;
    }
    if (winner < 0) {
        counts.ties++;
        return;
    }
    counts.seat_wins[winner]++;
    counts.agent_wins[0]++;
    for (int i = 0; i < PATTERNS; i++) {
        counts.winner_patterns[i] += g->feats[winner].resolved[i];
        counts.winner_applied[i] += g->feats[winner].applied[i];
        counts.winner_refused[i] += g->feats[winner].refused[i];
        counts.winner_impossible[i] += g->feats[winner].impossible[i];
    }
}

static inline void count(const struct game *g, int end, int decisions) {
    counts.games++;
    counts.decisions += decisions;
    counts.turns[g->turns]++;
    counts.ends[end]++;
    counts.resolved[g->resolved]++;
    if (g->resolved) {
        count_patterns(g);
    } else {
        counts.vp[0] += g->players;
        counts.ties++;
    }
}

static inline void play(uint64_t seed, int64_t game, uint32_t players) {
    struct game g;
    g.players = players;
    g.turns = 1;
    g.rejected = g.discard_size = g.extra = g.resolved = 0;
    g.deck_size = CARDS;
    uint64_t luck = mix(mix(seed) + game * KEY_STEP), whims = mix(mix(seed ^ WHIM) + game * KEY_STEP), drawn = 0;
    for (uint32_t player = 0; player < players; player++) {
        memcpy(&g.seats[player], &new_seat, offsetof(struct seat, board));
        g.seats[player].whim = mix(whims + (player + 1) * STEP);
        drawn -= g.seats[player].whim;
    }
    shuffle(mix(luck + STEP), g.deck);
    int end = play_on(&g);
    // Each decision has taken a word.
    for (uint32_t player = 0; player < players; player++) drawn += g.seats[player].whim;
    count(&g, end, drawn * STEP_BACK - g.rejected);
}

int main(int argc, char **argv) {
    if (argc != 5 || strcmp(argv[2], "random") != 0) return 2;
    int players = atoi(argv[1]);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    int64_t games = strtoll(argv[4], NULL, 10);
    make_tables();
    new_seat.free_cells = CELLS;
    for (int i = 0; i < CELLS; i++) new_seat.free[i] = i / SIDE * 8 + i % SIDE;
    double start = seconds();
    for (int64_t game = 0; game < games; game++)
        if (players == 2)
            play(seed, game, 2);
        else if (players == 3)
            play(seed, game, 3);
        else
            play(seed, game, 4);
    double end = seconds();
    PRINT(games);
    PRINT(decisions);
    PRINT(ties);
    PRINT(turns);
    PRINT(resolved);
    PRINT(vp);
    PRINT(seat_vp);
    PRINT(seat_vp_squared);
    PRINT(ends);
    PRINT(seat_wins);
    PRINT(agent_wins);
    PRINT(patterns);
    PRINT(winner_patterns);
    PRINT(applied);
    PRINT(refused);
    PRINT(impossible);
    PRINT(winner_applied);
    PRINT(winner_refused);
    PRINT(winner_impossible);
    printf("seconds %.9f\n", end - start);
}
