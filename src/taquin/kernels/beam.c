/* Beam search (engine/anytime/beam.py), the value of boards (value.py), and the threads that make
   the levels of one beam together (team.py).

   listed successors -- sort --> in order of value -- choose --> origins of the next level
          ^                                                         |
          +------------------ list ------------- its boards <- make-+                        */
#include "common.h"

/* --- boards and their values ------------------------------------------------------------------- */

enum { REACH = 2, SIDE = 2 * REACH + 1 };
enum { RIM = SIDE * SIDE, NO_TILE, KINDS }; /* kinds of neighbours after those of displacements */
enum { OFFSETS = 12 };   /* the cells around a cell that make pairs with it */
enum { HOME_BITS = 11 }; /* of an item, which name a tile; its kind is above them */
enum { ROW_OF, COLUMN_OF };

/* What values depend on. Of a classic puzzle an item of a board is the tile's home with its kind
   above it, and the last two arrays are empty; else an item is an id, and the others are empty. */
struct terms {
    MATRIX(uint16_t, around); /* for each cell the OFFSETS cells around it, or the rim */
    MATRIX(int32_t, lines);   /* for each cell its row and its column */
    MATRIX(int32_t, singles); /* what a tile adds alone, by its distances from home */
    MATRIX(int32_t, pairs);   /* for each kind of a tile, KINDS numbers an offset: what it adds */
    MATRIX(int32_t, weights); /* for each id and cell, what it adds */
    MATRIX(uint8_t, wrong);   /* for each id and cell, 1 where the goal wants another id there */
};

/* A tile that goes to the blank's cell. */
struct step {
    int64_t tile, cell, blank, direction; /* the direction is where the *blank* goes */
};

INLINED int64_t kind_of(int64_t down, int64_t right) {
    down = larger(-REACH, smaller(REACH, down));
    return (down + REACH) * SIDE + larger(-REACH, smaller(REACH, right)) + REACH;
}

INLINED int64_t tile_of(int64_t item, bool is_classic) {
    return is_classic ? item & ((1 << HOME_BITS) - 1) : item;
}

/* Return the item for a tile in a cell. */
INLINED uint16_t item_in(const struct terms *terms, int64_t tile, int64_t cell, bool is_classic) {
    if (!is_classic) return (uint16_t)tile;
    const int32_t *home = ROW(terms->lines, tile), *at = ROW(terms->lines, cell);
    int64_t kind = kind_of(at[ROW_OF] - home[ROW_OF], at[COLUMN_OF] - home[COLUMN_OF]);
    return (uint16_t)(tile | kind << HOME_BITS);
}

INLINED int64_t single(const struct terms *terms, int64_t down, int64_t right) {
    const int32_t *row = ROW(terms->singles, down < 0 ? -down : down);
    return row[CHECKED(right < 0 ? -right : right, terms->singles_columns)];
}

/* Return what a step changes the value of a board by. */
INLINED int64_t change_by(
    const struct terms *terms, const uint16_t *board, const struct step *step, bool is_classic
) {
    if (!is_classic) {
        const int32_t *weights = ROW(terms->weights, step->tile);
        return (int64_t)weights[step->blank] - weights[step->cell];
    }
    const int32_t *home = ROW(terms->lines, step->tile);
    const int32_t *from = ROW(terms->lines, step->cell), *to = ROW(terms->lines, step->blank);
    int64_t down = to[ROW_OF] - home[ROW_OF], right = to[COLUMN_OF] - home[COLUMN_OF];
    int64_t value = single(terms, down, right);
    value -= single(terms, from[ROW_OF] - home[ROW_OF], from[COLUMN_OF] - home[COLUMN_OF]);
    int64_t kind = board[step->cell] >> HOME_BITS;
    const int32_t *before = ROW(terms->pairs, kind);
    const int32_t *after = ROW(terms->pairs, kind_of(down, right));
    const uint16_t *around_cell = ROW(terms->around, step->cell);
    const uint16_t *around_blank = ROW(terms->around, step->blank);
    /* The tile itself is counted as a neighbour of the cell that it goes to. */
    int32_t pairs = -after[KINDS * step->direction + kind];
    for (int64_t place = 0; place < OFFSETS; place++) {
        pairs += after[KINDS * place + (board[around_blank[place]] >> HOME_BITS)];
        pairs -= before[KINDS * place + (board[around_cell[place]] >> HOME_BITS)];
    }
    return value + pairs;
}

/* Return how many cells are wrong after a step, the blank's not counted if it has one home. */
INLINED int64_t misses_after(
    const struct terms *terms, int64_t misses, const struct step *step, bool is_classic
) {
    if (is_classic) return misses + (step->tile != step->blank) - (step->tile != step->cell);
    const uint8_t *tile = ROW(terms->wrong, step->tile), *blank = ROW(terms->wrong, 0);
    return misses + tile[step->blank] + blank[step->cell] - tile[step->cell] - blank[step->blank];
}

struct box {
    NUMBER(top);
    NUMBER(left);
    NUMBER(bottom);
    NUMBER(right);
};
struct view_board {
    ARRAY(int16_t, board);  /* the id in each cell of the whole board */
    ARRAY(int32_t, homes);  /* the goal cell of each id */
    NUMBER(columns);
    struct box outer;       /* the cells of the view */
    struct box inner;       /* those that the blank, which is there, stays in */
    ARRAY(uint16_t, items); /* the items of the view, and the rim's behind them */
    MATRIX(int32_t, lines); /* as in `terms` */
    MATRIX(int32_t, near);  /* for each cell and direction the neighbouring cell, or -1 */
    NUMBER(misses);         /* the result: how many cells are wrong */
};

/* Write what a beam in a box of a classic puzzle reads; return the cell of the blank. Tiles that
   belong outside `outer` get numbers above its cells'. */
KERNEL(view_board, view_board) {
    struct view_board *a = arguments;
    const struct box *outer = &a->outer, *inner = &a->inner;
    const int64_t height = outer->bottom - outer->top, width = outer->right - outer->left;
    const int64_t size = height * width;
    int64_t number = size, blank = 0, misses = 0;
    for (int64_t cell = 0; cell < size; cell++) {
        int64_t row = cell / width, column = cell % width;
        int64_t top = outer->top + row, left = outer->left + column;
        int32_t *line = ROW(a->lines, cell), *near = ROW(a->near, cell);
        line[ROW_OF] = (int32_t)row;
        line[COLUMN_OF] = (int32_t)column;
        bool is_open = inner->top <= top && top < inner->bottom;
        is_open &= inner->left <= left && left < inner->right;
        near[0] = (int32_t)(is_open && top > inner->top ? cell - width : -1);
        near[1] = (int32_t)(is_open && left > inner->left ? cell - 1 : -1);
        near[2] = (int32_t)(is_open && left + 1 < inner->right ? cell + 1 : -1);
        near[3] = (int32_t)(is_open && top + 1 < inner->bottom ? cell + width : -1);
        int64_t tile = AT(a->board, top * a->columns + left);
        if (tile == 0) {
            blank = cell;
            AT(a->items, cell) = NO_TILE << HOME_BITS;
            continue;
        }
        int64_t down = AT(a->homes, tile) / a->columns - outer->top;
        int64_t right = AT(a->homes, tile) % a->columns - outer->left;
        int64_t home = down * width + right;
        if (down < 0 || down >= height || right < 0 || right >= width) {
            home = number++;
            ROW(a->lines, home)[ROW_OF] = (int32_t)down;
            ROW(a->lines, home)[COLUMN_OF] = (int32_t)right;
        }
        AT(a->items, cell) = (uint16_t)(home | kind_of(row - down, column - right) << HOME_BITS);
        misses += home != cell;
    }
    AT(a->items, size) = RIM << HOME_BITS;
    a->misses = misses;
    return blank;
}

/* --- threads of one beam ------------------------------------------------------------------------
   All members of a team see `words`, in which each number has a cache line of its own. */

enum { LINE = 8 }; /* numbers in a cache line */
enum {
    /* The number of the level, the chunks taken and those published, of NUMBER_BITS each; the
       level's keeps a late member from taking a chunk of a level that is over. */
    CHUNK_NUMBERS = 0,
    DONE = LINE,           /* chunks done */
    STOP = 2 * LINE,       /* set when the members should return to Python */
    MEMBERS = 3 * LINE,    /* threads of the team */
    COUNT = 4 * LINE,      /* boards of the level, once they are chosen */
    CHUNK_SIZE = 5 * LINE, /* boards of each chunk, of which the last may have fewer */
    CHUNKS = 6 * LINE,     /* chunks of the level, once it is chosen */
    SOURCE = 7 * LINE,     /* the address of the facts of the level before it */
    RESULTS = 8 * LINE,    /* a line for each chunk, with these results: */
};
/* The number of successors, their least and greatest value, and the first solved board or -1. */
enum { SUCCESSORS, LEAST, MOST, SOLVED };
enum { NUMBER_BITS = 20, NUMBER_MASK = (1 << NUMBER_BITS) - 1 };
enum { CHUNKS_PER_MEMBER = 3 };           /* of a level, so that all end at about the same time */
enum { LEAST_CHUNK = 16 };                /* the fewest boards of a chunk */
enum { LEAST_SHARED = 100 };              /* the fewest of a level to share: fewer gain nothing */
enum { POLITE = 1 << 6 };                 /* checks after which a waiting thread yields its core */
enum { PATIENCE = 1 << 16 };              /* checks before a member returns: about a millisecond */
static const int64_t UNKNOWN = 1ll << 60; /* the boards of a level before they are chosen */

/* Begin a level of at most so many boards; return the boards of a chunk. */
static int64_t begin_level(int64_t *words, int64_t most, const int32_t *source) {
    int64_t chunks = 1;
    if (words[MEMBERS] > 1 && most >= LEAST_SHARED)
        chunks = smaller(CHUNKS_PER_MEMBER * words[MEMBERS], most / LEAST_CHUNK);
    atomic_store(words + COUNT, UNKNOWN);
    words[CHUNK_SIZE] = (most + chunks - 1) / chunks;
    words[SOURCE] = (int64_t)(intptr_t)source;
    words[DONE] = 0;
    word level = (word)words[CHUNK_NUMBERS] >> 2 * NUMBER_BITS;
    /* The caller does chunk 0 itself: it may be the only one. */
    level = (level + 1) << 2 * NUMBER_BITS | 1 << NUMBER_BITS;
    atomic_store(words + CHUNK_NUMBERS, (int64_t)level);
    return words[CHUNK_SIZE];
}

/* Let members do the next chunk. */
static void publish_chunk(int64_t *words) { atomic_add(words + CHUNK_NUMBERS, 1); }

/* Publish the last chunk, if it has fewer boards than the others, now that all are chosen. */
static void complete_level(int64_t *words, int64_t count) {
    const int64_t size = words[CHUNK_SIZE];
    atomic_store(words + COUNT, count);
    words[CHUNKS] = (count + size - 1) / size;
    if (count % size) publish_chunk(words);
}

/* Return the number of a published chunk that nobody else does; 0 where there is none. */
static int64_t take_chunk(int64_t *words) {
    for (;;) {
        int64_t numbers = atomic_load(words + CHUNK_NUMBERS);
        int64_t taken = numbers >> NUMBER_BITS & NUMBER_MASK;
        if (taken >= (numbers & NUMBER_MASK)) return 0;
        if (atomic_swap(words + CHUNK_NUMBERS, numbers, numbers + (1 << NUMBER_BITS))) return taken;
    }
}

/* Wait for a chunk to do and return its number; 0 to return to Python. */
static int64_t await_chunk(int64_t *words) {
    for (int64_t left = PATIENCE; left && !atomic_load(words + STOP);) {
        int64_t chunk = take_chunk(words);
        if (chunk) return chunk;
        if (--left % POLITE == 0) give_way();
    }
    return 0;
}

/* Wait until all chunks of a level are done. */
static void await_others(int64_t *words) {
    for (int64_t checks = 1; atomic_load(words + DONE) < words[CHUNKS]; checks++)
        if (checks % POLITE == 0) give_way();
}

/* --- beams ------------------------------------------------------------------------------------ */

/* Facts of a board: value minus the start's value, wrong cells, blank, last direction. */
enum { VALUE, MISSES, BLANK, LAST };
/* The boards of one depth, in the order of selection. */
struct level {
    MATRIX(uint16_t, cells); /* the items of each board, in whole words of 64 bits */
    MATRIX(int32_t, facts);  /* VALUE, MISSES, BLANK and LAST of each board */
    ARRAY(uint64_t, hashes); /* the hash of each board */
};

/* The successors of a level. An *origin* is the number of the parent, five bits with the tiles that
   move, and two with the direction of the blank. */
enum { HALF = 32, PARENT = 7, MOST_STEPS = 31 };
struct candidates {
    ARRAY(uint64_t, hashes);
    ARRAY(int64_t, facts);          /* the value in the upper half, the origin in the lower */
    ARRAY(uint64_t, sorted_hashes); /* in order of value, for sequential reads */
    ARRAY(int64_t, sorted_facts);
    ARRAY(int32_t, buckets); /* memory for sorting */
};
struct beam_rules {
    NUMBER(slides);        /* whether a move is a slide of any number of tiles, or of one */
    MATRIX(int32_t, near); /* the cells that the blank may go to */
    struct terms terms;
    ARRAY(uint64_t, tile_keys); /* the hash of a board is the sum of tile key times cell key */
    ARRAY(uint64_t, cell_keys);
};
struct quota {
    NUMBER(width);         /* the maximum number of boards of a level in all */
    NUMBER(per_cell);      /* the maximum number of boards with the blank in the same cell */
    ARRAY(int32_t, taken); /* boards kept so far, by the cell of their blank */
    ARRAY(uint32_t, seen); /* boards kept before: the upper halves of hashes, by their lower bits */
};

/* The depth of the search, the depth and value of its best board, that value plus the price of its
   levels, and 1 if no board is left. */
enum { LEVELS, DEPTH, BEST_VALUE, PRICED, IS_LAST };
struct trail {
    MATRIX(int32_t, links); /* for each level the origin of each board kept */
    ARRAY(int64_t, sizes);  /* the boards of each level */
    ARRAY(int64_t, best);   /* LEVELS to IS_LAST */
    NUMBER(price);          /* added to a board's value per level; the best has the least sum */
    NUMBER(patience);       /* levels without a better board after which the search ends */
    NUMBER(batch);          /* levels between two checks of the patience */
};

enum { NO_MOVE = 9 };
enum { EARLY = 8 }; /* candidates between a prefetch and its use */
static const word UPRIGHT_KEY = 0xD1B54A32D192ED03; /* added to the hash after an upright slide */

INLINED bool is_upright(int64_t direction) { return direction == 0 || direction == 3; }

/* Write the successors of some boards into their places, and the results of their chunk. */
INLINED void list_as(
    const struct level *level, int64_t begin, int64_t end, const struct beam_rules *rules,
    const struct candidates *candidates, int64_t *results, bool is_classic, bool slides
) {
    const struct terms terms = rules->terms;
    const int64_t first_place = begin * (candidates->facts_length / level->facts_rows);
    const int64_t most_steps = slides ? MOST_STEPS : 1;
    int64_t place = first_place, least = 1ll << 60, most = -least;
    for (int64_t number = begin; number < end; number++) {
        uint16_t *board = ROW(level->cells, number);
        const int32_t *facts = ROW(level->facts, number);
        const int64_t first = facts[BLANK], last = facts[LAST];
        for (int64_t direction = 0; direction < 4; direction++) {
            int64_t value = facts[VALUE], blank = first, cell;
            word key = AT(level->hashes, number);
            if (slides) {
                /* A slide goes across the line of the last one. A board from which the next slide
                   is upright is not the same as one where it is not. */
                if (last != NO_MOVE && is_upright(direction) == is_upright(last)) continue;
                if (is_upright(direction)) key += UPRIGHT_KEY;
                else if (last != NO_MOVE) key -= UPRIGHT_KEY;
            } else if (direction + last == 3) {
                continue;
            }
            for (int64_t steps = 1; steps <= most_steps; steps++) {
                if ((cell = ROW(rules->near, blank)[direction]) < 0) break;
                int64_t tile = tile_of(board[cell], is_classic);
                struct step step = {tile, cell, blank, direction};
                value += change_by(&terms, board, &step, is_classic);
                word cells = AT(rules->cell_keys, blank) - AT(rules->cell_keys, cell);
                key += AT(rules->tile_keys, tile) * cells;
                AT(candidates->hashes, place) = key;
                AT(candidates->facts, place) =
                    value * (1ll << HALF) + (number << PARENT | steps << 2 | direction);
                least = smaller(least, value);
                most = larger(most, value);
                place++;
                if (slides) {
                    uint16_t hole = board[blank];
                    board[blank] = item_in(&terms, tile, blank, is_classic);
                    board[cell] = hole;
                    blank = cell;
                }
            }
            for (; blank != first; blank = cell) {
                cell = ROW(rules->near, blank)[3 - direction];
                uint16_t hole = board[blank];
                board[blank] = item_in(&terms, tile_of(board[cell], is_classic), blank, is_classic);
                board[cell] = hole;
            }
        }
    }
    results[SUCCESSORS] = place - first_place;
    results[LEAST] = least;
    results[MOST] = most;
}

static void list_successors(
    const struct level *level, int64_t begin, int64_t end, const struct beam_rules *rules,
    const struct candidates *candidates, int64_t *results
) {
#define LIST(is_classic, slides) \
    list_as(level, begin, end, rules, candidates, results, is_classic, slides)
    if (rules->terms.around_rows) {
        if (rules->slides) LIST(true, true);
        else LIST(true, false);
    } else {
        if (rules->slides) LIST(false, true);
        else LIST(false, false);
    }
}

/* Put the successors of all chunks into order, the least value first; return how many. Those of
   equal value keep the order of their parents. */
static int64_t sort(const struct candidates *candidates, int64_t boards, const int64_t *words) {
    const int64_t chunks = words[CHUNKS];
    const int64_t stride = words[CHUNK_SIZE] * (candidates->facts_length / boards);
    int64_t least = 1ll << 60, most = -least, total = 0;
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const int64_t *results = words + RESULTS + LINE * chunk;
        total += results[SUCCESSORS];
        least = smaller(least, results[LEAST]);
        most = larger(most, results[MOST]);
    }
    if (total == 0) return 0;
    /* A counting sort; where values are very different, near ones share a bucket. */
    int64_t shift = 0;
    while ((most - least) >> shift >= candidates->buckets_length) shift++;
    const int64_t last = (most - least) >> shift;
    memset(candidates->buckets, 0, (size_t)(last + 1) * sizeof *candidates->buckets);
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const int64_t first = chunk * stride;
        const int64_t end = first + words[RESULTS + LINE * chunk + SUCCESSORS];
        for (int64_t number = first; number < end; number++) {
            int64_t value = AT(candidates->facts, number) >> HALF;
            AT(candidates->buckets, (value - least) >> shift)++;
        }
    }
    int32_t before = 0;
    for (int64_t bucket = 0; bucket <= last; bucket++) {
        int32_t count = candidates->buckets[bucket];
        candidates->buckets[bucket] = before;
        before += count;
    }
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const int64_t first = chunk * stride;
        const int64_t end = first + words[RESULTS + LINE * chunk + SUCCESSORS];
        for (int64_t number = first; number < end; number++) {
            int64_t facts = AT(candidates->facts, number);
            int64_t place = AT(candidates->buckets, ((facts >> HALF) - least) >> shift)++;
            AT(candidates->sorted_hashes, place) = candidates->hashes[number];
            AT(candidates->sorted_facts, place) = facts;
        }
    }
    return total;
}

/* Choose the boards of the next level; note the value, the hash and the origin of each. Return how
   many. The team makes the first ones while others are still being chosen. */
static int64_t choose_best(
    const struct level *level, const struct level *following, const struct beam_rules *rules,
    const struct candidates *candidates, int64_t count, const struct quota *quota, int32_t *links,
    int64_t *words
) {
    const word mask = (word)quota->seen_length - 1;
    const int64_t size = begin_level(words, smaller(count, quota->width), level->facts);
    int64_t kept = 0, chunk_end = size;
    memset(quota->taken, 0, (size_t)quota->taken_length * sizeof *quota->taken);
    for (int64_t place = 0; place < count; place++) {
        if (place + EARLY < count) {
            word key = AT(candidates->sorted_hashes, place + EARLY);
            prefetch(&AT(quota->seen, key & mask));
            word origin = (uint32_t)candidates->sorted_facts[place + EARLY];
            prefetch(ROW(level->facts, origin >> PARENT));
        }
        word key = AT(candidates->sorted_hashes, place);
        uint32_t *seen = &AT(quota->seen, key & mask);
        if (*seen == (uint32_t)(key >> HALF)) continue;
        int64_t facts = AT(candidates->sorted_facts, place);
        uint32_t origin = (uint32_t)facts;
        int64_t cell = ROW(level->facts, origin >> PARENT)[BLANK];
        for (int64_t steps = origin >> 2 & MOST_STEPS; steps; steps--)
            cell = ROW(rules->near, cell)[origin & 3];
        int32_t *taken = &AT(quota->taken, cell);
        if (*taken >= quota->per_cell) continue;
        ++*taken;
        *seen = (uint32_t)(key >> HALF);
        AT(following->hashes, kept) = key;
        int32_t *chosen = ROW(following->facts, kept);
        chosen[VALUE] = (int32_t)(facts >> HALF);
        chosen[BLANK] = (int32_t)cell;
        chosen[LAST] = (int32_t)origin;
        links[kept] = (int32_t)origin;
        if (++kept == chunk_end) {
            publish_chunk(words);
            chunk_end += size;
        }
        if (kept == quota->width) break;
    }
    complete_level(words, kept);
    return kept;
}

/* A loop, which is compiled to large words; there is no fast function for any length. */
INLINED void copy_board(uint16_t *restrict to, const uint16_t *restrict from, int64_t cells) {
    for (int64_t cell = 0; cell < cells; cell += 4) memcpy(to + cell, from + cell, 4 * sizeof *to);
}

/* Make chosen boards from their parents; return the first that is solved, or -1. */
INLINED int64_t make_as(
    const struct level *level, const struct level *following, int64_t begin, int64_t end,
    const struct beam_rules *rules, bool is_classic
) {
    int64_t solved = -1;
    for (int64_t number = begin; number < end; number++) {
        int32_t *facts = ROW(following->facts, number);
        const int64_t parent = facts[LAST] >> PARENT, direction = facts[LAST] & 3;
        const int32_t *before = ROW(level->facts, parent);
        const uint16_t *from = ROW(level->cells, parent);
        uint16_t *to = ROW(following->cells, number);
        copy_board(to, from, level->cells_columns);
        int64_t blank = before[BLANK], misses = before[MISSES];
        const int64_t cell = facts[BLANK];
        to[cell] = from[blank];
        while (blank != cell) {
            int64_t beside = ROW(rules->near, blank)[direction];
            int64_t tile = tile_of(from[beside], is_classic);
            struct step step = {tile, beside, blank, direction};
            to[blank] = item_in(&rules->terms, tile, blank, is_classic);
            misses = misses_after(&rules->terms, misses, &step, is_classic);
            blank = beside;
        }
        facts[MISSES] = (int32_t)misses;
        facts[LAST] = (int32_t)direction;
        if (misses == 0 && solved < 0) solved = number;
    }
    return solved;
}

/* Make some boards of the next level, list their successors, and count the chunk as done. */
static void do_chunk(
    const struct level *level, const struct level *following, const struct beam_rules *rules,
    const struct candidates *candidates, int64_t *words, int64_t chunk
) {
    const int64_t size = words[CHUNK_SIZE], begin = chunk * size;
    const int64_t end = smaller(begin + size, atomic_load(words + COUNT));
    int64_t *results = words + RESULTS + LINE * chunk;
    results[SOLVED] = rules->terms.around_rows
        ? make_as(level, following, begin, end, rules, true)
        : make_as(level, following, begin, end, rules, false);
    list_successors(following, begin, end, rules, candidates, results);
    atomic_add(words + DONE, 1);
}

struct advance_beam {
    struct level level;
    struct level following;
    struct beam_rules rules;
    struct candidates candidates;
    ARRAY(int64_t, words);
    struct quota quota;
    struct trail trail;
    NUMBER(generated); /* a result: the successors generated */
    NUMBER(solved);    /* a result: the solved board of the last level, or -1 */
};

/* Make a level for each row of `trail`, as long as that says; return how many. The last level is
   where the first was if their number is even, else in `following`; its successors are listed. */
KERNEL(advance_beam, advance_beam) {
    struct advance_beam *a = arguments;
    const struct level *level = &a->level, *following = &a->following;
    const struct beam_rules *rules = &a->rules;
    const struct candidates *candidates = &a->candidates;
    const struct trail *trail = &a->trail;
    int64_t *words = a->words, *best = trail->best;
    a->generated = 0;
    a->solved = -1;
    if (best[LEVELS] == 0) {
        words[CHUNKS] = words[CHUNK_SIZE] = 1;
        list_successors(level, 0, 1, rules, candidates, words + RESULTS);
    }
    for (int64_t depth = 0; depth < trail->links_rows; depth++) {
        bool is_check = depth && depth % trail->batch == 0;
        if (is_check && best[LEVELS] - best[DEPTH] >= trail->patience) return depth;
        int64_t generated = sort(candidates, level->facts_rows, words);
        a->generated += generated;
        int32_t *links = ROW(trail->links, depth);
        int64_t count =
            choose_best(level, following, rules, candidates, generated, &a->quota, links, words);
        if (count == 0) {
            best[IS_LAST] = 1;
            return depth;
        }
        int64_t chunk = 0;
        do do_chunk(level, following, rules, candidates, words, chunk);
        while ((chunk = take_chunk(words)));
        await_others(words);
        AT(trail->sizes, depth) = count;
        best[LEVELS]++;
        int64_t value = following->facts[VALUE];
        if (value + trail->price * best[LEVELS] < best[PRICED]) {
            best[PRICED] = value + trail->price * best[LEVELS];
            best[DEPTH] = best[LEVELS];
            best[BEST_VALUE] = value;
        }
        const struct level *made = following;
        following = level;
        level = made;
        for (chunk = 0; chunk < words[CHUNKS]; chunk++) {
            a->solved = words[RESULTS + LINE * chunk + SOLVED];
            if (a->solved >= 0) return depth + 1;
        }
    }
    return trail->links_rows;
}

struct assist_beam {
    struct level one;
    struct level other;
    struct beam_rules rules;
    struct candidates candidates;
    ARRAY(int64_t, words);
};

/* Do chunks of levels that `advance_beam` makes until none comes for long; return how many. */
KERNEL(assist_beam, assist_beam) {
    struct assist_beam *a = arguments;
    int64_t done = 0, chunk;
    for (; (chunk = await_chunk(a->words)); done++) {
        bool is_one = a->words[SOURCE] == (int64_t)(intptr_t)a->one.facts;
        const struct level *level = is_one ? &a->one : &a->other;
        const struct level *following = is_one ? &a->other : &a->one;
        do_chunk(level, following, &a->rules, &a->candidates, a->words, chunk);
    }
    return done;
}
