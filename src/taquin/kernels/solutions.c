/* Solutions of classic puzzles of any size: construct one, shorten it, and prove a lower bound.

   cells        numbered row by row
   directions   as the blank moves: 0 up, 1 left, 2 right, 3 down; one and its opposite sum to 3 */
#include "common.h"

/* --- make moves (engine/anytime/puzzle_arrays.py) ------------------------------------------------ */

struct follow {
    ARRAY(int16_t, board);
    ARRAY(int8_t, moves);
    MATRIX(int32_t, near); /* for each cell and direction the neighbouring cell, or -1 */
};

/* Make the moves of the blank on a board, and return its cell. */
KERNEL(follow_moves, follow) {
    int64_t blank = 0;
    while (AT(arguments->board, blank)) blank++;
    for (int64_t i = 0; i < arguments->moves_length; i++) {
        int32_t cell = ROW(arguments->near, blank)[CHECKED(AT(arguments->moves, i), 4)];
        AT(arguments->board, blank) = AT(arguments->board, cell);
        AT(arguments->board, cell) = 0;
        blank = cell;
    }
    return blank;
}

/* --- construct (engine/anytime/construction.py) --------------------------------------------------

       a b c      The first line goes home tile by tile, its last two tiles together: one waits in the
       . . .      other's corner, the other is brought near, and a search among six cells moves both
       . . .      in. Then the same with the rest, row or column, whichever is longer, down to 2x2. */

enum { CORNER = 6 }; /* the last two cells of a line, and those next to them in the next two lines */

struct construction {
    ARRAY(int64_t, board);      /* the id in each cell */
    ARRAY(int64_t, wanted);     /* the id that belongs in each cell */
    ARRAY(int8_t, moves);       /* directions of the blank */
    ARRAY(int64_t, state);      /* the moves so far, and a mark that no cell has before a search */
    ARRAY(int64_t, places);     /* the cell of each id */
    ARRAY(int64_t, fixed);      /* 1 for each cell that its tile may not leave */
    ARRAY(int64_t, near);       /* from 4 * cell, its neighbours by direction; -1 for none */
    ARRAY(int64_t, tile_ways);  /* for each cell that a search found, its mark plus a direction */
    ARRAY(int64_t, blank_ways); /* the same for the blank */
    ARRAY(int64_t, queue);      /* the cells, or states of a corner, that a search has met */
    ARRAY(int64_t, corner);     /* the cells of a corner; at last those of the 2x2 block */
    ARRAY(int64_t, before);     /* for each state of a corner the one before it, or -1 */
};
struct construct {
    struct construction work;
    NUMBER(rows);
    NUMBER(columns);
};

static void slide(struct construction *w, int64_t direction) {
    int64_t blank = AT(w->places, 0), cell = AT(w->near, 4 * blank + direction), tile = AT(w->board, cell);
    AT(w->board, blank) = tile;
    AT(w->places, tile) = blank;
    AT(w->board, cell) = 0;
    AT(w->places, 0) = cell;
    AT(w->moves, w->state[0]) = (int8_t)direction;
    w->state[0]++;
}

static void slide_to(struct construction *w, int64_t cell) {
    int64_t direction = 0;
    while (AT(w->near, 4 * AT(w->places, 0) + direction) != cell) direction++;
    slide(w, direction);
}

/* Return the number of a cell in a corner, -1 for any other. */
static int64_t number_in(const struct construction *w, int64_t cell) {
    for (int64_t number = 0; number < CORNER; number++)
        if (AT(w->corner, number) == cell) return number;
    return -1;
}

/* Write the direction of each cell on a shortest way past the fixed ones to the target. */
static void find_ways(struct construction *w, int64_t source, int64_t target, int64_t *ways) {
    int64_t mark = w->state[1] += 4, head = 0, tail = 1;
    ways[target] = mark;
    AT(w->queue, 0) = target;
    /* From the target, so that the way can be read from the source on. */
    while (ways[source] < mark) {
        int64_t cell = AT(w->queue, head);
        head++;
        for (int direction = 0; direction < 4; direction++) {
            int64_t other = AT(w->near, 4 * cell + direction);
            if (other < 0 || ways[other] >= mark || AT(w->fixed, other)) continue;
            ways[other] = mark + 3 - direction;
            AT(w->queue, tail) = other;
            tail++;
        }
    }
}

/* Take the blank to a cell by a shortest way past the fixed ones. */
static void walk_to(struct construction *w, int64_t target) {
    find_ways(w, AT(w->places, 0), target, w->blank_ways);
    while (AT(w->places, 0) != target) slide(w, AT(w->blank_ways, AT(w->places, 0)) & 3);
}

/* Carry a tile to a cell past the fixed ones. */
static void carry(struct construction *w, int64_t tile, int64_t target) {
    int64_t place = AT(w->places, tile);
    find_ways(w, place, target, w->tile_ways);
    while (place != target) {
        int64_t direction = AT(w->tile_ways, place) & 3;
        int64_t following = AT(w->near, 4 * place + direction);
        AT(w->fixed, place) = 1;
        walk_to(w, following);
        AT(w->fixed, place) = 0;
        slide(w, 3 - direction);
        place = following;
    }
}

/* Bring two tiles into the first two cells of the corner, where they and the blank are. */
static void move_in(struct construction *w, int64_t one, int64_t two) {
    /* A state is the numbers that the cells of the two tiles and of the blank have in the corner. */
    int64_t begin = number_in(w, AT(w->places, one));
    begin = CORNER * begin + number_in(w, AT(w->places, two));
    begin = CORNER * begin + number_in(w, AT(w->places, 0));
    for (int64_t state = 0; state < w->before_length; state++) AT(w->before, state) = -1;
    AT(w->before, begin) = AT(w->queue, 0) = begin;
    int64_t head = 0, tail = 1, state = begin;
    /* The first cells of both tiles are 0 and 1. */
    while (state / CORNER != 1) {
        int64_t first = state / (CORNER * CORNER), second = state / CORNER % CORNER;
        int64_t blank = state % CORNER, cells[] = {blank - 2, blank ^ 1, blank + 2};
        for (int i = 0; i < 3; i++) {
            int64_t cell = cells[i];
            if (cell < 0 || cell >= CORNER) continue;
            int64_t moved_first = first == cell ? blank : first;
            int64_t moved_second = second == cell ? blank : second;
            int64_t following = (moved_first * CORNER + moved_second) * CORNER + cell;
            if (AT(w->before, following) >= 0) continue;
            AT(w->before, following) = state;
            AT(w->queue, tail) = following;
            tail++;
        }
        head++;
        state = AT(w->queue, head);
    }
    int64_t length = 0;
    for (; state != begin; state = AT(w->before, state))
        AT(w->queue, length++) = AT(w->corner, state % CORNER);
    while (length > 0) slide_to(w, AT(w->queue, --length));
}

/* Bring the tiles of a line home and fix them, the last two together. `along` leads from a cell of the
   line to the next, `across` to the same cell of the next line. */
static void bring_home(
    struct construction *w, int64_t first, int64_t length, int64_t along, int64_t across
) {
    const int64_t *corner = w->corner;
    REQUIRE(w->corner_length >= CORNER);
    for (int64_t number = 0; number < length - 2; number++) {
        int64_t cell = first + number * along;
        carry(w, AT(w->wanted, cell), cell);
        AT(w->fixed, cell) = 1;
    }
    for (int64_t number = 0; number < CORNER; number++)
        w->corner[number] = first + (length - 2 + number % 2) * along + number / 2 * across;
    int64_t one = AT(w->wanted, corner[0]), two = AT(w->wanted, corner[1]);
    if (AT(w->places, one) != corner[0] || AT(w->places, two) != corner[1]) {
        carry(w, one, corner[1]);
        AT(w->fixed, corner[1]) = 1;
        /* Where it is inside already, carrying it might shut the blank in. */
        if (number_in(w, AT(w->places, two)) < 0) carry(w, two, corner[5]);
        int64_t place = AT(w->places, two);
        if (number_in(w, AT(w->places, 0)) < 0) {
            AT(w->fixed, place) = 1;
            walk_to(w, place == corner[2] ? corner[3] : corner[2]);
            AT(w->fixed, place) = 0;
        }
        move_in(w, one, two);
    }
    AT(w->fixed, corner[0]) = AT(w->fixed, corner[1]) = 1;
}

/* Solve the board and return the number of moves; -1 for one that cannot be solved. They first lead to
   the goal with its blank moved into the last corner, and from there back. */
KERNEL(construct, construct) {
    struct construction *w = &arguments->work;
    const int64_t columns = arguments->columns, size = arguments->rows * columns;
    int64_t rows = arguments->rows, blank = 0, *corner = w->corner;
    for (int64_t cell = 0; cell < size; cell++) {
        AT(w->places, AT(w->board, cell)) = cell;
        for (int direction = 0; direction < 4; direction++)
            AT(w->near, 4 * cell + direction) = cell_beside(cell, direction, size, columns);
        if (!AT(w->wanted, cell)) blank = cell;
    }
    int64_t down = rows - 1 - blank / columns, right = columns - 1 - blank % columns;
    for (int64_t number = 0; number < down + right; number++) {
        int64_t cell = blank + (number < down ? columns : 1);
        AT(w->wanted, blank) = AT(w->wanted, cell);
        blank = cell;
    }
    AT(w->wanted, blank) = 0;
    int64_t first = 0, width = columns;
    while (rows > 2 || width > 2) {
        if (rows >= width) {
            bring_home(w, first, width, 1, columns);
            rows--;
            first += columns;
        } else {
            bring_home(w, first, rows, columns, 1);
            width--;
            first++;
        }
    }
    corner[0] = first;
    corner[1] = first + 1;
    corner[2] = first + columns + 1;
    corner[3] = first + columns;
    int64_t place = number_in(w, AT(w->places, 0));
    bool is_solved = false;
    for (int turn = 0; turn < 12; turn++) {
        is_solved = true;
        for (int number = 0; number < 4; number++)
            is_solved &= AT(w->board, corner[number]) == AT(w->wanted, corner[number]);
        if (is_solved) continue;
        place = (place + 1) % 4;
        slide_to(w, corner[place]);
    }
    for (int64_t number = 0; number < right + down; number++) slide(w, number < right ? 1 : 0);
    return is_solved ? w->state[0] : -1;
}

/* --- shorten (engine/anytime/shortening.py describes rotations and chains) ----------------------- */

enum { ATTEMPTS = 4096, MOVES_CHANGED = 1 << 18, LEEWAY = 4, MOST_LABELS = 4096, MOST_IN_CHAIN = 64 };
enum { NO_COST = 100 }; /* the cost of what is not known, or need not be considered */

struct rotations {
    ARRAY(int32_t, times);  /* the moves before each */
    ARRAY(int8_t, blocks);  /* which block around the blank: 2 for below, plus 1 for to the right */
    MATRIX(int8_t, costs);  /* how many moves longer it makes the solution, round each way */
    ARRAY(int32_t, pairs);  /* for each entry its pair */
    MATRIX(int32_t, links); /* for each entry the one before with the same pair, and after; or -1 */
};
struct labels {
    ARRAY(int8_t, costs);    /* for each entry the cost of a chain between it and the first */
    ARRAY(int32_t, origins); /* for each entry the one before it on that chain */
    ARRAY(int32_t, free);    /* the first move, or behind the last, that this chain leaves as it is */
    ARRAY(int32_t, queue);   /* the entries with labels, in order */
    ARRAY(int32_t, chain);   /* two times the number of each rotation, plus 1 for the other way */
};
struct work {
    ARRAY(int8_t, moves); /* the solution, and free space after it */
    ARRAY(int8_t, other); /* room for as many */
    ARRAY(int16_t, start);
    ARRAY(int16_t, board);   /* room for a board */
    ARRAY(int32_t, last);    /* for each pair an entry; -1 between uses */
    ARRAY(uint64_t, chance); /* the state of a generator of random numbers */
};
struct shorten {
    struct work work;
    NUMBER(length);
    MATRIX(int32_t, near);
    struct rotations rotations;
    struct labels labels;
};

/* Return a random number below another: a linear congruential generator without its low bits. */
static int64_t draw(word *chance, int64_t below) {
    *chance = *chance * 6364136223846793005ull + 1442695040888963407ull;
    return (int64_t)((*chance >> 33) % (word)below);
}

/* Return how many moves longer a rotation makes a solution that begins with two directions. */
static int8_t cost_of(const int8_t *moves, int64_t length, int64_t time, int one, int two) {
    /* It is the same as another before this move, where the solution goes along one side more. */
    if (time > 0 && moves[time - 1] + one == 3) return NO_COST;
    const int wanted[] = {two, one, 3 - two, 3 - one};
    int along = 0;
    while (along < 4 && time + along < length && moves[time + along] == wanted[along]) along++;
    return (int8_t)(4 - 2 * along);
}

/* List the rotations that could be inserted into a solution; return how many there are. */
static int64_t list_all(struct shorten *a) {
    struct work *w = &a->work;
    struct rotations *r = &a->rotations;
    const int64_t kinds = w->board_length, length = a->length;
    int16_t *board = w->board;
    int64_t blank = 0, count = 0;
    for (int64_t cell = 0; cell < kinds; cell++) {
        board[cell] = AT(w->start, cell);
        if (!board[cell]) blank = cell;
    }
    for (int64_t time = 0; time <= length; time++) {
        for (int block = 0; block < 4; block++) {
            int upright = 3 * (block >> 1), level = 1 + (block & 1);
            const int32_t *near = ROW(a->near, blank);
            int32_t above = near[upright], beside = near[level];
            if (above < 0 || beside < 0) continue;
            AT(r->times, count) = (int32_t)time;
            AT(r->blocks, count) = (int8_t)block;
            ROW(r->costs, count)[0] = cost_of(w->moves, length, time, upright, level);
            ROW(r->costs, count)[1] = cost_of(w->moves, length, time, level, upright);
            int64_t one = board[above], two = board[ROW(a->near, above)[level]], three = board[beside];
            for (int number = 0; number < 3; number++) {
                int64_t first = number == 1 ? two : one, second = number == 0 ? two : three;
                int64_t entry = 3 * count + number;
                int64_t pair = smaller(first, second) * kinds + larger(first, second);
                int32_t before = AT(w->last, pair);
                AT(r->pairs, entry) = (int32_t)pair;
                ROW(r->links, entry)[0] = before;
                ROW(r->links, entry)[1] = -1;
                if (before >= 0) ROW(r->links, before)[1] = (int32_t)entry;
                AT(w->last, pair) = (int32_t)entry;
            }
            count++;
        }
        if (time < length) {
            int32_t cell = ROW(a->near, blank)[AT(w->moves, time)];
            board[blank] = board[cell];
            board[cell] = 0;
            blank = cell;
        }
    }
    for (int64_t entry = 0; entry < 3 * count; entry++) AT(w->last, AT(r->pairs, entry)) = -1;
    return count;
}

/* For tests. */
KERNEL(list_rotations, shorten) { return list_all(arguments); }

/* Label all that is reached from an entry, in one direction of time; return the labels. `side` is 1 for
   what the pair may become later, and 0 for what may become it. The queue has `first` labels of before,
   and that of the entry at its end. */
static int64_t spread(
    const struct rotations *r, struct labels *l, int64_t first, int64_t count, int64_t most, int side
) {
    for (int64_t place = first; place < count; place++) {
        int32_t entry = AT(l->queue, place), following = ROW(r->links, entry)[side];
        int64_t cost = AT(l->costs, entry);
        if (following < 0 || count + 3 > MOST_LABELS) continue;
        if (cost >= AT(l->costs, following)) continue;
        AT(l->costs, following) = (int8_t)cost;
        AT(l->origins, following) = entry;
        AT(l->free, following) = AT(l->free, entry);
        AT(l->queue, count++) = following;
        int32_t rotation = following / 3, number = following - 3 * rotation;
        for (int way = 0; way < 2; way++) {
            int32_t target = 3 * rotation + (number + (side ? 1 + way : 2 - way)) % 3;
            int64_t more = ROW(r->costs, rotation)[way], begin = AT(r->times, rotation);
            /* Half of the moves, rounded down: a cost beyond 4 makes it negative. */
            int64_t end = begin + ((4 - more) >> 1);
            if (side ? begin < AT(l->free, entry) : end > AT(l->free, entry)) continue;
            if (cost + more > most || cost + more >= AT(l->costs, target)) continue;
            AT(l->costs, target) = (int8_t)(cost + more);
            AT(l->origins, target) = following;
            AT(l->free, target) = (int32_t)(side ? end : begin);
            AT(l->queue, count++) = target;
        }
    }
    return count;
}

/* Write the rotations of the chain that led to an entry behind others; return how many. */
static int64_t write_chain(struct labels *l, int32_t entry, int64_t count, int side) {
    int32_t origin;
    for (; (origin = AT(l->origins, entry)) >= 0 && count < MOST_IN_CHAIN; entry = origin) {
        if (origin / 3 != entry / 3) continue;
        int32_t steps = (entry - origin + 3) % 3;
        AT(l->chain, count) = 2 * (entry / 3) + (side ? steps - 1 : 2 - steps);
        count++;
    }
    return count;
}

/* Write a cheapest chain with a given rotation; return how many it has, 0 for no chain. Only chains
   that cost nothing or less count. The rotations are in no order. */
static int64_t find_chain(struct shorten *a, int64_t first) {
    const struct rotations *r = &a->rotations;
    struct labels *l = &a->labels;
    int32_t *last = a->work.last;
    word *chance = a->work.chance;
    int64_t rotation = first >> 1, way = first & 1, number = draw(chance, 3);
    int32_t source = (int32_t)(3 * rotation + number);
    int32_t target = (int32_t)(3 * rotation + (number + 1 + way) % 3);
    int8_t cost = ROW(r->costs, rotation)[way];
    int32_t time = AT(r->times, rotation);
    AT(l->costs, source) = 0;
    AT(l->origins, source) = -1;
    AT(l->queue, 0) = source;
    AT(l->free, source) = time;
    int64_t before = spread(r, l, 0, 1, LEEWAY, 0);
    for (int64_t place = 0; place < before; place++) {
        int32_t entry = AT(l->queue, place), *known = last + AT(r->pairs, entry);
        if (*known < 0 || AT(l->costs, entry) < AT(l->costs, *known)) *known = entry;
    }
    AT(l->costs, target) = cost;
    AT(l->origins, target) = -1;
    AT(l->queue, before) = target;
    AT(l->free, target) = time + ((4 - cost) >> 1);
    int64_t count = spread(r, l, before, before + 1, LEEWAY, 1);
    int64_t least = 1, ties = 0, best = -1, length = 0;
    for (int64_t place = before; place < count; place++) {
        int32_t entry = AT(l->queue, place), known = last[AT(r->pairs, entry)];
        if (known < 0) continue;
        int64_t total = AT(l->costs, entry) + AT(l->costs, known);
        if (total < least) {
            least = total;
            ties = 0;
        }
        if (total == least && !draw(chance, ++ties)) best = entry;
    }
    if (best >= 0) {
        AT(l->chain, 0) = (int32_t)first;
        length = write_chain(l, (int32_t)best, 1, 1);
        length = write_chain(l, last[AT(r->pairs, best)], length, 0);
    }
    for (int64_t place = 0; place < count; place++) {
        AT(l->costs, AT(l->queue, place)) = NO_COST;
        last[AT(r->pairs, AT(l->queue, place))] = -1;
    }
    return length < MOST_IN_CHAIN ? length : 0;
}

/* Add a move behind others, or take back the one before it; return how many there are. */
static int64_t append(int8_t *moves, int64_t count, int direction) {
    if (count > 0 && moves[count - 1] + direction == 3) return count - 1;
    moves[count] = (int8_t)direction;
    return count + 1;
}

/* Write the moves with the rotations of a chain into `other`; return their number. */
static int64_t insert_chain(struct shorten *a, int64_t links) {
    struct work *w = &a->work;
    int32_t *chain = a->labels.chain;
    /* Put the rotations into the order of time. */
    for (int64_t place = 1; place < links; place++) {
        int32_t rotation = chain[place];
        int64_t at = place;
        for (; at > 0 && chain[at - 1] > rotation; at--) chain[at] = chain[at - 1];
        chain[at] = rotation;
    }
    int64_t count = 0, done = 0;
    for (int64_t link = 0; link < links; link++) {
        int64_t rotation = chain[link] >> 1, time = AT(a->rotations.times, rotation);
        int block = AT(a->rotations.blocks, rotation), way = chain[link] & 1;
        int upright = 3 * (block >> 1), level = 1 + (block & 1);
        int one = way ? level : upright, two = way ? upright : level;
        for (; done < time; done++) count = append(w->other, count, AT(w->moves, done));
        count = append(w->other, count, one);
        count = append(w->other, count, two);
        count = append(w->other, count, 3 - one);
        count = append(w->other, count, 3 - two);
        REQUIRE(count + 4 <= w->other_length);
    }
    for (; done < a->length; done++) count = append(w->other, count, AT(w->moves, done));
    return count;
}

/* Change a solution in some attempts; return how many. `length` becomes its length, no more than
   before. */
KERNEL(shorten, shorten) {
    struct shorten *a = arguments;
    struct work *w = &a->work;
    int64_t changed = 0, count = list_all(a);
    for (int64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        int64_t first = draw(w->chance, 2 * count);
        if (ROW(a->rotations.costs, first >> 1)[first & 1] > 0) continue;
        int64_t links = find_chain(a, first);
        if (links < 2) continue;
        int64_t others = insert_chain(a, links), same = 0;
        if (others > a->length) continue;
        while (same < others && w->other[same] == AT(w->moves, same)) same++;
        if (others == a->length && same == others) continue;
        a->length = others;
        memcpy(w->moves, w->other, (size_t)others);
        changed += others;
        if (changed >= MOVES_CHANGED) return attempt + 1;
        count = list_all(a);
    }
    return ATTEMPTS;
}

/* --- prove (engine/anytime/proof.py): IDA* with linear conflicts ---------------------------------- */

/* Facts of a board on the path: its blank, slack and Manhattan distance, the last direction of the
   blank, and the next one to try. */
struct step {
    int32_t blank, slack, distance, last, next;
};
struct line {
    int32_t first, step, count; /* its first cell, from each cell to the next, and how many */
};
struct lines {
    MATRIX(int32_t, of_cells); /* for each cell its row and column; behind them the blank's name */
    MATRIX(int32_t, facts);    /* a `struct line` for each row, then for each column */
    MATRIX(int32_t, scratch);  /* memory for the tiles of one line */
};
struct prove {
    ARRAY(int32_t, board);
    MATRIX(int32_t, path); /* a `struct step` for each depth */
    struct lines lines;
    MATRIX(int32_t, near);
    NUMBER(depth);
    NUMBER(budget);
};

/* Return how many tiles must leave their goal line: all but a longest increasing sequence. */
static int32_t steps_aside(const int32_t *board, int32_t number, int axis, const struct lines *lines) {
    const struct line *line = (const struct line *)ROW(lines->facts, number);
    int32_t *homes = ROW(lines->scratch, 0), *lengths = ROW(lines->scratch, 1);
    int32_t count = 0, longest = 0, cell = line->first;
    for (int32_t i = 0; i < line->count; i++, cell += line->step) {
        int32_t home = board[cell], length = 0;
        if (ROW(lines->of_cells, home)[axis] != number) continue;
        for (int32_t before = 0; before < count; before++)
            if (homes[before] < home && lengths[before] > length) length = lengths[before];
        homes[count] = home;
        lengths[count++] = ++length;
        if (length > longest) longest = length;
    }
    return count - longest;
}

/* Continue the search; return the nodes generated. `depth` becomes the depth reached, -1 when the tree
   is exhausted. A board at distance 0 ends the search too. */
KERNEL(prove, prove) {
    const struct lines *lines = &arguments->lines;
    struct step *path = (struct step *)arguments->path;
    int32_t *board = arguments->board;
    int64_t depth = arguments->depth, nodes = 0;
    while (nodes < arguments->budget && path[depth].distance > 0) {
        struct step *at = path + CHECKED(depth, arguments->path_rows - 1);
        int32_t blank = at->blank, direction = at->next;
        if (direction == 4) {
            if (--depth < 0) break;
            int32_t cell = path[depth].blank, tile = board[cell];
            board[cell] = board[blank];
            board[blank] = tile;
            continue;
        }
        at->next++;
        int32_t cell = ROW(arguments->near, blank)[direction];
        if (cell < 0 || direction + at->last == 3) continue;
        nodes++;
        int32_t tile = AT(arguments->board, cell), hole = board[blank];
        int axis = direction == 0 || direction == 3 ? 0 : 1;
        /* The tile's goal line, its line, and its next line. */
        int32_t its = ROW(lines->of_cells, tile)[axis], old = ROW(lines->of_cells, cell)[axis];
        int32_t new = ROW(lines->of_cells, blank)[axis];
        bool strays = __builtin_abs(new - its) > __builtin_abs(old - its);
        bool is_home = its == old || its == new;
        int32_t slack = at->slack - strays;
        if (is_home)
            slack += steps_aside(board, its, axis, lines);
        else if (slack < 0)
            continue;
        board[blank] = tile;
        board[cell] = hole;
        if (is_home) slack -= steps_aside(board, its, axis, lines);
        if (slack < 0) {
            board[blank] = hole;
            board[cell] = tile;
            continue;
        }
        int32_t distance = at->distance + (strays ? 1 : -1);
        path[++depth] = (struct step){cell, slack, distance, direction, 0};
    }
    arguments->depth = depth;
    return nodes;
}
