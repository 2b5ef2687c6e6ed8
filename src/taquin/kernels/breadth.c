/* Breadth-first searches of any puzzle: backwards from the goal to fill the tables of the general
   engine (engine/general/estimates.py), and over packed boards, from one end or both (breadth.py). */
#include "search.h"

enum { BEYOND = 255 }; /* the value of unreachable states */
enum { MOST_CELLS = 1024 };

/* --- tables over the cells of some tiles ---------------------------------------------------------
   The index is blank + cells * (tile 0 + cells * (tile 1 + ...)). All other tiles are alike. */

enum { DONE, END, LATER_END }; /* of queue.ends: expanded in `now`, the end of `now`, of `later` */
struct queues {
    ARRAY(int32_t, now);   /* the indices of this level */
    ARRAY(int32_t, later); /* and of the next */
    ARRAY(int64_t, ends);
};
struct begin_table {
    ARRAY(uint8_t, values);
    struct queues queues;
    ARRAY(int64_t, groups); /* of each tile of the table */
    ARRAY(int64_t, wanted); /* the group that the goal wants in each cell, or less than 0 */
    NUMBER(home);           /* the cell where the goal wants the blank, or less than 0 */
};

/* Empty the cells that the tiles of a placing hold. */
INLINED void forget_tiles(int64_t *held, int64_t placing, int64_t cells, int64_t count) {
    for (; count; count--) {
        held[placing % cells] = 0;
        placing /= cells;
    }
}

/* Give every solved placing the value 0, and put it into the queue. */
KERNEL(begin_table, begin_table) {
    struct begin_table *a = arguments;
    const int64_t cells = a->wanted_length, count = a->groups_length;
    int64_t held[MOST_CELLS] = {0}, end = 0;
    REQUIRE(cells <= MOST_CELLS);
    for (int64_t index = 0; index < a->values_length / cells; index++) {
        int64_t rest = index;
        bool is_solved = true;
        for (int64_t number = 0; number < count; number++) {
            int64_t cell = rest % cells;
            rest /= cells;
            is_solved &= !held[cell];
            held[cell] = AT(a->groups, number);
        }
        for (int64_t cell = 0; cell < cells; cell++)
            is_solved &= AT(a->wanted, cell) < 0 || AT(a->wanted, cell) == held[cell];
        for (int64_t blank = 0; is_solved && blank < cells; blank++) {
            if (held[blank] || (a->home >= 0 && blank != a->home)) continue;
            AT(a->values, index * cells + blank) = 0;
            AT(a->queues.now, end) = (int32_t)(index * cells + blank);
            end++;
        }
        forget_tiles(held, index, cells, count);
    }
    a->queues.ends[END] = end;
    return 0;
}

struct keep_least {
    ARRAY(uint8_t, values);
    ARRAY(uint8_t, least);
};

/* Write the minimum over the blank's cells for each placing of the tiles. */
KERNEL(keep_least, keep_least) {
    const int64_t cells = arguments->values_length / arguments->least_length;
    for (int64_t index = 0; index < arguments->least_length; index++) {
        const uint8_t *values = arguments->values + index * cells;
        uint8_t least = values[0];
        for (int64_t blank = 1; blank < cells; blank++)
            if (values[blank] < least) least = values[blank];
        arguments->least[index] = least;
    }
    return 0;
}

struct spread {
    ARRAY(uint8_t, values);
    struct queues queues;
    NUMBER(level);
    struct steps steps;
    NUMBER(tiles); /* of the table */
    NUMBER(every_move);
    NUMBER(budget);
};

/* Expand at most `budget` placings from the queue of a level. Unless every move counts, a move of other
   tiles stays in the level, and the queue grows. */
KERNEL(spread, spread) {
    struct spread *a = arguments;
    const struct steps *steps = &a->steps;
    const int64_t cells = steps->begin_length, level = a->level;
    int64_t held[MOST_CELLS] = {0}, *ends = a->queues.ends;
    int64_t done = ends[DONE], end = ends[END], later_end = ends[LATER_END];
    REQUIRE(cells <= MOST_CELLS);
    for (; done < end && a->budget > 0; a->budget--) {
        int64_t index = AT(a->queues.now, done++);
        if (AT(a->values, index) != level) continue;
        int64_t rest = index / cells, start = index - rest * cells, weight = 1;
        for (int64_t number = 0; number < a->tiles; number++) {
            weight *= cells;
            held[rest % cells] = weight;
            rest /= cells;
        }
        int64_t following = index, blank = start, step;
        for (int64_t place = AT(steps->begin, start); (step = AT(steps->lists, place)) >= 0; place++) {
            if (begins_line(step)) {
                following = index;
                blank = start;
            }
            int64_t cell = cell_of(step);
            following += cell - blank + held[cell] * (blank - cell);
            int64_t price = a->every_move || held[cell] ? level + 1 : level;
            if (AT(a->values, following) > price) {
                AT(a->values, following) = (uint8_t)price;
                if (price > level) {
                    AT(a->queues.later, later_end) = (int32_t)following;
                    later_end++;
                } else {
                    AT(a->queues.now, end) = (int32_t)following;
                    end++;
                }
            }
            blank = cell;
        }
        forget_tiles(held, index / cells, cells, a->tiles);
    }
    ends[DONE] = done;
    ends[END] = end;
    ends[LATER_END] = later_end;
    return 0;
}

struct spread_sets {
    ARRAY(uint8_t, values);
    ARRAY(int32_t, queue);
    MATRIX(int32_t, edges);
    NUMBER(wanted);
    NUMBER(tiles);
};

/* Give every set of cells its fewest steps of tiles, beginning with the sets that hold all `wanted`. */
KERNEL(spread_sets, spread_sets) {
    struct spread_sets *a = arguments;
    int64_t end = 0;
    for (int64_t cells = 0; cells < a->values_length; cells++) {
        bool is_wanted = (cells & a->wanted) == a->wanted;
        if (!is_wanted || __builtin_popcountll((word)cells) != a->tiles) continue;
        AT(a->values, cells) = 0;
        AT(a->queue, end) = (int32_t)cells;
        end++;
    }
    for (int64_t at = 0; at < end; at++) {
        int64_t cells = AT(a->queue, at);
        for (int64_t number = 0; number < a->edges_rows; number++) {
            const int32_t *edge = ROW(a->edges, number);
            if (!(cells >> edge[0] & 1) || cells >> edge[1] & 1) continue;
            int64_t moved = cells ^ 1ll << edge[0] ^ 1ll << edge[1];
            if (AT(a->values, moved) != BEYOND) continue;
            AT(a->values, moved) = (uint8_t)(AT(a->values, cells) + 1);
            AT(a->queue, end) = (int32_t)moved;
            end++;
        }
    }
    return 0;
}

/* --- packed boards -------------------------------------------------------------------------------
   A board is some words: the values of its cells, `bits` bits each, the first cell highest. All boards
   lie in one array in the order of generation, so a level is a slice of it. */

struct packing {
    NUMBER(bits);
    NUMBER(per_word); /* cells of a word */
};
struct met {
    MATRIX(uint64_t, words);  /* the boards */
    ARRAY(uint16_t, blanks);  /* the blank's cell of each */
    ARRAY(int32_t, parents);  /* the number of each board's parent, or -1 */
    ARRAY(uint8_t, sides);    /* the end from which each board was reached */
    ARRAY(int32_t, slots);    /* a hash table: the number of a board, or -1 */
};
enum { BOARD_AT, BOARD_TO, BOARD_END, BOARD_NODES, BOARD_MET, BOARD_OTHER, BOARD_SIDE };

/* Return where to look for a board first. */
INLINED int64_t first_slot(const word *board, const struct met *met) {
    word mixed = 0;
    for (int64_t i = 0; i < met->words_columns; i++) {
        mixed = (mixed ^ board[i]) * 0x9E3779B97F4A7C15ull;
        mixed ^= mixed >> 32;
    }
    return (int64_t)(mixed & (word)(met->slots_length - 1));
}

struct rehash {
    struct met met;
    NUMBER(end);
};

/* Enter the first `end` boards into an empty table. */
KERNEL(rehash, rehash) {
    struct met *met = &arguments->met;
    for (int64_t slot = 0; slot < met->slots_length; slot++) met->slots[slot] = -1;
    for (int64_t number = 0; number < arguments->end; number++) {
        int64_t slot = first_slot(ROW(met->words, number), met);
        while (AT(met->slots, slot) >= 0) slot = (slot + 1) & (met->slots_length - 1);
        AT(met->slots, slot) = (int32_t)number;
    }
    return 0;
}

/* Move the value of a cell of a packed board to that of the blank. */
INLINED void slide_value(word *board, int64_t cell, int64_t blank, const struct packing *packing) {
    const int64_t bits = packing->bits, per_word = packing->per_word;
    int64_t shift = 64 - bits * (cell % per_word + 1);
    word value = board[cell / per_word] >> shift & ((1ull << bits) - 1);
    board[cell / per_word] ^= value << shift;
    board[blank / per_word] |= value << (64 - bits * (blank % per_word + 1));
}

struct expand {
    struct met met;
    ARRAY(int64_t, state);
    struct steps steps;
    struct packing packing;
    NUMBER(budget);
    NUMBER(branching);
};

/* Expand boards of the present level while the arrays can hold all successors of one. */
KERNEL(expand_boards, expand) {
    struct met *met = &arguments->met;
    const struct steps *steps = &arguments->steps;
    const int64_t words = met->words_columns, branching = arguments->branching;
    int64_t *state = arguments->state, at = state[BOARD_AT], end = state[BOARD_END], nodes = 0;
    const int64_t to = state[BOARD_TO], side = state[BOARD_SIDE];
    word board[words];
    while (at < to && nodes + branching <= arguments->budget && end + branching <= met->words_rows) {
        int64_t start = AT(met->blanks, at), blank = start, step;
        for (int64_t place = AT(steps->begin, start); (step = AT(steps->lists, place)) >= 0; place++) {
            if (begins_line(step)) {
                copy_words(board, ROW(met->words, at), words);
                blank = start;
            }
            int64_t cell = cell_of(step);
            slide_value(board, cell, blank, &arguments->packing);
            blank = cell;
            nodes++;
            int64_t slot = first_slot(board, met), known;
            while ((known = AT(met->slots, slot)) >= 0) {
                const word *other = ROW(met->words, known);
                bool is_same = true;
                for (int64_t i = 0; i < words; i++) is_same &= board[i] == other[i];
                if (is_same) break;
                slot = (slot + 1) & (met->slots_length - 1);
            }
            if (known < 0) {
                copy_words(ROW(met->words, end), board, words);
                AT(met->blanks, end) = (uint16_t)cell;
                AT(met->parents, end) = (int32_t)at;
                AT(met->sides, end) = (uint8_t)side;
                AT(met->slots, slot) = (int32_t)end;
                end++;
            } else if (AT(met->sides, known) != side && state[BOARD_MET] < 0) {
                state[BOARD_MET] = at;
                state[BOARD_OTHER] = known;
            }
        }
        at++;
        if (state[BOARD_MET] >= 0) break;
    }
    state[BOARD_AT] = at;
    state[BOARD_END] = end;
    state[BOARD_NODES] += nodes;
    return 0;
}
