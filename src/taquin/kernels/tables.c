/* Pattern databases by breadth-first search backwards from the goal; the distance of every board of a
   small space; and the boards of larger spaces, level by level.

   A configuration of a pattern is a placement of its k tiles; the blank moves for free through all
   other cells. It consists of a set of cells and an order of the tiles in them; which moves are
   possible depends on the set only.

       x . a .       the set {0 2 5 6} and the order x a b c
       . b c .       regions of the blank: {1}, {3 7} and {4}; each has a bitmap over all k! orders,
                     with a bit for every order that is reached with the blank in that region

   A step of a tile into a region maps one bitmap to another. If the tile passes no other tile, as in
   every step sideways, the orders do not change: the step copies the bitmap, 64 configurations at a
   time. If it passes some, as `a` passes b and c on its way down, all orders are permuted in the same
   way.

   A level is pulled: the bitmap of each set and region gathers its predecessors in the previous
   level, so no two threads write the same word. A step changes the parity of the set, so the bitmaps
   of the previous and of the next level never belong to the same set, and one array has both.

   Sets are numbered in the order of their bits, orders as by Python's itertools.permutations; order[i]
   is the place of tile i among the cells of the set. Sets of cells are bits of a word. */
#include "common.h"

enum { UNREACHED = 255, MOST_VALUE = 15 };

struct grid {
    NUMBER(cells);
    NUMBER(columns);
    NUMBER(all);      /* the cells, as bits */
    NUMBER(not_last); /* those not in the last column */
    NUMBER(not_first);
};

INLINED int64_t lowest(word cells) { return __builtin_ctzll(cells); }

/* Return the number of cells of a set before `cell`. */
INLINED int64_t cells_below(word cells, int64_t cell) {
    return __builtin_popcountll(cells & ((1ull << cell) - 1));
}

/* Return the free cells that the blank reaches from `cell`. */
static word region_of(word free, int64_t cell, const struct grid *grid) {
    word region = 1ull << cell, grown;
    for (;; region = grown) {
        grown = region | region << grid->columns | region >> grid->columns;
        grown |= (region & (word)grid->not_last) << 1 | (region & (word)grid->not_first) >> 1;
        grown &= free;
        if (grown == region) return region;
    }
}

struct count_regions {
    ARRAY(int64_t, bits);
    ARRAY(int64_t, counts);
    struct grid grid;
    NUMBER(first);
    NUMBER(last);
};

/* Write the number of regions of the sets `first` to `last` - 1. */
KERNEL(count_regions, count_regions) {
    const struct grid *grid = &arguments->grid;
    for (int64_t number = arguments->first; number < arguments->last; number++) {
        word free = (word)(grid->all & ~AT(arguments->bits, number));
        int64_t count = 0;
        for (; free; count++) free ^= region_of(free, lowest(free), grid);
        AT(arguments->counts, number) = count;
    }
    return 0;
}

struct sets {
    struct grid grid;
    ARRAY(int64_t, bits);    /* the cells of each set */
    ARRAY(int64_t, begins);  /* each set's first bitmap, then the number of all bitmaps */
    MATRIX(int64_t, choose); /* binomial coefficients */
};
struct links {
    MATRIX(int64_t, steps); /* for each set, the sources of its steps, each with a permutation */
    ARRAY(int32_t, ends);   /* the end of the steps to each bitmap */
};
struct link {
    struct sets sets;
    MATRIX(int64_t, numbers); /* the permutation by the tile's places before and after */
    struct links links;
    NUMBER(first);
    NUMBER(last);
};
#define SOURCE UINT32_MAX /* of a step: the mask of its source; the permutation is above */

/* Return the number of a set among all of its size. */
INLINED int64_t number_of_set(word cells, const int64_t *choose, int64_t columns) {
    int64_t number = 0;
    for (int place = 1; cells; cells &= cells - 1, place++)
        number += choose[lowest(cells) * columns + place];
    return number;
}

/* Return the bitmap of a set with the blank in a cell. */
static int64_t bitmap_of(word cells, int64_t blank, const struct sets *sets) {
    int64_t number = number_of_set(cells, sets->choose, sets->choose_columns);
    int64_t bitmap = AT(sets->begins, number);
    for (word free = (word)sets->grid.all & ~cells;; bitmap++) {
        word region = region_of(free, lowest(free), &sets->grid);
        if (region >> blank & 1) return bitmap;
        free ^= region;
    }
}

/* Write the steps that lead to the sets `first` to `last` - 1. */
KERNEL(link_sets, link) {
    const struct sets *sets = &arguments->sets;
    const struct grid *grid = &sets->grid;
    for (int64_t number = arguments->first; number < arguments->last; number++) {
        word taken = (word)AT(sets->bits, number), free = (word)grid->all & ~taken;
        int64_t bitmap = AT(sets->begins, number), end = 0;
        int64_t *steps = ROW(arguments->links.steps, number);
        for (; free; bitmap++) {
            word region = region_of(free, lowest(free), grid);
            free ^= region;
            for (word rest = region; rest; rest &= rest - 1) {
                /* The step moved a tile from `blank` to `cell`, and the blank the other way. */
                int64_t blank = lowest(rest);
                for (int direction = 0; direction < 4; direction++) {
                    int64_t cell = cell_beside(blank, direction, grid->cells, grid->columns);
                    if (cell < 0 || !(taken >> cell & 1)) continue;
                    word before = taken ^ 1ull << cell ^ 1ull << blank;
                    const int64_t *row = ROW(arguments->numbers, cells_below(before, blank));
                    int64_t after = cells_below(taken, cell);
                    int64_t permutation = row[CHECKED(after, arguments->numbers_columns)];
                    REQUIRE(end < arguments->links.steps_columns);
                    steps[end++] = bitmap_of(before, cell, sets) | permutation << 32;
                }
            }
            AT(arguments->links.ends, bitmap) = (int32_t)end;
        }
    }
    return 0;
}

struct reached {
    MATRIX(uint64_t, front); /* bitmaps of the last level of their parity */
    MATRIX(uint64_t, seen);  /* and of all levels */
    ARRAY(uint8_t, lives);   /* whether a bitmap of the front is not empty */
    MATRIX(uint8_t, levels); /* for each set and order, the least cost */
    ARRAY(uint8_t, odd);     /* the parity of each set */
};
struct reach {
    ARRAY(int64_t, begins);
    struct links links;
    MATRIX(uint16_t, permutations); /* each permuted order */
    struct reached reached;
    NUMBER(level);
    NUMBER(alive);
    NUMBER(first);
    NUMBER(last);
};

/* Write the level of configurations that no region had before; return their number. */
INLINED int64_t write_level(uint8_t *levels, word fresh, int64_t first, int64_t level) {
    int64_t count = 0;
    for (; fresh; fresh &= fresh - 1) {
        int64_t order = first + lowest(fresh);
        if (levels[order] == UNREACHED) {
            levels[order] = (uint8_t)level;
            count++;
        }
    }
    return count;
}

/* Reach the configurations of the sets `first` to `last` - 1 at cost `level`. Return the number of new
   ones, and in `alive` that of bitmaps that have any at this level. */
KERNEL(reach_sets, reach) {
    struct reached *reached = &arguments->reached;
    const int64_t words = reached->front_columns;
    word gathered[words];
    int64_t count = 0, alive = 0;
    for (int64_t number = arguments->first; number < arguments->last; number++) {
        if (AT(reached->odd, number) != (arguments->level & 1)) continue;
        const int64_t *steps = ROW(arguments->links.steps, number);
        uint8_t *levels = ROW(reached->levels, number);
        int64_t step = 0, last = AT(arguments->begins, number + 1);
        for (int64_t bitmap = AT(arguments->begins, number); bitmap < last; bitmap++) {
            bool is_touched = false;
            for (; step < AT(arguments->links.ends, bitmap); step++) {
                int64_t source = steps[CHECKED(step, arguments->links.steps_columns)] & SOURCE;
                if (!AT(reached->lives, source)) continue;
                if (!is_touched) memset(gathered, 0, sizeof gathered);
                is_touched = true;
                const word *front = ROW(reached->front, source);
                int64_t permutation = steps[step] >> 32;
                if (!permutation) {
                    for (int64_t i = 0; i < words; i++) gathered[i] |= front[i];
                    continue;
                }
                const uint16_t *orders = ROW(arguments->permutations, permutation);
                for (int64_t i = 0; i < words; i++)
                    for (word bits = front[i]; bits; bits &= bits - 1) {
                        uint16_t order = orders[(i << 6) + lowest(bits)];
                        gathered[CHECKED(order >> 6, words)] |= 1ull << (order & 63);
                    }
            }
            AT(reached->lives, bitmap) = 0;
            if (!is_touched) continue;
            word *front = ROW(reached->front, bitmap), *seen = ROW(reached->seen, bitmap);
            bool lives = false;
            for (int64_t i = 0; i < words; i++) {
                word fresh = gathered[i] & ~seen[i];
                front[i] = fresh;
                if (!fresh) continue;
                seen[i] |= fresh;
                lives = true;
                count += write_level(levels, fresh, i << 6, arguments->level);
            }
            AT(reached->lives, bitmap) = lives;
            alive += lives;
        }
    }
    arguments->alive = alive;
    return count;
}

struct rank_orders {
    MATRIX(uint8_t, lists);
    MATRIX(uint8_t, orders);
    NUMBER(among);
    MATRIX(int32_t, ranks);
};

/* Write the rank (see taquin.tables.patterns.rank) of each list of cells in each order. */
KERNEL(rank_orders, rank_orders) {
    const int64_t size = arguments->lists_columns;
    for (int64_t number = 0; number < arguments->lists_rows; number++) {
        const uint8_t *list = ROW(arguments->lists, number);
        for (int64_t k = 0; k < arguments->orders_rows; k++) {
            const uint8_t *order = ROW(arguments->orders, k);
            int64_t rank = 0;
            for (int64_t place = 0; place < size; place++) {
                int64_t digit = list[CHECKED(order[place], size)];
                for (int64_t earlier = 0; earlier < place; earlier++)
                    digit -= list[order[earlier]] < list[order[place]];
                rank = rank * (arguments->among - place) + digit;
            }
            ROW(arguments->ranks, number)[k] = (int32_t)rank;
        }
    }
    return 0;
}

/* The cells of the first few tiles are a placement, and the ranks of a placement are a block. The
   other tiles occupy a part of the free cells, which are renumbered from 0, so that the parts are the
   same for all placements. */
struct packing {
    NUMBER(cells);
    NUMBER(tiles);
    NUMBER(placed); /* tiles in a placement */
    NUMBER(ranked); /* whether the table is indexed by rank */
    MATRIX(int64_t, choose);
    MATRIX(uint8_t, parts);     /* the free cells of every part */
    MATRIX(int32_t, ranks);     /* for each part and order in it, the rank in the block */
    MATRIX(uint8_t, heads);     /* the cells of all tiles of a part but the last, by rank */
    MATRIX(int64_t, spots);     /* each tile's term of the index, by its cell; not with ranks */
    MATRIX(int64_t, manhattan); /* the Manhattan distance of each tile, by its cell */
};
struct pack {
    MATRIX(uint8_t, levels);
    ARRAY(uint8_t, table);
    struct packing packing;
    NUMBER(first);
    NUMBER(last);
};

/* Write the cells of the tiles of a placement, a rank; return them as a set. */
INLINED word place(int64_t placement, int64_t cells, int64_t tiles, int64_t *where) {
    for (int64_t tile = tiles - 1; tile >= 0; tile--) {
        where[tile] = placement % (cells - tile);
        placement /= cells - tile;
    }
    word taken = 0;
    for (int64_t tile = 0; tile < tiles; tile++) {
        /* The digit counts free cells only. */
        int64_t cell = 0;
        for (; taken >> cell & 1 || where[tile]; cell++) where[tile] -= !(taken >> cell & 1);
        where[tile] = cell;
        taken |= 1ull << cell;
    }
    return taken;
}

/* Write the values of the placements `first` to `last` - 1 into the table: half of the cost beyond
   Manhattan distance, 15 at most, two values a byte. */
KERNEL(pack_table, pack) {
    const struct packing *p = &arguments->packing;
    const int64_t tail = p->tiles - 1, block = p->ranks_rows * p->ranks_columns;
    int64_t factorial[16] = {1}, where[16], left[64];
    uint8_t values[block];
    REQUIRE(p->tiles < 16 && p->cells <= 64);
    for (int i = 1; i < 16; i++) factorial[i] = factorial[i - 1] * i;
    for (int64_t placement = arguments->first; placement < arguments->last; placement++) {
        word taken = place(placement, p->cells, p->placed, where);
        int64_t free = 0;
        for (int64_t cell = 0; cell < p->cells; cell++)
            if (!(taken >> cell & 1)) left[free++] = cell;
        for (int64_t part = 0; part < p->parts_rows; part++) {
            const uint8_t *places = ROW(p->parts, part);
            word cells = taken;
            for (int64_t i = 0; i < p->parts_columns; i++)
                cells |= 1ull << left[CHECKED(places[i], free)];
            /* The first order in the set that agrees with the placement. */
            int64_t order = 0;
            for (int64_t tile = 0; tile < p->placed; tile++) {
                int64_t digit = cells_below(cells, where[tile]);
                for (int64_t other = 0; other < tile; other++) digit -= where[other] < where[tile];
                order += digit * factorial[p->tiles - 1 - tile];
            }
            int64_t number = number_of_set(cells, p->choose, p->choose_columns);
            const uint8_t *levels = ROW(arguments->levels, number) + order;
            const int32_t *ranks = ROW(p->ranks, part);
            for (int64_t i = 0; i < p->ranks_columns; i++)
                values[CHECKED(ranks[i], block)] = levels[CHECKED(i, arguments->levels_columns - order)];
        }
        int64_t fixed = 0, index = 0, rank = 0;
        for (int64_t tile = 0; tile < p->placed; tile++) {
            fixed += ROW(p->manhattan, tile)[where[tile]];
            index += ROW(p->spots, tile)[where[tile]];
        }
        for (int64_t head = 0; head < p->heads_rows; head++) {
            const uint8_t *places = ROW(p->heads, head);
            int64_t distance = fixed, start = index;
            word occupied = 0;
            for (int64_t i = 0; i < p->heads_columns; i++) {
                int64_t cell = left[CHECKED(places[i], free)];
                occupied |= 1ull << cell;
                distance += ROW(p->manhattan, p->placed + i)[cell];
                start += ROW(p->spots, p->placed + i)[cell];
            }
            for (int64_t i = 0; i < free; i++) {
                int64_t cell = left[i];
                if (occupied >> cell & 1) continue;
                int64_t beyond = values[CHECKED(rank, block)] - distance - ROW(p->manhattan, tail)[cell];
                uint8_t value = (uint8_t)smaller(beyond >> 1, MOST_VALUE);
                values[rank++] = value;
                if (p->ranked) continue;
                int64_t spot = start + ROW(p->spots, tail)[cell];
                AT(arguments->table, spot >> 1) ^= (uint8_t)((MOST_VALUE ^ value) << ((spot & 1) << 2));
            }
        }
        if (!p->ranked) continue;
        for (int64_t i = 0; i < block >> 1; i++)
            AT(arguments->table, (placement * block >> 1) + i) =
                (uint8_t)(values[2 * i] | values[2 * i + 1] << 4);
    }
    return 0;
}

/* --- the distance of every board of up to nine cells (tables/distances.py) ----------------------- */

struct fill_levels {
    MATRIX(uint8_t, levels); /* by the cell of the blank and the number of the order */
    ARRAY(int64_t, boards);  /* in the order of the search, four bits a cell; the first is given */
    ARRAY(int64_t, numbers); /* their orders */
    NUMBER(columns);
};

/* Return the number of a board's order; `number_of` in distances.py is its twin. */
static int64_t order_of(int64_t board, int64_t cells) {
    int64_t number = 0;
    for (int64_t cell = 0; cell < cells; cell++) {
        int64_t tile = board >> 4 * cell & 15, smaller = 0, later = 0;
        if (!tile) continue;
        for (int64_t other = cell + 1; other < cells; other++) {
            int64_t later_tile = board >> 4 * other & 15;
            smaller += later_tile && later_tile < tile;
            later += later_tile > 0;
        }
        number = number * (later + 1) + smaller;
    }
    /* The last digit that can vary has the place value 1, and is omitted. */
    return number >> 1;
}

/* Write the distance of every board from the first. */
KERNEL(fill_levels, fill_levels) {
    struct fill_levels *a = arguments;
    const int64_t cells = a->levels_rows;
    for (int64_t first = 0, end = 1; first < end; first++) {
        int64_t board = AT(a->boards, first), order = AT(a->numbers, first), blank = 0;
        while (board >> 4 * blank & 15) blank++;
        uint8_t level = (uint8_t)(ROW(a->levels, blank)[CHECKED(order, a->levels_columns)] + 1);
        for (int direction = 0; direction < 4; direction++) {
            int64_t cell = cell_beside(blank, direction, cells, a->columns);
            bool is_sideways = direction == 1 || direction == 2;
            if (cell < 0) continue;
            int64_t tile = board >> 4 * cell & 15;
            int64_t child = board ^ tile << 4 * cell ^ tile << 4 * blank;
            int64_t number = is_sideways ? order : order_of(child, cells);
            uint8_t *reached = ROW(a->levels, cell) + CHECKED(number, a->levels_columns);
            if (*reached != UNREACHED) continue;
            *reached = level;
            AT(a->boards, end) = child;
            AT(a->numbers, end) = number;
            end++;
        }
    }
    return 0;
}

/* --- all boards of up to twelve cells, a bit for each (analysis/explore.py) ---------------------- */

struct boards {
    ARRAY(uint64_t, source);
    ARRAY(uint64_t, target);
};

/* Add the boards of `source` to `target`. */
KERNEL(add_boards, boards) {
    for (int64_t i = 0; i < arguments->source_length; i++)
        AT(arguments->target, i) |= arguments->source[i];
    return 0;
}

/* Remove the boards of `source`, those seen, from `target`, add the rest to them; return its number. */
KERNEL(keep_new, boards) {
    word *seen = arguments->source, *target = arguments->target;
    int64_t count = 0;
    REQUIRE(arguments->source_length >= arguments->target_length);
    for (int64_t i = 0; i < arguments->target_length; i++) {
        word fresh = target[i] & ~seen[i];
        target[i] = fresh;
        seen[i] |= fresh;
        count += __builtin_popcountll(fresh);
    }
    return count;
}

struct shift_runs {
    struct boards boards;
    ARRAY(int64_t, changes);
    NUMBER(run);
};

/* Add the boards of `source`, runs of `run` numbers, to `target`, by changes in rotation. */
KERNEL(shift_runs, shift_runs) {
    const word *source = arguments->boards.source;
    word *target = arguments->boards.target;
    const int64_t run = arguments->run, words = arguments->boards.source_length;
    int64_t count = 0;
    for (int64_t start = 0; start + run <= words << 6; start += run) {
        int64_t change = AT(arguments->changes, count);
        if (++count == arguments->changes_length) count = 0;
        for (int64_t first = start; first < start + run; first += 64) {
            int64_t at = first >> 6, place = first & 63;
            word bits = source[at] >> place;
            if (place && at < words - 1) bits |= source[at + 1] << (64 - place);
            if (start + run - first < 64) bits &= (1ull << (start + run - first)) - 1;
            if (!bits) continue;
            int64_t reached = first + change;
            at = reached >> 6;
            place = reached & 63;
            REQUIRE(at >= 0 && at < arguments->boards.target_length);
            target[at] |= bits << place;
            if (place && bits >> (64 - place))
                AT(arguments->boards.target, at + 1) |= bits >> (64 - place);
        }
    }
    return 0;
}

struct shift_each {
    struct boards boards;
    MATRIX(int32_t, changes);
    ARRAY(uint8_t, parities);
};

/* Add each board of `source` to `target`, by its change for its parity and low part. */
KERNEL(shift_each, shift_each) {
    const int64_t low = arguments->changes_columns;
    int64_t high = 0, begin = 0, end = low;
    for (int64_t i = 0; i < arguments->boards.source_length; i++)
        for (word bits = arguments->boards.source[i]; bits; bits &= bits - 1) {
            int64_t number = (i << 6) + lowest(bits);
            for (; number >= end; end += low) {
                high++;
                begin = end;
            }
            const int32_t *changes = ROW(arguments->changes, AT(arguments->parities, high));
            int64_t reached = number + changes[number - begin];
            AT(arguments->boards.target, reached >> 6) |= 1ull << (reached & 63);
        }
    return 0;
}
