/* Shortest solutions in slides on classic boards of up to 16 cells: tables of relabelled tiles, and
   iterative deepening with them.

   Values of disjoint patterns do not add up here, because one slide moves tiles of many patterns. So
   the tiles are relabelled instead: each gets one of four classes, tiles of a class are alike, and a
   table has the distance of every arrangement of classes. It never exceeds that of the board.

       . a b b        a slide moves the blank anywhere in its row or column, so the boards that differ
       c c b b        by the place of the blank in its row form a line: the blank's row, and the order
       c c d d        of all tiles, read row by row without the blank. Columns form lines in the same
       c d d d        way. Shortest solutions alternate between rows and columns.

   A board lies on two lines, that of its row and that of its column, and a slide along a row leads to
   the column line of each board of the row line: lines are the vertices of a graph, boards its edges.

   An order is a word of two bits a tile, the first tile lowest. Its number is the sum of two table
   values, for its first half, the head, and for the rest, the tail. Moving the blank along a row keeps
   the order by rows; in the order by columns, one tile passes the tiles between:

       by columns   [c c c a] c c d b b d d b b d d       the blank goes from the first column to the
                    [a c c c] c c d b b d d b b d d       second, and a to the first: a field rotates

   A table has an entry for each line, two bits for each place that the blank may go to, the first
   lowest: 0, 1 or 2 if the distance falls by one, stays or rises by one. A search therefore reads one
   entry for all successors of a board. Entries for more than four places take two bytes. */
#include "common.h"
#include "search.h"

enum { ROWS, COLUMNS };
enum { CLASSES = 4, NOT_REACHED = 255 };

struct orders {
    ARRAY(int32_t, starts); /* for each head, the number of its first order */
    ARRAY(int32_t, ranks);  /* for each tail, its rank among the tails with equal counts */
    NUMBER(head_bits);
    NUMBER(total);
};
struct tails {
    ARRAY(int32_t, of_head); /* for each head, the counts of its tails, or -1 for none */
    ARRAY(int32_t, begins);  /* for each counts, where its tails begin, and at the end their number */
    ARRAY(uint16_t, tails);
};
struct turn {
    MATRIX(int32_t, heads); /* for each line and head, the bits of its tiles in the other word */
    MATRIX(int32_t, tails);
    NUMBER(length); /* places of a line of this kind */
    NUMBER(other);  /* places of a line of the other kind: the number of these lines */
};

INLINED int64_t number_of(word order, const struct orders *orders) {
    word head = order & ((1ull << orders->head_bits) - 1);
    return AT(orders->starts, head) + AT(orders->ranks, order >> orders->head_bits);
}

/* Return a word after the last tile of a field moved to its front: the blank went forward. The field
   begins with tile number `tile`. `field` is the mask of one at bit 0, or of one in each half of a
   word, and `top` the first bit of its last tile. */
INLINED word passed_forward(word order, word tile, word field, word top) {
    word tiles = order >> 2 * tile & field;
    return order ^ (tiles ^ ((tiles << 2 | tiles >> top) & field)) << 2 * tile;
}

/* The same after the first tile moved to the end: the blank went back. */
INLINED word passed_back(word order, word tile, word field, word top) {
    word tiles = order >> 2 * tile & field;
    return order ^ (tiles ^ ((tiles >> 2 | tiles << top) & field)) << 2 * tile;
}

/* --- tables (tables/relabelled.py) -------------------------------------------------------------- */

struct number_orders {
    NUMBER(counts);
    NUMBER(tiles);
    struct orders orders;
    struct tails tails;
};

/* Return how many of the tiles of a word are in each class, four bits a class. */
static int64_t counts_in(int64_t tiles, int64_t number) {
    int64_t counts = 0;
    for (int64_t tile = 0; tile < number; tile++) counts += 1ll << 4 * (tiles >> 2 * tile & 3);
    return counts;
}

/* Number the orders of tiles with these counts of classes; return how many there are. */
KERNEL(number_orders, number_orders) {
    const int64_t in_head = arguments->tiles / 2, in_tail = arguments->tiles - in_head;
    const int64_t counts = arguments->counts;
    struct orders *orders = &arguments->orders;
    struct tails *lists = &arguments->tails;
    for (int64_t tail = 0; tail < orders->ranks_length; tail++)
        orders->ranks[tail] = AT(lists->begins, counts_in(tail, in_tail) + 1)++;
    for (int64_t key = 1; key < lists->begins_length; key++)
        lists->begins[key] += lists->begins[key - 1];
    for (int64_t tail = 0; tail < orders->ranks_length; tail++) {
        int64_t place = AT(lists->begins, counts_in(tail, in_tail)) + orders->ranks[tail];
        AT(lists->tails, place) = (uint16_t)tail;
    }
    int64_t end = 0;
    for (int64_t head = 0; head < orders->starts_length; head++) {
        int64_t own = counts_in(head, in_head);
        bool fits = true;
        for (int shift = 0; shift < 4 * CLASSES; shift += 4)
            fits &= (own >> shift & 15) <= (counts >> shift & 15);
        orders->starts[head] = (int32_t)end;
        lists->of_head[head] = fits ? (int32_t)(counts - own) : -1;
        if (fits) end += AT(lists->begins, counts - own + 1) - AT(lists->begins, counts - own);
    }
    return end;
}

struct fill_turn {
    struct turn turn;
    NUMBER(tiles);
};

/* Write the bits of all heads and tails in the other words. */
KERNEL(fill_turn, fill_turn) {
    struct turn *turn = &arguments->turn;
    const int64_t in_head = arguments->tiles / 2;
    for (int64_t line = 0; line < turn->other; line++)
        for (int half = 0; half < 2; half++) {
            int32_t *row = half ? ROW(turn->tails, line) : ROW(turn->heads, line);
            int64_t rows = half ? turn->tails_columns : turn->heads_columns;
            int64_t first = half ? in_head : 0, count = half ? arguments->tiles - in_head : in_head;
            for (int64_t tiles = 0; tiles < rows; tiles++) {
                int64_t bits = 0;
                for (int64_t tile = 0; tile < count; tile++) {
                    /* The blank is in the first place of its line, and this cell is not. */
                    int64_t cell = first + tile;
                    cell += cell >= line * turn->length;
                    int64_t place = cell / turn->length;
                    int64_t other = (cell - place * turn->length) * turn->other + place;
                    other -= other > line;
                    bits |= (tiles >> 2 * tile & 3) << 2 * other;
                }
                row[tiles] = (int32_t)bits;
            }
        }
    return 0;
}

/* The lines of one kind, and their neighbours of the other. */
struct lines {
    ARRAY(uint8_t, near); /* the distances of the lines */
    ARRAY(uint8_t, far);  /* and of their neighbours */
    struct orders orders;
    struct tails tails;
    struct turn turn;
};
struct sweep_lines {
    NUMBER(level);
    struct lines lines;
    ARRAY(uint8_t, entries); /* empty while distances are computed */
    NUMBER(first);
    NUMBER(last);
};

/* Assign the next level to neighbours of lines at a level; return the number of lines there. Write the
   entries of all lines instead, if there are any. The range is one of heads, counted through all
   lines. Threads may write the same distance at the same time. */
KERNEL(sweep_lines, sweep_lines) {
    const struct orders *orders = &arguments->lines.orders;
    const struct tails *lists = &arguments->lines.tails;
    const struct turn *turn = &arguments->lines.turn;
    uint8_t *near = arguments->lines.near, *far = arguments->lines.far;
    const bool writes = arguments->entries_length > 0;
    const int64_t heads = orders->starts_length, level = arguments->level;
    const word field = (1ull << 2 * turn->other) - 1, top = (word)(2 * turn->other - 2);
    int64_t reached = 0;
    for (int64_t number = arguments->first; number < arguments->last; number++) {
        int64_t line = number / heads, head = number - line * heads;
        int64_t tiles = AT(lists->of_head, head);
        if (tiles < 0) continue;
        int64_t index = line * orders->total + AT(orders->starts, head);
        int32_t turned = ROW(turn->heads, line)[CHECKED(head, turn->heads_columns)];
        const int32_t *turned_tails = ROW(turn->tails, line);
        int64_t end = AT(lists->begins, tiles + 1);
        for (int64_t tail = AT(lists->begins, tiles); tail < end; tail++, index++) {
            int64_t distance = near[CHECKED(index, arguments->lines.near_length)];
            if (!writes && distance != level) continue;
            reached++;
            int64_t entry = 0;
            int64_t rest = CHECKED(AT(lists->tails, tail), turn->tails_columns);
            word order = (uint32_t)(turned | turned_tails[rest]);
            for (int64_t place = 0; place < turn->length; place++) {
                int64_t neighbour = place * orders->total + number_of(order, orders);
                REQUIRE(neighbour < arguments->lines.far_length);
                if (writes)
                    entry |= ((far[neighbour] - distance + 1) & 3) << 2 * place;
                else if (far[neighbour] == NOT_REACHED)
                    far[neighbour] = (uint8_t)(level + 1);
                if (place + 1 < turn->length)
                    order = passed_forward(order, (word)(place * turn->other + line), field, top);
            }
            if (!writes) continue;
            if (turn->length > CLASSES) {
                AT(arguments->entries, 2 * index) = (uint8_t)entry;
                AT(arguments->entries, 2 * index + 1) = (uint8_t)(entry >> 8);
            } else {
                AT(arguments->entries, index) = (uint8_t)entry;
            }
        }
    }
    return reached;
}

/* --- the search (engine/general/slides.py) -------------------------------------------------------

   A node is a board and the kind of its next slide, by row or by column. The kinds alternate, because
   two slides in one line are one, and the start is two nodes. A view is a table, or a table and the
   mirror image of the board. A slide to a place subtracts 0, 1 or 2, two bits of the entry, from the
   slack of a view. All distances are 0 before the last slide: it can only bring the blank home, and
   then the board is compared with the goal. */

enum { VIEWS = 4, NEVER = 1 << 20 };
#define EACH_VIEW 0x0001000100010001ull
#define DROPS (3 * EACH_VIEW)
#define SIGNS (EACH_VIEW << 15)
#define MUCH (EACH_VIEW << 14)

struct frame {
    word own[2];   /* the orders in the direction of the next slide, of two views in each word */
    word other[2]; /* those in the other direction, which the next slide changes */
    word entries;  /* for each view, 16 bits: the change of distance for each place of the blank */
    word slack;    /* for each view, 16 bits: the bound minus the slides needed at least */
    word next, end;         /* the place to be tried next, and the one after the last */
    word place, line, kind; /* where the blank is, in which line, and its kind */
    word rest[5];
};
struct slide_tree {
    struct orders orders;
    ARRAY(uint64_t, addresses); /* for each kind of lines and each view, where its entries begin */
    MATRIX(uint8_t, classes);   /* for each view, the class of the tile that belongs in each cell */
    ARRAY(int32_t, cells);      /* for each cell of the tables, that of the form; of the path too */
    ARRAY(int32_t, image);      /* for each cell of the form, that of the tables */
    ARRAY(uint64_t, fields);    /* for each kind, the field of its slides in both halves of a word */
    ARRAY(int64_t, lengths);    /* for each kind, the places of a line */
    ARRAY(int64_t, strides);    /* the cells from a line to the next, or from a place to the next */
    NUMBER(blank);              /* the cell of the blank in the goal */
};
struct slide_walk {
    ARRAY(int64_t, state);
    ARRAY(int32_t, path);    /* the cells of the blank */
    MATRIX(uint64_t, frames); /* the nodes on the path; last the start, with its other kind */
    ARRAY(uint8_t, board);   /* the start: where the tile in each cell belongs, the blank included */
};
struct enter_slides {
    struct slide_walk walk;
    struct slide_tree tree;
};
struct slide_on {
    NUMBER(budget);
    struct slide_walk walk;
    struct slide_tree tree;
};

INLINED word entry_of(const struct slide_tree *tree, word kind, int view, word line, word order) {
    word index = line * (word)tree->orders.total + (word)number_of(order, &tree->orders);
    const uint8_t *entries = (const uint8_t *)(uintptr_t)AT(tree->addresses, kind * VIEWS + (word)view);
    if (tree->lengths[kind] <= CLASSES) return entries[index];
    return entries[2 * index] | (word)entries[2 * index + 1] << 8;
}

/* Return the orders in the other direction after the blank slid along its line; `passed` is the length
   of a line of the other kind. */
INLINED word slid(word order, word passed, word field, word line, word place, word target) {
    const word top = 2 * passed - 2;
#pragma clang loop unroll(disable) vectorize(disable)
    for (; place < target; place++) order = passed_forward(order, place * passed + line, field, top);
#pragma clang loop unroll(disable) vectorize(disable)
    for (; place > target; place--)
        order = passed_back(order, (place - 1) * passed + line, field, top);
    return order;
}

/* Return the distance of a line in a view: the number of slides that shorten it. */
static int64_t distance_of(
    const struct slide_tree *tree, int view, word kind, word line, word place, word own, word other
) {
    for (int64_t distance = 0;; distance++) {
        word entry = entry_of(tree, kind, view, line, own), target = 0;
        word length = (word)tree->lengths[kind];
        for (; target < length && entry & 3; target++) entry >>= 2;
        if (target == length) return distance;
        word passed = (word)tree->lengths[1 - kind];
        other = slid(other, passed, tree->fields[kind], line, place, target);
        word turned = own;
        own = other;
        other = turned;
        place = line;
        line = target;
        kind = 1 - kind;
    }
}

/* Write the board at the end of the path, and return the cell of its blank. */
static int64_t replay(
    const struct slide_walk *walk, const struct slide_tree *tree, int64_t depth, uint8_t *board
) {
    const int64_t columns = tree->lengths[ROWS];
    REQUIRE(walk->board_length <= 16);
    memcpy(board, walk->board, (size_t)walk->board_length);
    int64_t blank = AT(tree->image, walk->path[0]);
    for (int64_t step = 1; step <= depth; step++) {
        int64_t target = AT(tree->image, AT(walk->path, step));
        int64_t change = blank / columns == target / columns ? 1 : columns;
        if (target < blank) change = -change;
        for (; blank != target; blank += change)
            board[CHECKED(blank, walk->board_length)] = board[blank + change];
        board[blank] = (uint8_t)tree->blank;
    }
    return blank;
}

static bool is_solved(const struct slide_walk *walk, const struct slide_tree *tree, int64_t depth) {
    uint8_t board[16];
    replay(walk, tree, depth, board);
    for (int64_t cell = 0; cell < walk->board_length; cell++)
        if (board[cell] != cell) return false;
    return true;
}

INLINED word line_of(const struct slide_tree *tree, word kind, int64_t cell) {
    return (word)(kind == ROWS ? cell / tree->lengths[ROWS] : cell % tree->lengths[ROWS]);
}

/* Restrict a node to one slide, which brings the blank home. */
static void limit_to_goal(struct frame *frame, const struct slide_tree *tree) {
    frame->slack = MUCH;
    frame->next = line_of(tree, 1 - frame->kind, tree->blank);
    frame->end = frame->next + 1;
}

/* Return the order of the tiles of a board for one kind of lines. */
static word order_of(
    const uint8_t *board, int64_t blank, const struct slide_tree *tree, word kind, int view
) {
    const int64_t length = tree->lengths[kind];
    const uint8_t *classes = ROW(tree->classes, view);
    word order = 0, tile = 0;
    for (int64_t number = 0; number < tree->cells_length; number++) {
        int64_t line = number / length;
        int64_t cell = line * tree->strides[kind] + (number - line * length) * tree->strides[1 - kind];
        if (cell != blank) order |= (word)classes[board[cell]] << 2 * tile++;
    }
    return order;
}

/* Make the nodes at the end of the path, and return a lower bound on its slides. The start has two
   nodes, any other board on a path one. */
KERNEL(enter_slides, enter_slides) {
    const struct slide_walk *walk = &arguments->walk;
    const struct slide_tree *tree = &arguments->tree;
    const int64_t depth = walk->state[DEPTH], left = walk->state[BOUND] - depth;
    const int64_t columns = tree->lengths[ROWS];
    uint8_t board[16];
    int64_t blank = replay(walk, tree, depth, board), least = NEVER;
    int64_t before = AT(tree->image, AT(walk->path, larger(0, depth - 1)));
    word last_kind = before / columns == blank / columns ? ROWS : COLUMNS;
    for (word kind = 0; kind < 2; kind++) {
        if (depth && kind == last_kind) continue;
        bool is_first = depth || kind == ROWS;
        struct frame *frame =
            (struct frame *)ROW(walk->frames, is_first ? depth : walk->frames_rows - 1);
        memset(frame, 0, sizeof *frame);
        frame->line = line_of(tree, kind, blank);
        frame->place = line_of(tree, 1 - kind, blank);
        frame->kind = kind;
        frame->end = (word)tree->lengths[kind];
        int64_t needed = 0;
        for (int view = 0; view < VIEWS; view++) {
            word own = order_of(board, blank, tree, kind, view);
            word other = order_of(board, blank, tree, 1 - kind, view);
            frame->own[view / 2] |= own << 32 * (view & 1);
            frame->other[view / 2] |= other << 32 * (view & 1);
            frame->entries |= entry_of(tree, kind, view, frame->line, own) << 16 * view;
            int64_t distance =
                distance_of(tree, view, kind, frame->line, frame->place, own, other);
            frame->slack |= (word)larger(0, left - 1 - distance) << 16 * view;
            needed = larger(needed, 1 + distance);
        }
        least = smaller(least, needed);
        if (needed > left)
            frame->end = 0;
        else if (left == 1)
            limit_to_goal(frame, tree);
    }
    return least;
}

/* Continue the search until it stops or `budget` nodes are generated. */
KERNEL(slide_on, slide_on) {
    const struct slide_walk *walk = &arguments->walk;
    /* A copy, which nothing that is written can change. */
    const struct slide_tree copy = arguments->tree, *tree = &copy;
    int64_t *state = walk->state;
    const int64_t base = state[BASE], floor = state[FLOOR], bound = state[BOUND];
    const int64_t budget = arguments->budget;
    const word strides[] = {(word)tree->strides[0], (word)tree->strides[1]};
    const word lengths[] = {(word)tree->lengths[0], (word)tree->lengths[1]};
    const word fields[] = {tree->fields[0], tree->fields[1]};
    struct frame *frames = (struct frame *)walk->frames, *spare = frames + walk->frames_rows - 1;
    int64_t depth = state[DEPTH], nodes = 0, stop = 0;
    while (nodes < budget) {
        struct frame *before = frames + CHECKED(depth, walk->frames_rows);
        word target = before->next;
        if (target >= before->end) {
            if (--depth >= base) continue;
            if (!spare->end) break;
            depth = base;
            frames[depth] = *spare;
            spare->end = 0;
            continue;
        }
        before->next = target + 1;
        if (target == before->place) continue;
        nodes++;
        word slack = before->slack - (before->entries >> 2 * target & DROPS);
        if (slack & SIGNS) continue;
        word kind = before->kind, line = before->line, place = before->place, next_kind = 1 - kind;
        depth++;
        AT(walk->path, depth) = AT(tree->cells, line * strides[kind] + target * strides[next_kind]);
        struct frame *after = before + 1;
        if (depth == bound) {
            if (is_solved(walk, tree, depth)) {
                after->next = after->end = 0;
                stop = GOAL;
                break;
            }
            depth--;
            continue;
        }
        word passed = lengths[next_kind], field = fields[kind];
        word first = slid(before->other[0], passed, field, line, place, target);
        word second = slid(before->other[1], passed, field, line, place, target);
        after->other[0] = before->own[0];
        after->other[1] = before->own[1];
        after->own[0] = first;
        after->own[1] = second;
        after->kind = next_kind;
        after->line = target;
        after->place = line;
        if (depth == floor) {
            after->next = after->end = 0;
            stop = FLOOR_MET;
            break;
        }
        if (depth + 1 == bound) {
            limit_to_goal(after, tree);
            continue;
        }
        after->entries = entry_of(tree, next_kind, 0, target, first & UINT32_MAX) |
            entry_of(tree, next_kind, 1, target, first >> 32) << 16 |
            entry_of(tree, next_kind, 2, target, second & UINT32_MAX) << 32 |
            entry_of(tree, next_kind, 3, target, second >> 32) << 48;
        after->slack = slack;
        after->next = 0;
        after->end = lengths[next_kind];
    }
    state[DEPTH] = depth;
    state[STOP] = stop;
    state[EXCESS] = 1;
    state[NODES] += nodes;
    return 0;
}
