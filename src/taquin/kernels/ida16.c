/* IDA* on grids of up to 16 cells: nodes of eight 64-bit words, one cache line.

       board      the board, 4 bits a cell
       indices    four words, one for each of up to four partitions: the indices of its patterns; a
                  move flips bits of them, or adds to them where tables are indexed by rank
       values     current table values, 4 bits a pattern, three patterns a partition; up to seven
                  where there are no more than two partitions
       facts      0-3    cell of the blank
                  4-12   depth
                  13     whether the node is ahead of the bound
                  16-31  state of the automaton
                  36-63  slack under each partition, 7 bits, the highest of which is the sign
       logged     32-63  the parent's place in the log, counted from 1

       8 7 6      This board under the bound 28, with the partition 1 2 3 4 | 5 6 7 8 and itself again:
       5 4 3
       2 1 .      board    0x12345678            the 8 in cell 0 lowest
                  indices  0x86758565, twice     that of 1 2 3 4 lowest
                  values   0x12012               2 and 1, twice: Manhattan distance 20 and 2 * 3 are 26
                  facts    0x810081000000008     blank in cell 8, depth 0, state 0; slack 1,
                                                 (28 - 26) / 2, and 4 where there is no partition
                  logged   0x0                   no parent

   A table holds half of what a pattern needs beyond its Manhattan distance. A child's facts are its
   parent's with the new state, plus the step of the move (blank, depth, and one less slack under all
   partitions if the tile moves away from its goal cell), less the rise of the table value under each
   partition. A child is pruned as soon as a sign bit is set. (Negative slack borrows only from the
   next higher field, which is read later.)

   The first round of lookups reads two partitions, the second round, if any, the other two. Without
   partitions, every lookup reads a constant 0. */
#include "ida.h"

enum { VIEWS = 4 };
typedef struct {
    word board, indices[VIEWS], values, facts, logged;
} node;
typedef node parent;
typedef struct {
    word halves[2], values, facts, indices[VIEWS], move;
    uint8_t parent, direction, blank;
} child;

enum { DEPTH = 4, AHEAD_BIT = 13, EXTRA_BIT = 14, STATE = 16, SLACK = 36, SLACK_BITS = 7, LOG = 32 };
#define LANE(view) (1ull << (SLACK + SLACK_BITS * (view)))
#define EACH_SLACK (LANE(0) | LANE(1) | LANE(2) | LANE(3))
#define FIRST_SIGNS ((LANE(0) | LANE(1)) << (SLACK_BITS - 1))
#define ALL_SIGNS (EACH_SLACK << (SLACK_BITS - 1))
/* An extra unit of slack, and the flag of a node ahead of the bound. */
#define FLAGGED_EXTRA (EACH_SLACK | 1ull << AHEAD_BIT)

INLINED word blank_of(const node *n) { return n->facts & 15; }
INLINED word depth_of(const node *n) { return n->facts >> DEPTH & 511; }
INLINED word state_of(const node *n) { return n->facts >> STATE & 0xffff; }
INLINED word is_ahead(const node *n) { return n->facts >> AHEAD_BIT & 1; }
INLINED word logged_of(const node *n) { return n->logged >> LOG; }
INLINED void set_logged(node *n, word entry) { n->logged = entry << LOG | (uint32_t)n->logged; }

struct lookup {
    ARRAY(uint64_t, rows); /* a `struct row` for each tile and partition */
    NUMBER(width);         /* words of a row */
    NUMBER(tile_bits);     /* binary logarithm of the words of a tile's rows */
    NUMBER(has_more);      /* whether more than two partitions count */
};
struct ranks {
    ARRAY(uint64_t, words); /* empty where all tables are indexed by bits */
    NUMBER(most);           /* the most cells that a move passes */
};
struct tree {
    NUMBER(goal); /* the board */
    struct moves moves;
    ARRAY(uint64_t, steps); /* by direction, tile and its cell: what a move adds to facts */
    struct lookup lookup;
    struct ranks ranks;
};
/* A row of the lookup: how a table is read, then by kind of move the change of the indices; kinds are
   numbered from FIRST_KIND, the number of words before. */
enum { FIRST_KIND = 4 };
struct row {
    word shift, mask, address, value_shift, kinds[];
};
/* Of ranks.words: where the changes begin, the binary logarithm of those of a partition, the words of
   a move in a block, and the one that selects half of the changes. */
enum { CHANGES = 64, VIEW_CHANGES = 9, FALLS = 7 };

INLINED word tile_of(word move) { return move >> 28 & 15; }

INLINED const struct row *row_of(const struct lookup *lookup, word move, int view) {
    word place = (tile_of(move) << lookup->tile_bits) + (word)(view * lookup->width);
    return (const struct row *)&AT(lookup->rows, place);
}

INLINED word change_by_rank(const struct ranks *ranks, word board, word move, int view) {
    const word *words = ranks->words;
    word tile = tile_of(move), block = AT(ranks->words, tile << 2 | view) + (move >> 32), sum = 0;
    word group = AT(ranks->words, block + FALLS) + (view << VIEW_CHANGES) + (tile << 4) + CHANGES;
    /* On most grids no move passes more than three cells. */
    for (int n = 0; n < 3; n++) sum += words[group + (board >> words[block + n] & 15)];
    for (int n = 3; n < ranks->most; n++) sum += words[group + (board >> words[block + n] & 15)];
    return sum;
}

/* Compute a child's indices in two partitions, and prefetch their values. */
INLINED void fetch(const struct tree *t, child *c, const parent *from, int view, int has_ranks) {
    for (int i = 0; i < 2; i++) {
        const struct row *row = row_of(&t->lookup, c->move, view + i);
        word indices = from->indices[view + i], change = row->kinds[(c->move & 255) - FIRST_KIND];
        if (has_ranks)
            indices += change + change_by_rank(&t->ranks, from->board, c->move, view + i);
        else
            indices ^= change;
        c->indices[view + i] = indices;
        c->halves[i] = (indices >> row->shift & row->mask) + row->address;
        prefetch((const void *)(uintptr_t)(c->halves[i] >> 1));
    }
}

/* Return what the new values of two partitions take from slack, and write the values. */
INLINED word rises(const struct tree *t, const child *c, word *values, int view) {
    word taken = 0, before = *values;
    for (int i = 0; i < 2; i++) {
        word shift = row_of(&t->lookup, c->move, view + i)->value_shift;
        word rise = half_byte(c->halves[i]) - (before >> shift & 15);
        *values += rise << shift;
        taken += rise << (SLACK + SLACK_BITS * (view + i));
    }
    return taken;
}

/* --- the steps of the loop --------------------------------------------------------------------- */

INLINED bool is_goal(const struct tree *t, const node *n) { return n->board == (word)t->goal; }

INLINED void pop(const struct tree *t, const node *n, parent *to, word gets_extra, int has_ranks) {
    *to = *n;
    to->facts += gets_extra * (FLAGGED_EXTRA | 1ull << EXTRA_BIT);
}

INLINED void begin(const struct tree *t, child *c, const parent *from, int has_ranks) {
    word move = AT(t->moves.by_place, c->blank << 2 | c->direction);
    c->move = move | (from->board >> (move >> 8 & 63) & 15) << 28;
    fetch(t, c, from, 0, has_ranks);
}

INLINED bool judge(const struct tree *t, child *c, const parent *from, int has_ranks) {
    word facts = from->facts, state = facts >> STATE & 0xffff;
    c->values = from->values;
    word taken = rises(t, c, &c->values, 0);
    facts += (AT(t->moves.follow, state << 2 | c->direction) - state) << STATE;
    facts += AT(t->steps, (c->direction << 4 | tile_of(c->move)) << 4 | (c->move >> 10 & 15));
    c->facts = facts - taken;
    return !(c->facts & FIRST_SIGNS);
}

INLINED int rounds_of(const struct tree *t, int has_ranks) { return 1 + (int)t->lookup.has_more; }

INLINED void fetch_more(
    const struct tree *t, child *c, const parent *from, int round, int has_ranks
) {
    fetch(t, c, from, 2, has_ranks);
}

INLINED bool judge_more(const struct tree *t, child *c, int round) {
    c->facts -= rises(t, c, &c->values, 2);
    return !(c->facts & ALL_SIGNS);
}

INLINED void push(
    const struct tree *t, const child *c, const parent *from, node *to, int has_ranks
) {
    word tile = tile_of(c->move), facts = c->facts;
    word returns_extra = facts >> EXTRA_BIT & !((facts - EACH_SLACK) & ALL_SIGNS);
    to->board = from->board ^ tile << (c->move >> 8 & 63) ^ tile << (blank_of(from) << 2);
    memcpy(to->indices, c->indices, sizeof c->indices);
    to->values = c->values;
    to->facts = (facts & ~(1ull << EXTRA_BIT)) - returns_extra * FLAGGED_EXTRA;
    to->logged = from->logged;
}

INLINED bool is_variant(const struct tree *t) { return t->ranks.words_length; }

#include "ida_loop.h"

KERNEL(ida16, work) {
    work(&arguments->team, &arguments->tree, arguments->me, arguments->budget);
    return 0;
}

/* --- many boards of one goal in turn, on one thread -------------------------------------------- */

enum { INTERVAL = 1 << 16 }; /* nodes between two looks at a board's counts */
enum { SOLVED = 1, OUT_OF_NODES = 2, TOO_DEEP = 3 };

struct notes {
    int64_t next;     /* the current board */
    int64_t is_begun; /* whether its bound has begun */
    int64_t near;     /* the remaining depth at which look-ahead starts */
};
struct answer {
    int64_t ending, estimate, bounds, generated, ahead, nodes[];
};
struct boards {
    MATRIX(uint64_t, roots);    /* for each board, its node for the first bound */
    ARRAY(uint64_t, widening);  /* added to a node when the bound rises by two */
    MATRIX(int64_t, answers);   /* for each board, a `struct answer` */
    MATRIX(uint8_t, cells);     /* for each board, the blank's cells along the solution */
    ARRAY(int64_t, notes);
    NUMBER(nodes); /* the limits of each board */
    NUMBER(depth);
};
struct batch {
    struct team team;
    NUMBER(budget);
    struct boards boards;
    struct tree tree;
};

static int64_t first_near(int64_t bound) { return smaller(26, bound / 2); }

/* Adjust the look-ahead depth from the last iteration's counts, as `next_near` in team.py does. */
static int64_t next_near(int64_t near, int64_t nodes, int64_t ahead) {
    double wanted = 1 + (double)nodes * 0.06, found = 1.0 + (double)ahead;
    int rise = 0;
    for (; rise < 3 && wanted > found * 1.2; rise++) found *= 1.4;
    for (; rise > -3 && found > wanted * 1.2; rise--) found /= 1.4;
    return larger(1, near + rise);
}

/* Record the ending of a board's search, and advance to the next board. */
static void end(struct notes *notes, struct answer *answer, int64_t ending) {
    answer->ending = ending;
    notes->next++;
    notes->is_begun = 0;
}

/* Write the blank's cells from the board to the goal. */
static void solve(struct batch *b, struct notes *notes, struct answer *answer, int64_t first) {
    const struct control *control = (struct control *)b->team.controls;
    uint8_t *cells = ROW(b->boards.cells, notes->next);
    for (int64_t step = 0; step <= control->goal_depth; step++)
        cells[step] = (uint8_t)b->team.paths[first + step];
    end(notes, answer, SOLVED);
}

/* Begin a bound, unless look-ahead has already found its solution. */
static void begin_bound(struct batch *b, struct notes *notes, struct answer *answer) {
    int64_t *shared = b->team.shared;
    struct control *control = (struct control *)b->team.controls;
    if (!answer->bounds) {
        memset(shared, 0, (size_t)b->team.shared_length * sizeof *shared);
        control->found = control->found_ahead = 0;
        control->path = DEEPEST;
        notes->near = first_near(answer->estimate);
    }
    int64_t bound = answer->estimate + 2 * answer->bounds;
    int64_t left = b->boards.nodes - answer->generated;
    if (bound > b->boards.depth) return end(notes, answer, TOO_DEEP);
    if (left <= 0) return end(notes, answer, OUT_OF_NODES);
    word times = (word)answer->bounds++;
    REQUIRE(answer->bounds <= b->boards.answers_columns - 5);
    if (control->found_ahead) return solve(b, notes, answer, control->found_ahead - 1);
    if (left < ONE_STEP) return end(notes, answer, OUT_OF_NODES);
    const word *root = ROW(b->boards.roots, notes->next);
    for (int64_t i = 0; i < b->boards.widening_length; i++)
        b->team.stacks[i] = root[i] + times * b->boards.widening[i];
    shared[NODES] = shared[AHEAD] = 0;
    shared[MOST] = shared[LEFT] = left;
    shared[LEAST] = larger(0, bound - notes->near);
    control->taken = 0;
    control->top = control->holds = shared[ACTIVE] = 1;
    notes->is_begun = 1;
}

/* Search for about `budget` nodes; return the nodes generated. */
KERNEL(ida16_batch, batch) {
    struct batch *b = arguments;
    struct notes *notes = (struct notes *)b->boards.notes;
    const int64_t *shared = b->team.shared;
    int64_t made = 0;
    while (made < b->budget && notes->next < b->boards.answers_rows) {
        struct answer *answer = (struct answer *)ROW(b->boards.answers, notes->next);
        if (!notes->is_begun) {
            begin_bound(b, notes, answer);
            continue;
        }
        int64_t before = shared[NODES];
        work(&b->team, &b->tree, 0, INTERVAL);
        int64_t nodes = shared[NODES] - before, found = ((struct control *)b->team.controls)->found;
        made += nodes;
        answer->generated += nodes;
        answer->nodes[answer->bounds - 1] += nodes;
        if (found) {
            solve(b, notes, answer, found - 1);
        } else if (shared[STOP]) {
            end(notes, answer, OUT_OF_NODES);
        } else if (!shared[ACTIVE]) {
            answer->nodes[answer->bounds - 1] -= shared[AHEAD];
            answer->ahead += shared[AHEAD];
            notes->near = next_near(notes->near, shared[NODES] - shared[AHEAD], shared[AHEAD]);
            notes->is_begun = 0;
        }
    }
    return made;
}
