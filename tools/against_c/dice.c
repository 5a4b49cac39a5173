// Plain matches of Dice, written by hand to be fast: the same matches as the rules play, with the same luck, and
// counted in the same way. The clauses are those of the rules page.
//
//     dice 2 AGENT SEED GAMES    AGENT is random or threshold; prints what it counted, and seconds of the processor

#include "playing.h"

enum { DICE = 6, EVERY_DIE = 63, WAYS = 216, PASS = 64, TARGET = 4000, MAX_TURNS = 1000, ENOUGH = 1000 };
enum { TURNS, POINTS, ROLLS, HOT_DICE, MEASURES };
enum { AGENT, NOBODY, BOTH, SIDES };  // who is measured: the one agent on both seats, and both seats together

// Three dice lie in one of 216 ways. What they show is a roll, six bits for each face, and above it how many show each
// face, three bits each. What such a count tells is a sum over its halves of three faces: from below its kind, the
// faces that score, their points, and how near it is to a straight.

enum { COUNT = 36, HALF = 9, FACES = 6, WORTH = 12, NEAR = 26, STRAIGHT = 1 << 30, THREES = 7 << 3 };

static uint64_t shown[2][WAYS][8];  // by the half of the dice, the way it lies, and the dice that are looked at
static uint32_t told[2][1 << HALF];
static uint64_t face_bits[64];      // the part of a roll that shows some faces
static uint8_t sets_of_kind[64];    // how many sets may be saved, unless there is a straight
static uint8_t subsets[64][64];     // of some dice, in their order
static uint64_t among[64], whole[64];
static uint8_t size[64];

static int face_points(int face, int count) {
    static const int triple[] = {1000, 200, 300, 400, 500, 600}, single[] = {100, 0, 0, 0, 50, 0};
    return count >= 3 ? triple[face] << (count - 3) : single[face] * count;
}

static uint32_t told_of(int face, int count) {
    static const int threes[] = {0, 0, 0, 1, 3, 4, 5};
    if (count > DICE || count == 0) return 0;
    int points = face_points(face, count);
    uint32_t kind = face == 0 || face == 4 ? count : threes[count] << 3;
    uint32_t scores = points ? points << WORTH | 1 << (FACES + face) : 0;
    return ((face == 0 || face == 5 ? 1 : 2) << NEAR) + scores + kind;
}

static void make_tables(void) {
    static const int others[] = {1, 2, 4, 6, 17, 43, 0, 0}, step[] = {36, 6, 1};
    for (int half = 0; half < 2; half++) {
        for (int way = 0; way < WAYS; way++)
            for (int dice = 0; dice < 8; dice++)
                for (int place = 0; place < 3; place++)
                    if (dice >> place & 1) {
                        int face = way / step[place] % 6;
                        shown[half][way][dice] += 1ull << (6 * face + 3 * half + place);
                        shown[half][way][dice] += 1ull << (COUNT + 3 * face);
                    }
        for (int count = 0; count < 1 << HALF; count++) {
            told[half][count] = half ? 0 : 7u << NEAR;
            for (int place = 0; place < 3; place++)
                told[half][count] += told_of(3 * half + place, count >> 3 * place & 7);
        }
    }
    for (int dice = 0; dice < 64; dice++) {
        size[dice] = __builtin_popcount(dice);
        sets_of_kind[dice] = (others[dice >> 3] << (dice & 7)) - 1;
        for (int face = 0; face < 6; face++)
            if (dice >> face & 1) face_bits[dice] |= (uint64_t)EVERY_DIE << 6 * face;
        for (int some = 1, n = 0; some < 64; some++) {
            int both = __builtin_popcount(some & dice);
            if (!(some & ~dice)) {
                subsets[dice][n++] = some;
                among[dice] |= 1ull << (some - 1);
            }
            if (both != 1 && both != 2) whole[dice] |= 1ull << (some - 1);
        }
    }
}

static inline uint64_t shown_by(int first, int last, int dice) {
    return shown[0][first][dice & 7] + shown[1][last][dice >> 3];
}

static inline uint32_t told_by(uint64_t show) {
    return told[0][show >> COUNT & 511] + told[1][show >> (COUNT + HALF)];
}

static inline uint64_t roll_in(uint64_t show) { return show & ((1ull << COUNT) - 1); }

static inline int points_in(uint32_t tells) { return tells >> WORTH & ((1 << (NEAR - WORTH)) - 1); }

static inline int showing(uint64_t roll, int face) { return roll >> 6 * (face - 1) & EVERY_DIE; }

static inline int scoring(uint32_t tells, uint64_t roll) {  // the dice that score, straights apart
    uint64_t dice = roll & face_bits[tells >> FACES & 63];
    dice |= dice >> 18;
    return (dice | dice >> 6 | dice >> 12) & EVERY_DIE;
}

// Straights, which are seldom.

static uint64_t one_of_each(uint64_t roll, int dice) {
    if (size[dice] == 5) return 1ull << (dice - 1);
    uint64_t sets = 0;
    for (int face = 1; face <= 6; face++) {
        int twins = showing(roll, face) & dice, one = twins & -twins;
        if (size[twins] == 2) sets |= 1ull << ((dice & ~one) - 1) | 1ull << ((dice & ~(twins ^ one)) - 1);
    }
    return sets;
}

static __attribute__((noinline)) uint64_t straights_in(uint64_t roll, int table) {
    int ones = showing(roll, 1), sixes = showing(roll, 6);
    uint64_t sets = ones && sixes ? 1ull << (EVERY_DIE - 1) : 0;
    if (ones) sets |= one_of_each(roll, table & ~sixes);
    if (sixes) sets |= one_of_each(roll, table & ~ones);
    return sets;
}

static inline int straight_points(uint64_t roll, int dice) {
    return dice == EVERY_DIE ? 1500 : showing(roll, 1) & dice ? 500 : 750;
}

static inline uint64_t all_sets(uint32_t tells, uint64_t roll, int table) {
    uint64_t sets = among[table] & whole[showing(roll, 2)] & whole[showing(roll, 3)] & whole[showing(roll, 4)] &
                    whole[showing(roll, 6)];
    return tells & STRAIGHT ? sets | straights_in(roll, table) : sets;
}

// A match.

struct match {
    int player, winner, turns, rolls, points, table, hot;
    int first, last;
    uint32_t tells;
    uint64_t roll, kept;
    int total[2], seat_turns[2], seat_rolls[2], seat_hot[2], throws[DICE + 1], busts[DICE + 1];
    // The luck of this turn and its next word; the same of each player's next turn: made long before they are wanted.
    uint64_t luck, word, turn_luck[2], next_luck[2], next_word[2], whim[2];
};

static inline void draw_luck(struct match *m, int player) {
    m->next_luck[player] = mix(m->turn_luck[player] + STEP) + STEP;
    m->next_word[player] = mix(m->next_luck[player]);
    m->turn_luck[player] += 2 * STEP;  // every second word is for loaded dice
}

static inline void begin_turn(struct match *m, int player) {
    m->player = player;
    m->turns++;
    m->seat_turns[player]++;
    m->points = m->rolls = m->hot = 0;
    m->table = EVERY_DIE;
    m->kept = 0;
    m->luck = m->next_luck[player];
    m->word = m->next_word[player];
    draw_luck(m, player);
}

static inline void end_turn(struct match *m) {
    if (m->turns >= MAX_TURNS)
        m->player = -1;
    else
        begin_turn(m, 1 - m->player);
}

static inline void fall(struct match *m) {
    const uint32_t unfair = (1ull << 32) % WAYS;
    uint64_t first, last;
    do {
        first = (uint32_t)m->word * (uint64_t)WAYS;
        last = (m->word >> 32) * WAYS;
        m->luck += STEP;
        m->word = mix(m->luck);
    } while (((uint32_t)first < unfair) | ((uint32_t)last < unfair));
    m->first = first >> 32;
    m->last = last >> 32;
}

static inline void roll(struct match *m) {
    while (m->player >= 0) {
        fall(m);
        uint64_t show = shown_by(m->first, m->last, m->table);
        m->roll = roll_in(show);
        m->tells = told_by(show);
        m->rolls++;
        m->throws[size[m->table]]++;
        m->seat_rolls[m->player]++;
        if (m->tells >> FACES & 63) return;
        m->busts[size[m->table]]++;
        m->points = 0;
        end_turn(m);
    }
}

static inline void act(struct match *m, int action) {
    int dice = action & EVERY_DIE, player = m->player;
    uint64_t show = shown_by(m->first, m->last, dice);
    uint32_t tells = told_by(show);
    m->points += tells & STRAIGHT ? straight_points(roll_in(show), dice) : points_in(tells);
    m->table &= ~dice;
    m->kept |= roll_in(show);
    m->roll ^= roll_in(show);
    if (action >= PASS) {
        m->total[player] += m->points;
        if (m->total[player] >= TARGET) {
            m->winner = player;
            m->player = -1;
            return;
        }
        end_turn(m);
    } else {
        m->hot = 0;
        if (m->table == 0) {
            m->table = EVERY_DIE;
            m->kept = 0;
            m->hot = 1;
            m->seat_hot[player]++;
        }
    }
    roll(m);
}

// Who plays.

static inline int threshold(struct match *m) {
    int dice, points;
    if (m->tells & STRAIGHT) {
        uint64_t straights = straights_in(m->roll, m->table);
        dice = straights >> (EVERY_DIE - 1) & 1 ? EVERY_DIE : __builtin_ctzll(straights) + 1;
        points = straight_points(m->roll, dice);
    } else {
        dice = scoring(m->tells, m->roll);
        points = points_in(m->tells);
    }
    int after = m->points + points, left = m->table & ~dice, rest = left & (left - 1);
    int few = (left != 0) & ((rest & (rest - 1)) == 0);
    int passes = (m->total[m->player] + after >= TARGET) | (after >= ENOUGH) | few;  // nothing to be guessed
    return passes * PASS + dice;
}

static inline int at_random(struct match *m) {
    int straight = m->tells & STRAIGHT;
    int sets = straight ? __builtin_popcountll(all_sets(m->tells, m->roll, m->table)) : sets_of_kind[m->tells & 63];
    int k = below(&m->whim[m->player], 2 * sets), passes = k >= sets, action = passes * PASS;
    k -= passes ? sets : 0;
    if (!(m->tells & (STRAIGHT | THREES))) return action + subsets[scoring(m->tells, m->roll)][k];
    uint64_t left = all_sets(m->tells, m->roll, m->table);
    while (k--) left &= left - 1;
    return action + __builtin_ctzll(left) + 1;
}

// What is counted.

static struct counts {
    int64_t games, decisions, draws, wins[2], turns[MAX_TURNS + 2], winner_turns[MAX_TURNS + 2], sums[2][MEASURES];
    int64_t squares[SIDES][MEASURES][2], with_turns[SIDES][MEASURES][2], throws[DICE], busts[DICE];
} counts;

static inline void add(int64_t sum[2], int64_t value) {
    sum[0] += value >> 32;
    sum[1] += value & 0xFFFFFFFF;
}

static inline void measure(int side, const int64_t measured[MEASURES]) {
    for (int i = 0; i < MEASURES; i++) {
        add(counts.squares[side][i], measured[i] * measured[i]);
        if (i != TURNS) add(counts.with_turns[side][i], measured[i] * measured[TURNS]);
    }
}

static inline void count(const struct match *m, int decisions) {
    int64_t both[MEASURES] = {0};
    counts.games++;
    counts.decisions += decisions;
    counts.turns[m->turns]++;
    if (m->winner < 0) {
        counts.draws++;
    } else {
        counts.wins[m->winner]++;
        counts.winner_turns[m->seat_turns[m->winner]]++;
    }
    for (int player = 0; player < 2; player++) {
        int64_t own[] = {m->seat_turns[player], m->total[player], m->seat_rolls[player], m->seat_hot[player]};
        for (int i = 0; i < MEASURES; i++) {
            counts.sums[AGENT][i] += own[i];
            both[i] += own[i];
        }
        measure(AGENT, own);
    }
    measure(BOTH, both);
    for (int i = 0; i < DICE; i++) {
        counts.throws[i] += m->throws[i + 1];
        counts.busts[i] += m->busts[i + 1];
    }
}

static inline void play(uint64_t seed, int64_t game, int random) {
    struct match m;
    memset(&m, 0, sizeof m);
    uint64_t luck = mix(mix(seed) + game * KEY_STEP), whims = mix(mix(seed ^ WHIM) + game * KEY_STEP);
    for (int player = 0; player < 2; player++) {
        m.turn_luck[player] = mix(luck + (player + 1) * STEP);
        m.whim[player] = mix(whims + (player + 1) * STEP);
        draw_luck(&m, player);
    }
    m.winner = -1;
    begin_turn(&m, 0);
    roll(&m);
    int decisions = 0;
    for (; m.player >= 0; decisions++) act(&m, random ? at_random(&m) : threshold(&m));
    count(&m, decisions);
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int random = strcmp(argv[2], "random") == 0;
    uint64_t seed = strtoull(argv[3], NULL, 10);
    int64_t games = strtoll(argv[4], NULL, 10);
    make_tables();
    double start = seconds();
    if (random)
        for (int64_t game = 0; game < games; game++) play(seed, game, 1);
    else
        for (int64_t game = 0; game < games; game++) play(seed, game, 0);
    double end = seconds();
    PRINT(games);
    PRINT(decisions);
    PRINT(draws);
    PRINT(wins);
    PRINT(turns);
    PRINT(winner_turns);
    PRINT(sums);
    PRINT(squares);
    PRINT(with_turns);
    PRINT(throws);
    PRINT(busts);
    printf("seconds %.9f\n", end - start);
}
