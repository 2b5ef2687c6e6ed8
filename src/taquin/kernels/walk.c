/* Depth-first search within a bound, on one board in place, of any puzzle with any estimate.

   It generates one successor at a time, in the order of the steps, exactly as the glass box does, and
   can be suspended after any of them. It stops at a goal, at a node at depth FLOOR, where another
   search continues, and after a number of nodes. */
#include "search.h"

struct walk {
    ARRAY(int64_t, state);  /* DEPTH to STOP */
    ARRAY(uint16_t, board); /* the tile in each cell but that of the blank */
    ARRAY(int32_t, path);   /* the cell of the blank of each node */
    ARRAY(int32_t, nexts);  /* for each node, where in the lists its next step is */
};

static bool is_solved(const struct walk *walk, int64_t blank, const struct rules *rules) {
    for (int64_t cell = 0; cell < rules->wanted_length; cell++) {
        int32_t group = cell == blank ? 0 : AT(rules->groups, AT(walk->board, cell));
        if (rules->wanted[cell] >= 0 && rules->wanted[cell] != group) return false;
    }
    return true;
}

/* Put back the tiles of the last line of steps; return the blank's cell. */
static int64_t end_line(
    const struct walk *walk, const struct rules *rules, int64_t depth, int64_t at, int64_t blank
) {
    int64_t start = AT(walk->path, depth);
    for (int64_t last = at - 1; blank != start; last--) {
        int64_t step = AT(rules->steps.lists, last);
        int64_t before = begins_line(step) ? start : cell_of(AT(rules->steps.lists, last - 1));
        AT(walk->board, blank) = AT(walk->board, before);
        blank = before;
    }
    return blank;
}

/* Slide a tile of a line; return the estimate, exact up to `most`. */
static int64_t slide_on_line(
    struct max_of_tables *e, const struct walk *walk, const struct slide *slide, int64_t depth, int64_t most
) {
    int64_t after = 0, *sliding = ROW(e->sliding, depth);
    for (int64_t number = 0; number < e->change_rows; number++) {
        int64_t move = CHECKED(slide->move, e->change_columns);
        sliding[number] += ROW(e->change, number)[move];
        /* Above the bound, the other tables do not matter. */
        if (after <= most) after = larger(after, AT(e->table, sliding[number]));
    }
    AT(walk->board, slide->blank) = (uint16_t)slide->tile;
    return after;
}

INLINED int64_t walk_on(
    int64_t budget, struct walk *walk, const struct rules *rules, void *estimate, enum kind kind
) {
    const int32_t *lists = rules->steps.lists;
    const int64_t edge_bits = rules->edge_bits;
    /* Every estimate but MAX_OF_TABLES begins with its values. */
    struct distances *others = estimate;
    struct max_of_tables *lines = estimate;
    const bool by_line = kind == MAX_OF_TABLES;
    const int64_t tables = by_line ? lines->change_rows : 0;
    int64_t *state = walk->state;
    const int64_t base = state[BASE], floor = state[FLOOR];
    int64_t depth = state[DEPTH], deepest = state[DEEPEST], excess = state[EXCESS];
    int64_t left = budget, expanded = 0, stop = 0;
    int64_t blank = by_line ? AT(lines->blanks, depth) : AT(walk->path, depth);
    int64_t value = by_line ? 0 : AT(others->values, depth);
    /* `most` is the greatest estimate of a successor within the bound. */
    int64_t at = AT(walk->nexts, depth), most = state[BOUND] - depth - 1;
    while (left > 0) {
        int64_t step = lists[CHECKED(at, rules->steps.lists_length)];
        if (step < 0 || (by_line && begins_line(step))) {
            if (by_line) blank = end_line(walk, rules, depth, at, blank);
            if (step < 0) {
                if (--depth < base) break;
                int64_t cell = AT(walk->path, depth);
                if (!by_line) {
                    int64_t tile = AT(walk->board, cell);
                    if (kind != DISTANCES) {
                        int64_t edge = edge_of(lists[AT(walk->nexts, depth) - 1]);
                        struct slide slide = {tile, cell, blank, tile << rules->edge_bits | edge};
                        undo_move(kind, estimate, &slide, depth + 1);
                    }
                    AT(walk->board, blank) = (uint16_t)tile;
                    value = AT(others->values, depth);
                }
                blank = by_line ? AT(lines->blanks, depth) : cell;
                at = AT(walk->nexts, depth);
                most++;
                continue;
            }
            copy_words(
                (word *)ROW(lines->sliding, depth), (word *)ROW(lines->places, depth), tables
            );
        }
        at++;
        left--;
        int64_t cell = cell_of(step), tile = AT(walk->board, cell), after;
        struct slide slide = {tile, cell, blank, tile << edge_bits | edge_of(step)};
        if (by_line) {
            after = slide_on_line(lines, walk, &slide, depth, most);
            blank = cell;
        } else {
            after = estimate_after(kind, estimate, &slide, depth, value);
        }
        if (after > most) {
            excess = smaller(excess, after - most);
            continue;
        }
        AT(walk->nexts, depth) = (int32_t)at;
        if (by_line) AT(lines->blanks, depth) = (int32_t)blank;
        depth++;
        if (by_line) {
            copy_words(
                (word *)ROW(lines->places, depth), (word *)ROW(lines->sliding, depth - 1),
                tables
            );
        } else {
            AT(walk->board, blank) = (uint16_t)tile;
            AT(others->values, depth) = (int32_t)after;
            make_move(kind, estimate, &slide, depth);
        }
        AT(walk->path, depth) = (int32_t)cell;
        blank = cell;
        value = after;
        most--;
        at = AT(rules->steps.follow, edge_of(step));
        if (!value && is_solved(walk, blank, rules)) {
            stop = GOAL;
        } else {
            expanded++;
            deepest = larger(deepest, depth);
            if (depth != floor) continue;
            stop = FLOOR_MET;
        }
        /* The node has no steps when the search resumes: the list at 0 is empty. */
        at = 0;
        break;
    }
    if (depth >= base) {
        AT(walk->nexts, depth) = (int32_t)at;
        if (by_line) AT(lines->blanks, depth) = (int32_t)blank;
    }
    state[DEPTH] = depth;
    state[STOP] = stop;
    state[DEEPEST] = deepest;
    state[EXCESS] = excess;
    state[NODES] += budget - left;
    state[EXPANDED] += expanded;
    return 0;
}

/* The kernel of an estimate, and its record. */
#define WALK(name, kind) \
    struct walk_##name { \
        NUMBER(budget); \
        struct walk walk; \
        struct rules rules; \
        struct name estimate; \
    }; \
    KERNEL(walk_##name, walk_##name) { \
        struct walk_##name *a = arguments; \
        return walk_on(a->budget, &a->walk, &a->rules, &a->estimate, kind); \
    }
WALK(sum_of_tables, SUM_OF_TABLES)
WALK(max_of_tables, MAX_OF_TABLES)
WALK(distances, DISTANCES)
WALK(conflicts, CONFLICTS)
WALK(walking, WALKING)
WALK(additive, ADDITIVE)

struct start_additive {
    struct additive estimate;
    ARRAY(uint8_t, board);
    NUMBER(value);
};

/* Set the present board of an estimate; only compiled code reads its tables. */
KERNEL(start_additive, start_additive) {
    restart(ADDITIVE, &arguments->estimate, arguments->board, arguments->board_length, arguments->value);
    return 0;
}
