/* IDA* on grids of up to 25 cells: nodes of thirteen 64-bit words.

       board      two words: the board, 5 bits a cell, 12 cells a word
       facts      0-4    cell 24
                  5-9    cell of the blank
                  10-18  depth
                  19-28  Manhattan distance
                  29-44  state of the automaton
                  45-63  the parent's place in the log, counted from 1
       values     current table values, 4 bits a slot
       slacks     slack under each of up to six partitions, plus 2^9, in 10 bits each: bit 9 is set
                  while slack is not negative, and no lane ever borrows from the next; and in bit 60
                  whether the node is ahead of the bound
       indices    eight words: table indices, 32 bits a slot, two in a word

       8 7 6      This board under the bound 28, with the partition 1 2 3 4 | 5 6 7 8:
       5 4 3
       2 1 .      board    0x8864298e8, 0x0      the 8 in cell 0 lowest, 5 bits a cell
                  facts    0xa00100              blank in cell 8, depth 0, Manhattan distance 20
                  values   0x12                  2 and 1, so the heuristic is 20 + 2 * 3 = 26
                  slacks   0x201                 slack 1, (28 - 26) / 2, and bit 9
                  indices  0x876500008743        that of 1 2 3 4 in the lower half; seven times 0x0

   A tile has up to six slots (three partitions and their mirror images). Each round of lookups reads
   two of them, for the children that have slack left after the round before. In the usual case, a
   partition and its mirror image, each tile has two slots and a node is narrow: its last four words
   of indices are not used. */
#include "ida.h"

enum { HALF_INDICES = 4, INDICES = 8, SLOTS = 6 };
typedef struct {
    word board[2], facts, values, slacks, indices[INDICES];
} node;
/* A parent without what its children change: no state and no blank, the tile one nearer to home. */
typedef struct {
    word board[2], facts, values, slacks, indices[INDICES];
    word state; /* four times the state; its upper half is an index that is always 0 */
} parent;
struct slot {
    word index;   /* the place of its index among the half words of a node */
    word address; /* the half of the value after the move for index 0 */
    word scale;   /* 1 in the lanes of the slacks that count it */
    word shift;   /* first bit of the value */
};
/* A row of the lookup, for one move of a tile. */
struct row {
    word away;     /* the cells, as bits, from which it leads away from home */
    word marks[3]; /* the marks of the partitions that are judged after each round */
    struct slot slots[SLOTS];
    word changes[INDICES]; /* what changes in the words of indices */
};
enum { ROW_WIDTH = sizeof(struct row) / sizeof(word) };
typedef struct {
    const struct row *row;
    word halves[2], values, slacks, move, strays;
    uint8_t parent, direction, blank;
} child;

enum { BLANK = 5, DEPTH = 10, DISTANCE = 19, STATE = 29, LOG = 45 };
enum { AHEAD_BIT = 60, EXTRA_BIT = 61, SLACK_MARK = 1 << 9 };
/* First bits of the fields of a move after the tile's cell: the word and the bit of that cell on the
   board, those of the blank's cell, and the tile. */
enum { FROM_WORD = 8, FROM_SHIFT = 16, TO_WORD = 24, TO_SHIFT = 32, MOVE_TILE = 40 };

INLINED word blank_of(const node *n) { return n->facts >> BLANK & 31; }
INLINED word depth_of(const node *n) { return n->facts >> DEPTH & 511; }
INLINED word state_of(const node *n) { return n->facts >> STATE & 0xffff; }
INLINED word is_ahead(const node *n) { return n->slacks >> AHEAD_BIT & 1; }
INLINED word logged_of(const node *n) { return n->facts >> LOG; }
INLINED void set_logged(node *n, word entry) {
    n->facts = entry << LOG | (n->facts & ((1ull << LOG) - 1));
}

struct tree {
    struct moves moves;
    ARRAY(uint64_t, lookup); /* a `struct row` for each tile and direction */
    NUMBER(rounds);          /* pairs of slots that are read */
    NUMBER(each_slack);      /* 1 in the lane of each partition */
    NUMBER(is_narrow);       /* two slots for each tile, and four words of indices */
};

/* Prefetch the values of two slots of a child. */
INLINED void fetch(child *c, const parent *from, int first) {
    for (int i = 0; i < 2; i++) {
        const struct slot *slot = c->row->slots + first + i;
        word index;
        memcpy(&index, (const char *)from + (slot->index >> 1) * sizeof(word), sizeof index);
        c->halves[i] = (index >> ((slot->index & 1) << 5) & UINT32_MAX) + slot->address;
        prefetch((const void *)(uintptr_t)(c->halves[i] >> 1));
    }
}

/* Return what the new values of two slots take from the slacks, and write the values. */
INLINED word rises(const child *c, word *values, int first) {
    word taken = 0, before = *values;
    for (int i = 0; i < 2; i++) {
        const struct slot *slot = c->row->slots + first + i;
        word rise = half_byte(c->halves[i]) - (before >> slot->shift & 15);
        *values += rise << slot->shift;
        taken += rise * slot->scale;
    }
    return taken;
}

INLINED bool has_slack(word slacks, word marks) { return (slacks & marks) == marks; }

/* --- the steps of the loop --------------------------------------------------------------------- */

INLINED bool is_goal(const struct tree *t, const node *n) { return !(n->facts >> DISTANCE & 1023); }

INLINED void pop(const struct tree *t, const node *n, parent *to, word gets_extra, int is_narrow) {
    memcpy(to, n, sizeof *n - (is_narrow ? HALF_INDICES * sizeof(word) : 0));
    word blank = blank_of(n), state = state_of(n);
    prefetch(t->moves.follow + (state << 2));
    to->facts = (n->facts ^ state << STATE ^ blank << BLANK) + (1ull << DEPTH) - (1ull << DISTANCE);
    to->state = state << 2;
    to->slacks += gets_extra * ((word)t->each_slack | 1ull << AHEAD_BIT | 1ull << EXTRA_BIT);
}

INLINED void begin(const struct tree *t, child *c, const parent *from, int is_narrow) {
    word move = AT(t->moves.by_place, c->blank << 2 | c->direction);
    word board = ((const word *)from)[move >> FROM_WORD & 255];
    word tile = board >> (move >> FROM_SHIFT & 63) & 31;
    c->row = (const struct row *)&AT(t->lookup, (tile << 2 | c->direction) * ROW_WIDTH);
    c->move = move | tile << MOVE_TILE;
    fetch(c, from, 0);
}

INLINED bool judge(const struct tree *t, child *c, const parent *from, int is_narrow) {
    c->strays = c->row->away >> (c->move & 31) & 1;
    c->values = from->values;
    c->slacks = from->slacks - c->strays * (word)t->each_slack - rises(c, &c->values, 0);
    return has_slack(c->slacks, c->row->marks[0]);
}

INLINED int rounds_of(const struct tree *t, int is_narrow) { return is_narrow ? 1 : (int)t->rounds; }

INLINED void fetch_more(
    const struct tree *t, child *c, const parent *from, int round, int is_narrow
) {
    fetch(c, from, 2 * round);
}

INLINED bool judge_more(const struct tree *t, child *c, int round) {
    c->slacks -= rises(c, &c->values, 2 * round);
    return has_slack(c->slacks, c->row->marks[round]);
}

INLINED void push(
    const struct tree *t, const child *c, const parent *from, node *to, int is_narrow
) {
    word each_slack = (word)t->each_slack, tile = c->move >> MOVE_TILE;
    word state = AT(t->moves.follow, from->state | c->direction);
    word returns_extra = c->slacks >> EXTRA_BIT & has_slack(c->slacks - each_slack, each_slack * SLACK_MARK);
    to->board[0] = from->board[0];
    to->board[1] = from->board[1];
    to->facts = from->facts + (c->strays << (DISTANCE + 1)) + (state << STATE);
    to->facts += (c->move & 31) << BLANK;
    to->values = c->values;
    to->slacks = (c->slacks & ~(1ull << EXTRA_BIT)) - returns_extra * (each_slack | 1ull << AHEAD_BIT);
    for (int i = 0; i < (is_narrow ? HALF_INDICES : INDICES); i++)
        to->indices[i] = from->indices[i] + c->row->changes[i];
    word *words = (word *)to;
    words[c->move >> FROM_WORD & 255] ^= tile << (c->move >> FROM_SHIFT & 63);
    words[c->move >> TO_WORD & 255] ^= tile << (c->move >> TO_SHIFT & 63);
}

INLINED bool is_variant(const struct tree *t) { return t->is_narrow; }

#include "ida_loop.h"

KERNEL(ida25, work) {
    work(&arguments->team, &arguments->tree, arguments->me, arguments->budget);
    return 0;
}
