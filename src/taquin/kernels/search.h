/* What the searches of any puzzle share: its steps and rules, a depth-first search that is suspended
   and resumed, and the estimates of a board. engine/general/form.py describes steps,
   engine/general/walks.py and engine/textbook/estimates.py the records. */
#ifndef TAQUIN_SEARCH_H
#define TAQUIN_SEARCH_H

#include "common.h"

/* Places in the state of a depth-first search. */
enum {
    DEPTH,    /* of the present node; BASE - 1 when the tree is exhausted */
    BASE,     /* depth of the root */
    FLOOR,    /* the maximum depth */
    BOUND,    /* the bound */
    NODES,    /* successors generated, without reverse moves */
    EXPANDED, /* nodes entered, without the root and goals */
    DEEPEST,  /* the greatest depth of an expanded node */
    EXCESS,   /* the least f that was pruned, minus the bound */
    STOP,     /* why the search stopped: GOAL, FLOOR_MET or 0 */
};
enum { GOAL = 1, FLOOR_MET = 2 };

struct steps {
    ARRAY(int32_t, lists);  /* the lists of steps, each ended by -1; the list at 0 is empty */
    ARRAY(int32_t, begin);  /* for each cell of the blank, its list before any step */
    ARRAY(int32_t, follow); /* for each edge, the list after a step along it */
    MATRIX(int32_t, edges); /* for each edge, the cell that the blank leaves and the next */
};
struct rules {
    struct steps steps;
    ARRAY(int32_t, wanted); /* the group that the goal wants in each cell, or less than 0 for any */
    ARRAY(int32_t, groups); /* the group of each tile */
    NUMBER(edge_bits);      /* the number of a move is tile << edge_bits | edge */
};

INLINED int64_t cell_of(int64_t step) { return step >> 14; }
INLINED int64_t edge_of(int64_t step) { return step >> 1 & 0x1fff; }
/* Whether a step is the first of a line. */
INLINED bool begins_line(int64_t step) { return step & 1; }

/* The slide of a tile from a cell to the blank's, and the number of that move. */
struct slide {
    int64_t tile, cell, blank, move;
};

/* --- estimates ---------------------------------------------------------------------------------- */

/* Functions below get the kind of an estimate as a constant, so each loop is compiled for each kind. */
enum kind { SUM_OF_TABLES, MAX_OF_TABLES, DISTANCES, CONFLICTS, WALKING, ADDITIVE };

/* The sum of tables, each over the cells of some tiles. */
struct sum_of_tables {
    ARRAY(int32_t, values); /* the estimate of each node */
    ARRAY(int64_t, places); /* the index into each table for the present node */
    ARRAY(int32_t, slots);  /* the table whose index each move changes */
    ARRAY(int32_t, change); /* the change of that index */
    ARRAY(uint8_t, table);  /* all tables, one after the other */
};
/* The maximum of tables, each over the cells of some tiles and of the blank. A line of steps slides
   one tile after the other, and the end of the line puts them back. With the others a tile moves when
   the search descends, and back when it returns. */
struct max_of_tables {
    ARRAY(int32_t, blanks);   /* the blank's cell for each node, along an unfinished line */
    MATRIX(int64_t, places);  /* the indices into the tables for each node */
    MATRIX(int64_t, sliding); /* the indices for the unfinished line of each node */
    MATRIX(int32_t, change);  /* the change of each table's index by each move */
    ARRAY(uint8_t, table);
};
/* The sum over tiles of a distance each. */
struct distances {
    ARRAY(int32_t, values);
    ARRAY(int8_t, change); /* the change of the estimate by each move */
};
/* The sum of distances, and two for each tile that must leave its line. The number of a line's content
   has a digit for each cell: 1 + the place in the line where the tile belongs, or 0. */
struct conflicts {
    ARRAY(int32_t, values);
    ARRAY(int8_t, change);
    ARRAY(int32_t, keys);   /* the number of each row and column */
    ARRAY(int32_t, terms);  /* for each move the line across it, its change; the line along, its own */
    ARRAY(int32_t, counts); /* by number, twice the tiles that must leave the line */
    ARRAY(int32_t, spots);  /* for each tile and cell the row, its term; the column, its term */
};
/* The cost of the position of the puzzle of rows and that of columns. */
struct walking {
    ARRAY(int32_t, values);
    ARRAY(int32_t, places);  /* for each node the position of rows and that of columns */
    ARRAY(int32_t, kinds);   /* for each move column of follow << 1 | whether it is across columns */
    ARRAY(int32_t, follow);  /* the positions after each position, `width` for each */
    ARRAY(uint8_t, costs);   /* the cost of each position */
    ARRAY(int64_t, spots);   /* for each tile and cell the terms of the two positions */
    ARRAY(int64_t, keys);    /* a hash table of position << 1 | is of columns; -1 where free */
    ARRAY(int32_t, numbers); /* the number of the position at each place of it */
    NUMBER(width);
};
/* The distances, plus twice the maximum over partitions of the sum of pattern databases. */
struct additive {
    ARRAY(int32_t, values);
    ARRAY(int32_t, distances); /* the sum of distances of each node */
    ARRAY(int8_t, change);
    ARRAY(uint32_t, slots);    /* for each tile and partition its pattern; the last slot is for none */
    ARRAY(int64_t, shifts);    /* for each move and partition the change of the index */
    ARRAY(int64_t, spots);     /* for each tile, cell and partition the term of the index */
    ARRAY(int64_t, places);    /* the index of each slot; the address itself if tables are plain */
    ARRAY(int32_t, found);     /* the value of each slot */
    ARRAY(int32_t, sums);      /* for each node and partition the sum of values */
    ARRAY(int32_t, before);    /* for each node and partition the value that its move replaced */
    ARRAY(int32_t, fresh);     /* for each partition the value after the last slide evaluated */
    ARRAY(uint64_t, tables);   /* for each slot twice the address of the table */
    ARRAY(int32_t, halvings);
    ARRAY(int32_t, ranked);    /* for each slot the tiles to rank; 0 if the index is direct */
    ARRAY(int32_t, ends);      /* the end of each partition's slots, which are consecutive */
    NUMBER(cells);
    NUMBER(is_plain);          /* whether no table is ranked or halved */
};

/* Return the rank of the cells of `size` tiles, the first in the highest bits. */
INLINED int64_t rank_of(int64_t place, int64_t size, int64_t cells) {
    int64_t number = 0;
    word taken = 0;
    for (int64_t tile = 0; tile < size; tile++) {
        int64_t cell = place >> 4 * (size - 1 - tile) & 15;
        int64_t before = __builtin_popcountll(taken & ((1ull << cell) - 1));
        number = number * (cells - tile) + cell - before;
        taken |= 1ull << cell;
    }
    return number;
}

/* Return the value of a table at an index. */
INLINED int32_t value_at(const struct additive *e, int64_t slot, int64_t place) {
    word half = (word)place;
    if (!e->is_plain) {
        int64_t ranked = AT(e->ranked, slot);
        int64_t index = ranked ? rank_of(place, ranked, e->cells) : place;
        half = AT(e->tables, slot) + (word)(index >> AT(e->halvings, slot));
    }
    return (int32_t)half_byte(half);
}

/* Return the estimate after a slide from the node at `depth`, whose estimate is `value`. */
INLINED int64_t estimate_after(
    enum kind kind, const void *estimate, const struct slide *slide, int64_t depth, int64_t value
) {
    if (kind == SUM_OF_TABLES) {
        const struct sum_of_tables *e = estimate;
        int64_t place = AT(e->places, AT(e->slots, slide->move));
        int64_t after = AT(e->table, place + AT(e->change, slide->move));
        return value + after - AT(e->table, place);
    }
    if (kind == DISTANCES) {
        const struct distances *e = estimate;
        return value + AT(e->change, slide->move);
    }
    if (kind == CONFLICTS) {
        const struct conflicts *e = estimate;
        const int32_t *terms = &AT(e->terms, 4 * slide->move);
        int64_t key = AT(e->keys, terms[0]);
        return value + AT(e->change, slide->move) + AT(e->counts, key + terms[1]) - AT(e->counts, key);
    }
    if (kind == WALKING) {
        const struct walking *e = estimate;
        int64_t move = AT(e->kinds, slide->move), place = AT(e->places, 2 * depth + (move & 1));
        int64_t after = AT(e->follow, place * e->width + (move >> 1));
        return value + AT(e->costs, after) - AT(e->costs, place);
    }
    const struct additive *e = estimate;
    const int64_t partitions = e->fresh_length;
    int64_t most = 0;
    for (int64_t partition = 0; partition < partitions; partition++) {
        int64_t slot = AT(e->slots, slide->tile * partitions + partition);
        int64_t shift = AT(e->shifts, slide->move * partitions + partition);
        int32_t fresh = value_at(e, slot, AT(e->places, slot) + shift);
        e->fresh[partition] = fresh;
        most = larger(most, AT(e->sums, depth * partitions + partition) + fresh - AT(e->found, slot));
    }
    return AT(e->distances, depth) + AT(e->change, slide->move) + 2 * most;
}

/* Update the indices of an estimate after a slide that leads to `depth`. */
INLINED void make_move(enum kind kind, void *estimate, const struct slide *slide, int64_t depth) {
    if (kind == SUM_OF_TABLES) {
        struct sum_of_tables *e = estimate;
        AT(e->places, AT(e->slots, slide->move)) += AT(e->change, slide->move);
    } else if (kind == CONFLICTS) {
        struct conflicts *e = estimate;
        const int32_t *terms = &AT(e->terms, 4 * slide->move);
        AT(e->keys, terms[0]) += terms[1];
        AT(e->keys, terms[2]) += terms[3];
    } else if (kind == WALKING) {
        struct walking *e = estimate;
        int64_t move = AT(e->kinds, slide->move), across = move & 1;
        int32_t *places = &AT(e->places, 2 * depth);
        places[across] = AT(e->follow, places[across - 2] * e->width + (move >> 1));
        places[1 - across] = places[-1 - across];
    } else if (kind == ADDITIVE) {
        struct additive *e = estimate;
        const int64_t partitions = e->fresh_length;
        for (int64_t partition = 0; partition < partitions; partition++) {
            int64_t slot = AT(e->slots, slide->tile * partitions + partition);
            int64_t here = depth * partitions + partition;
            AT(e->places, slot) += AT(e->shifts, slide->move * partitions + partition);
            int32_t before = AT(e->found, slot), fresh = e->fresh[partition];
            AT(e->before, here) = before;
            AT(e->found, slot) = fresh;
            AT(e->sums, here) = e->sums[here - partitions] + fresh - before;
        }
        AT(e->distances, depth) = e->distances[depth - 1] + AT(e->change, slide->move);
    }
}

/* Undo what make_move did. */
INLINED void undo_move(enum kind kind, void *estimate, const struct slide *slide, int64_t depth) {
    if (kind == SUM_OF_TABLES) {
        struct sum_of_tables *e = estimate;
        AT(e->places, AT(e->slots, slide->move)) -= AT(e->change, slide->move);
    } else if (kind == CONFLICTS) {
        struct conflicts *e = estimate;
        const int32_t *terms = &AT(e->terms, 4 * slide->move);
        AT(e->keys, terms[0]) -= terms[1];
        AT(e->keys, terms[2]) -= terms[3];
    } else if (kind == ADDITIVE) {
        struct additive *e = estimate;
        const int64_t partitions = e->fresh_length;
        for (int64_t partition = 0; partition < partitions; partition++) {
            int64_t slot = AT(e->slots, slide->tile * partitions + partition);
            AT(e->places, slot) -= AT(e->shifts, slide->move * partitions + partition);
            AT(e->found, slot) = AT(e->before, depth * partitions + partition);
        }
    }
}

/* Return the slot of a key in a hash table, or the free slot for it. */
INLINED int64_t slot_of(const int64_t *keys, int64_t length, int64_t key) {
    word low = (word)key & 0x7fffffff, last = (word)length - 1;
    word place = (low * 0x9E3779B97F4A7C1ull >> 20 ^ (word)(key >> 13)) & last;
    while (keys[place] != key && keys[place] >= 0) place = (place + 1) & last;
    return (int64_t)place;
}

/* Set the present board (the tile in each cell, or 0) at depth 0, whose estimate is `value`. */
INLINED void restart(
    enum kind kind, void *estimate, const uint8_t *board, int64_t size, int64_t value
) {
    if (kind == CONFLICTS) {
        struct conflicts *e = estimate;
        memset(e->keys, 0, (size_t)e->keys_length * sizeof *e->keys);
        for (int64_t cell = 0; cell < size; cell++) {
            const int32_t *spots = &AT(e->spots, 4 * (board[cell] * size + cell));
            AT(e->keys, spots[0]) += spots[1];
            AT(e->keys, spots[2]) += spots[3];
        }
    } else if (kind == WALKING) {
        struct walking *e = estimate;
        int64_t rows = 0, columns = 0;
        for (int64_t cell = 0; cell < size; cell++) {
            const int64_t *spots = &AT(e->spots, 2 * (board[cell] * size + cell));
            rows += spots[0];
            columns += spots[1];
        }
        e->places[0] = AT(e->numbers, slot_of(e->keys, e->keys_length, rows << 1));
        e->places[1] = AT(e->numbers, slot_of(e->keys, e->keys_length, columns << 1 | 1));
    } else if (kind == ADDITIVE) {
        struct additive *e = estimate;
        const int64_t partitions = e->fresh_length;
        for (int64_t slot = 0; slot < e->places_length; slot++)
            e->places[slot] = e->is_plain ? (int64_t)AT(e->tables, slot) : 0;
        for (int64_t cell = 0; cell < size; cell++)
            for (int64_t partition = 0; partition < partitions; partition++) {
                int64_t slot = AT(e->slots, board[cell] * partitions + partition);
                int64_t spot = (board[cell] * size + cell) * partitions + partition;
                AT(e->places, slot) += AT(e->spots, spot);
            }
        for (int64_t slot = 0; slot < e->places_length; slot++)
            e->found[slot] = value_at(e, slot, e->places[slot]);
        int64_t most = 0, slot = 0;
        for (int64_t partition = 0; partition < partitions; partition++) {
            int32_t total = 0;
            for (; slot < AT(e->ends, partition); slot++) total += e->found[slot];
            AT(e->sums, partition) = total;
            most = larger(most, total);
        }
        e->distances[0] = (int32_t)(value - 2 * most);
    }
}

#endif
