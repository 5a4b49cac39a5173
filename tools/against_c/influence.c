// Games of Influence on the map "middle", written by hand to be fast: the same games as the rules play, with the same
// luck, and counted in the same way. The clauses are those of the rules page.
//
//     influence 2 random SEED GAMES    prints what it counted, and seconds of the processor

#include "playing.h"

enum { PLAYERS = 2, SEATS = 6, ROUND_LIMIT = 100, RESULT_ROUNDS = 10, START_INFLUENCE = 2, WEAK = 8, STRONG = 12 };
enum { LE_MINUS2, MINUS1, ZERO, PLUS1, GE_PLUS2, EMPTY, CLASSES };
enum { ELIMINATION, LIMIT, ENDINGS };
enum { LOOKS = 9, END = LOOKS, NOBODY = -1 };

static const char *const map[] = {
    "Swww.wwwwww",
    "SSwwwwwSwSw",
    "www.wSwww.w",
    "wwwwSwSwwwS",
    "SSw..wwSwww",
    "wwwSww..wSS",
    "SwwwSwSwwww",
    "w.wwwSw.www",
    "wSwSwwwwwSS",
    "wwwwww.wwwS",
};
static const int chance[] = {0, 25, 50, 75, 100};
static const int checkpoints[LOOKS] = {1, 2, 5, 10, 20, 30, 50, 75, 100};

struct stream {
    uint64_t place, word;  // the next word is made long before it is wanted
};

static inline struct stream stream(uint64_t luck, int number) {
    uint64_t place = mix(luck + (number + 1) * STEP) + STEP;
    return (struct stream){place, mix(place)};
}

static inline int foreseen_below(struct stream *stream, uint32_t n) {
    uint64_t product;
    do {
        product = (stream->word >> 32) * n;
        stream->place += STEP;
        stream->word = mix(stream->place);
    } while (favours(product, n));
    return product >> 32;
}

// The field. A cell is a number that grows from row to row and from column to column; every second row begins one
// sooner, so that the way to a neighbour is the same everywhere, and a place of each row is left empty. An option is a
// cell and a direction: the attack from there to there.

enum { ROWS = sizeof map / sizeof *map, COLUMNS = 11, PITCH = COLUMNS + 2, SIDES = 6 };
enum { CELLS = 128, EDGE = 16, OPTIONS = 8 * CELLS };  // beyond the edge there is nothing

static const int way[SIDES] = {1, PITCH, PITCH - 1, -1, -PITCH, 1 - PITCH};  // clockwise from the east

typedef uint16_t row __attribute__((vector_size(16)));

static uint8_t cells[CELLS], number_of_cells;  // without the holes
static uint8_t capacity_of[CELLS], borders[CELLS];
static row directions[1 << SIDES], ranks[1 << SIDES];  // those of a set, one after the other; where each comes there
static uint8_t size[1 << SIDES];

static void make_tables(void) {
    for (int line = 0; line < ROWS; line++)
        for (int column = 0; column < COLUMNS; column++) {
            int cell = PITCH * line - line / 2 + column;
            if (map[line][column] == '.') continue;
            cells[number_of_cells++] = cell;
            capacity_of[cell] = map[line][column] == 'S' ? STRONG : WEAK;
        }
    for (int i = 0; i < number_of_cells; i++)
        for (int side = 0; side < SIDES; side++) {
            int other = cells[i] + way[side];
            if (other >= 0 && other < CELLS && capacity_of[other]) borders[cells[i]] |= 1 << side;
        }
    for (int sides = 0; sides < 1 << SIDES; sides++)
        for (int side = 0; side < SIDES; side++)
            if (sides >> side & 1) {
                ranks[sides][side] = size[sides];
                directions[sides][size[sides]++] = side;
            }
}

// What is counted.

static struct counts {
    int64_t games, decisions, draws, ended_by[ENDINGS], autos, autos_squared, rounds[ROUND_LIMIT + 1], wins[PLAYERS];
    int64_t agent_wins, first_blood[PLAYERS], first_blood_wins[PLAYERS], made[CLASSES], won[CLASSES], looks[LOOKS + 1];
    int64_t cells[LOOKS + 1][SEATS], cells_squared[LOOKS + 1][SEATS];
    int64_t influence[LOOKS + 1][SEATS], influence_squared[LOOKS + 1][SEATS];
} counts;

// A game.

struct player {
    uint64_t own[2];  // the set of her cells
    int cells, capacity, total, history[RESULT_ROUNDS];
    struct stream whim, fight, scatter;
    uint8_t front[EDGE + CELLS + EDGE];  // the directions from each cell in which there is a cell that is not hers
};

struct game {
    struct player player[PLAYERS];
    uint8_t influence[EDGE + CELLS + EDGE];  // 0 if it is nobody's
    int first_blood, autos, decisions;
};

// The attacks of the player to move, a list without order, and where each of them stands in it.
static uint16_t moves[OPTIONS + SIDES], place[OPTIONS];

static inline int list_front(int cell, int front, int n) {
    row options = directions[front] + (uint16_t)(8 * cell), places = ranks[front] + (uint16_t)n;
    memcpy(moves + n, &options, sizeof options);
    memcpy(place + 8 * cell, &places, sizeof places);
    return n + size[front];
}

static inline int take_off(int option, int n) {
    int last = moves[n - 1], there = place[option];
    moves[there] = last;
    place[last] = there;
    return n - 1;
}

static inline void turn_front(struct player *player, int cell) {
    uint8_t *front = player->front + EDGE + cell;
    for (int side = 0; side < SIDES; side++) front[way[side]] ^= 1 << (side + SIDES / 2) % SIDES;
}

static inline void settle(struct player *player, int cell) {
    player->own[cell >> 6] ^= 1ull << (cell & 63);
    player->cells++;
    player->capacity += capacity_of[cell];
    turn_front(player, cell);
}

static inline void lose(struct player *player, int cell) {
    player->own[cell >> 6] ^= 1ull << (cell & 63);
    player->cells--;
    player->capacity -= capacity_of[cell];
    turn_front(player, cell);
}

static inline int weaken(struct game *g, struct player *me, int cell, int left, int n) {
    g->influence[EDGE + cell] = left;
    if (left < 2)
        for (int front = me->front[EDGE + cell]; front; front &= front - 1)
            n = take_off(8 * cell + __builtin_ctz(front), n);
    return n;
}

// The player's cells beside one that she took can attack it no more, but it may attack.
static inline int attack_from(struct game *g, struct player *me, int cell, int n) {
    int front = me->front[EDGE + cell];
    for (int sides = borders[cell] & ~front; sides; sides &= sides - 1) {
        int side = __builtin_ctz(sides), other = cell + way[side];
        if (g->influence[EDGE + other] >= 2) n = take_off(8 * other + (side + SIDES / 2) % SIDES, n);
    }
    return g->influence[EDGE + cell] >= 2 ? list_front(cell, front, n) : n;
}

static inline int attack(struct game *g, struct player *me, struct player *enemy, int option, int n) {
    int cell = option >> 3, target = cell + way[option & 7];
    int mine = g->influence[EDGE + cell], theirs = g->influence[EDGE + target], room = capacity_of[target];
    if (theirs == 0) {
        int arrived = mine - 1 < room ? mine - 1 : room;
        counts.made[EMPTY]++;
        n = weaken(g, me, cell, mine - arrived, n);
        g->influence[EDGE + target] = arrived;
        settle(me, target);
        return attack_from(g, me, target, n);
    }
    int kind = ZERO + mine - theirs;
    kind = kind < LE_MINUS2 ? LE_MINUS2 : kind > GE_PLUS2 ? GE_PLUS2 : kind;
    counts.made[kind]++;
    if (kind == GE_PLUS2 || (kind != LE_MINUS2 && foreseen_below(&me->fight, 100) < chance[kind])) {
        int moved = mine - theirs > 1 ? mine - theirs : 1, arrived = moved < room ? moved : room;
        counts.won[kind]++;
        me->total += 1 + moved - mine;
        enemy->total -= theirs;
        n = weaken(g, me, cell, 1 + moved - arrived, n);
        g->influence[EDGE + target] = arrived;
        lose(enemy, target);
        settle(me, target);
        if (g->first_blood == NOBODY) g->first_blood = me - g->player;
        return attack_from(g, me, target, n);
    }
    int kept = theirs - mine > 1 ? theirs - mine : 1;
    me->total -= mine - 1;
    enemy->total -= theirs - kept;
    g->influence[EDGE + target] = kept;
    return weaken(g, me, cell, 1, n);
}

static inline void attack_phase(struct game *g, struct player *me, struct player *enemy) {
    int n = 0;
    for (int word = 0; word < 2; word++)
        for (uint64_t own = me->own[word]; own; own &= own - 1) {
            int cell = 64 * word + __builtin_ctzll(own);
            n = list_front(cell, g->influence[EDGE + cell] >= 2 ? me->front[EDGE + cell] : 0, n);
        }
    struct stream whim = me->whim;
    int decisions = 0;
    while (n && enemy->cells) {
        int k = foreseen_below(&whim, n + 1);
        decisions++;
        if (k == n) break;
        n = attack(g, me, enemy, moves[k], n);
    }
    me->whim = whim;
    g->decisions += decisions;
}

static inline void place_evenly(struct game *g, struct player *me, uint8_t *with_room, int n, int points) {
    while (points >= n) {
        points -= n;
        for (int i = n - 1; i >= 0; i--) {
            int cell = with_room[i];
            if (++g->influence[EDGE + cell] == capacity_of[cell]) with_room[i] = with_room[--n];
        }
        if (points == 0) return;
    }
    struct stream scatter = me->scatter;
    for (int i = 0; i < points; i++) {
        int pick = i + foreseen_below(&scatter, n - i);
        g->influence[EDGE + with_room[pick]]++;
        with_room[pick] = with_room[i];
    }
    me->scatter = scatter;
}

static inline void defence_phase(struct game *g, struct player *me) {
    uint8_t with_room[CELLS];
    int n = 0, free = me->capacity - me->total, points = free < me->cells ? free : me->cells;
    me->total += points;
    for (int word = 0; word < 2; word++)
        for (uint64_t own = me->own[word]; own; own &= own - 1) {
            int cell = 64 * word + __builtin_ctzll(own);
            with_room[n] = cell;
            n += g->influence[EDGE + cell] < capacity_of[cell];
        }
    struct stream whim = me->whim;
    int left = points, k;
    for (; left; left--) {
        if ((k = foreseen_below(&whim, n + 1)) == n) break;
        int cell = with_room[k];
        if (++g->influence[EDGE + cell] == capacity_of[cell]) with_room[k] = with_room[--n];
    }
    me->whim = whim;
    g->decisions += points - left;
    if (left) {
        g->decisions++;
        g->autos++;
        place_evenly(g, me, with_room, n, left);
    }
}

static inline void look(const struct game *g, int look) {
    counts.looks[look]++;
    for (int seat = 0; seat < PLAYERS; seat++) {
        int64_t cells = g->player[seat].cells, total = g->player[seat].total;
        counts.cells[look][seat] += cells;
        counts.cells_squared[look][seat] += cells * cells;
        counts.influence[look][seat] += total;
        counts.influence_squared[look][seat] += total * total;
    }
}

static inline int result(const struct player *player) {
    int sum = 0;
    for (int i = 0; i < RESULT_ROUNDS; i++) sum += player->history[i];
    return sum;
}

static inline int best(const struct game *g) {
    int first = result(g->player), second = result(g->player + 1);
    return first == second ? NOBODY : second > first;
}

static inline void begin(struct game *g, uint64_t seed, int64_t game) {
    uint64_t luck = mix(mix(seed) + game * KEY_STEP), whims = mix(mix(seed ^ WHIM) + game * KEY_STEP);
    struct stream start = stream(luck, 0);
    memset(g, 0, sizeof *g);
    g->first_blood = NOBODY;
    for (int seat = 0; seat < PLAYERS; seat++) {
        struct player *player = g->player + seat;
        player->fight = stream(luck, 1 + seat);
        player->scatter = stream(luck, 1 + SEATS + seat);
        player->whim = stream(whims, seat);
        memcpy(player->front + EDGE, borders, sizeof borders);
    }
    for (int seat = 0; seat < PLAYERS; seat++) {
        int cell;
        do cell = cells[foreseen_below(&start, number_of_cells)];
        while (g->influence[EDGE + cell]);
        g->influence[EDGE + cell] = START_INFLUENCE;
        g->player[seat].total = START_INFLUENCE;
        settle(g->player + seat, cell);
    }
}

static inline void count(const struct game *g, int rounds, int winner, int ending) {
    counts.games++;
    counts.decisions += g->decisions;
    counts.ended_by[ending]++;
    counts.autos += g->autos;
    counts.autos_squared += (int64_t)g->autos * g->autos;
    counts.rounds[rounds]++;
    if (winner == NOBODY) {
        counts.draws++;
    } else {
        counts.wins[winner]++;
        counts.agent_wins++;
    }
    if (g->first_blood != NOBODY) {
        counts.first_blood[g->first_blood]++;
        counts.first_blood_wins[g->first_blood] += g->first_blood == winner;
    }
    look(g, END);
}

static void play(uint64_t seed, int64_t game) {
    struct game state, *g = &state;
    begin(g, seed, game);
    for (int rounds = 1, next = 0; rounds <= ROUND_LIMIT; rounds++) {
        if (rounds == checkpoints[next]) look(g, next++);
        for (int seat = 0; seat < PLAYERS; seat++) {
            struct player *me = g->player + seat, *enemy = g->player + 1 - seat;
            me->history[rounds % RESULT_ROUNDS] = me->total;
            attack_phase(g, me, enemy);
            if (enemy->cells == 0) {
                count(g, rounds, seat, ELIMINATION);
                return;
            }
            defence_phase(g, me);
        }
    }
    count(g, ROUND_LIMIT, best(g), LIMIT);
}

int main(int argc, char **argv) {
    if (argc != 5 || strcmp(argv[1], "2") || strcmp(argv[2], "random")) return 2;
    uint64_t seed = strtoull(argv[3], NULL, 10);
    int64_t games = strtoll(argv[4], NULL, 10);
    make_tables();
    double start = seconds();
    for (int64_t game = 0; game < games; game++) play(seed, game);
    counts.won[EMPTY] = counts.made[EMPTY];  // always
    double end = seconds();
    PRINT(games);
    PRINT(decisions);
    PRINT(draws);
    PRINT(ended_by);
    PRINT(autos);
    PRINT(autos_squared);
    PRINT(rounds);
    PRINT(wins);
    PRINT(agent_wins);
    PRINT(first_blood);
    PRINT(first_blood_wins);
    PRINT(made);
    PRINT(won);
    PRINT(looks);
    PRINT(cells);
    PRINT(cells_squared);
    PRINT(influence);
    PRINT(influence_squared);
    printf("seconds %.9f\n", end - start);
}
