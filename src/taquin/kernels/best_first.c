/* Best-first and bidirectional searches by name on packed states, with the counts of the glass box.

       state    the tile of each cell but the last, in 4 bits; above 16 cells in 5 bits, 12 to a word
       entry    state | facts, two words; above 16 cells three
       facts    bits 0-31 next entry of the bucket   32-42 h   43-57 g   58 taken   59 superseded
                60-61 where the blank went: 0 up, 1 left, 2 right, 3 down

   Entries are numbered from 1 in the order in which they are made, and never change but for their
   flags and links. A cheaper path makes a new entry, which supersedes the old one. Slots are a hash
   table with open addressing of the newest entry of each state:

       slot     0, or number of the entry | some bits of the hash above it, which save most comparisons

   so a state takes 16 bytes and 5 to 7.5 for its slot, on 4 x 4. A bucket is the list of the entries
   that rank alike, which `ranks` says for each g and h. A superseded entry stays in its bucket.

   The loops follow those of the glass box line by line (search/best_first.py, bidirectional.py);
   `counts` has what they count, and all else that they keep between two calls. */
#include "search.h"

enum { H_BIT = 32, H_MASK = (1 << 11) - 1, G_BIT = 43, G_MASK = (1 << 15) - 1, WAY_BIT = 60 };
#define NEXT UINT32_MAX
#define TAKEN (1ull << 58)
#define SUPERSEDED (1ull << 59)
/* Of states.state: the entries made, the most before it grows, the slots in use, and the bits of a
   slot for the number of an entry. */
enum { ENTRIES, MOST, SIZE, NUMBER_BITS };
/* Of counts. BOUND is the rank of the highest priority proven, or the bound; BEST the cost of the best
   solution, or -1; MEETING and MET its entries; from MOST_EXPANDED on the limits on nodes. */
enum {
    C_EXPANDED, C_GENERATED, C_ENQUEUED, C_DEQUEUED, C_DUPLICATES, C_REOPENED, C_UPDATED, C_NECESSARY,
    C_MAX_FRONTIER, C_MAX_DEPTH, C_BOUND, C_BEST, C_MEETING, C_MET, C_SIDE, C_AT, C_END, C_DEPTH,
    C_MOST_EXPANDED, C_MOST_GENERATED, C_MOST_ENQUEUED, C_MOST_DEQUEUED, C_BY_PAIRS,
};
/* Why a loop returned: to be called again; with a solution; out of boards; at a limit on nodes; to have
   a table grow; to have ranks for a greater g. */
enum { ON, FOUND, EXHAUSTED, AT_LIMIT, FULL, DEEP };
/* Of buckets.lowest: no bucket, no g and no f before these has an entry to expand; the bound of NBS;
   and the entries to expand. */
enum { LOWEST, LOWEST_G, LOWEST_F, WITHIN, LIVE };
enum { FORESIGHT = 16, NONE = 1 << 30 };
enum { SEEN = -1, NO_MORE = -2 }; /* why a child gets no entry: a duplicate; a limit on nodes */

/* All states that one side has reached. */
struct states {
    ARRAY(uint64_t, entries);
    ARRAY(uint32_t, slots);
    ARRAY(int64_t, state);
    ARRAY(uint8_t, board); /* the tiles of the entry that is being expanded */
    ARRAY(uint64_t, low);  /* for each cell the unit of its tile in the first word of a state */
    ARRAY(uint64_t, high); /* and in the second */
    NUMBER(bits);          /* bits of a tile */
    NUMBER(cells);         /* cells in the first word */
    NUMBER(width);         /* words of an entry */
};
struct blank_moves {
    struct steps steps;
    ARRAY(uint8_t, ways); /* for each edge where the blank goes */
    NUMBER(edge_bits);
};
struct buckets {
    ARRAY(int32_t, ranks);      /* the bucket of each g and h: g * stride + h */
    ARRAY(int32_t, priorities); /* for each bucket the rank of its priority */
    ARRAY(uint32_t, heads);     /* the entry that is taken next from each bucket; 0 for none */
    ARRAY(uint32_t, tails);     /* the last entry of each bucket that is not empty */
    /* For MM and NBS how many entries are to be expanded: of each bucket, of each g, of each f, and of
       each g within the bound of NBS. One number for searches that do not need them. */
    ARRAY(int64_t, live);
    ARRAY(int64_t, lowest);
    NUMBER(stride); /* ranks for each g; 0 if they do not depend on it */
    NUMBER(most_g); /* the g from which there are no ranks */
    NUMBER(newest_first);
};
struct child {
    word low, high;
    int64_t place, tag;
    struct slide slide;
    word way;
};
/* Both ends of a search need their children at once, so these are not in `states`. */
struct children {
    struct child child[8];
    int count;
};

INLINED word *facts_of(const struct states *s, int64_t entry) {
    return &AT(s->entries, entry * s->width + s->width - 1);
}
INLINED int64_t g_of(word facts) { return facts >> G_BIT & G_MASK; }
INLINED int64_t h_of(word facts) { return facts >> H_BIT & H_MASK; }
INLINED word first_word(const struct states *s, int64_t entry) {
    return AT(s->entries, entry * s->width);
}
INLINED word second_word(const struct states *s, int64_t entry) {
    return s->width == 3 ? AT(s->entries, entry * 3 + 1) : 0;
}

INLINED word hash_of(word low, word high) {
    int64_t number = (int64_t)((low + high * 0x3F58476D1CE4E5B9ull) * 0x1E3779B97F4A7C15ull);
    number = (int64_t)((word)(number ^ number >> 31) * 0x3F58476D1CE4E5B9ull);
    return (word)(number ^ number >> 29);
}
INLINED word hash_of_entry(const struct states *s, int64_t entry) {
    return hash_of(first_word(s, entry), second_word(s, entry));
}
INLINED bool is_state(const struct states *s, int64_t entry, word low, word high) {
    return first_word(s, entry) == low && second_word(s, entry) == high;
}
/* The slot for a hash among `size`. */
INLINED int64_t place_of(word hash, int64_t size) {
    return (int64_t)((hash >> 31 & NEXT) * (word)size >> 32);
}
INLINED int64_t tag_of(word hash, int64_t number_bits) {
    return (int64_t)(hash & ((1ull << (32 - number_bits)) - 1));
}

/* Return the newest entry of a state, or 0; `place` becomes its slot, or the free one for it. */
INLINED int64_t look_up(const struct states *s, word low, word high, int64_t *place, int64_t tag) {
    const int64_t size = s->state[SIZE], bits = s->state[NUMBER_BITS], mask = (1ll << bits) - 1;
    for (int64_t at = *place;; at = at + 1 < size ? at + 1 : 0) {
        int64_t slot = AT(s->slots, at);
        *place = at;
        if (!slot) return 0;
        if (slot >> bits != tag) continue;
        int64_t entry = slot & mask;
        if (is_state(s, entry, low, high)) return entry;
    }
}

/* Return the newest entry of a state, or 0. */
static int64_t find(const struct states *s, word low, word high) {
    word hash = hash_of(low, high);
    int64_t place = place_of(hash, s->state[SIZE]);
    return look_up(s, low, high, &place, tag_of(hash, s->state[NUMBER_BITS]));
}

struct of_states {
    struct states states;
};

/* Fill the slots, which are free, with the entries that none supersedes. */
KERNEL(fill_slots, of_states) {
    const struct states *s = &arguments->states;
    const int64_t bits = s->state[NUMBER_BITS], size = s->state[SIZE], last = s->state[ENTRIES];
    for (int64_t entry = 1; entry <= last; entry++) {
        /* Slots are rarely in the cache: those of later entries are on their way. */
        word ahead = hash_of_entry(s, smaller(entry + FORESIGHT, last));
        prefetch(s->slots + place_of(ahead, size));
        if (*facts_of(s, entry) & SUPERSEDED) continue;
        word hash = hash_of_entry(s, entry);
        int64_t place = place_of(hash, size);
        while (AT(s->slots, place)) place = place + 1 < size ? place + 1 : 0;
        s->slots[place] = (uint32_t)(tag_of(hash, bits) << bits | entry);
    }
    return 0;
}

struct entry_of {
    struct states states;
    NUMBER(low);
    NUMBER(high);
    NUMBER(g);
};

/* Return the entry of a state that was reached with g, or 0. */
KERNEL(entry_of, entry_of) {
    const struct states *s = &arguments->states;
    const word low = (word)arguments->low, high = (word)arguments->high;
    int64_t entry = find(s, low, high);
    if (entry && g_of(*facts_of(s, entry)) == arguments->g) return entry;
    for (entry = 1; entry <= s->state[ENTRIES]; entry++) {
        if (!is_state(s, entry, low, high)) continue;
        if (g_of(*facts_of(s, entry)) == arguments->g) return entry;
    }
    return 0;
}

INLINED int64_t bucket_of(const struct buckets *b, int64_t g, int64_t h) {
    return AT(b->ranks, g * b->stride + h);
}

/* Count an entry for MM and NBS; a superseded one is not to be expanded. */
INLINED void count_live(struct buckets *b, word facts, int64_t change) {
    if (b->live_length == 1 || facts & SUPERSEDED) return;
    int64_t g = g_of(facts), h = h_of(facts), *lowest = b->lowest;
    AT(b->live, bucket_of(b, g, h)) += change;
    AT(b->live, b->heads_length + g) += change;
    AT(b->live, b->heads_length + b->most_g + g + h) += change;
    if (g + h <= lowest[WITHIN]) AT(b->live, b->live_length - b->most_g + g) += change;
    lowest[LOWEST_G] = smaller(lowest[LOWEST_G], g);
    lowest[LOWEST_F] = smaller(lowest[LOWEST_F], g + h);
    lowest[LIVE] += change;
}

/* Put an entry into its bucket. */
INLINED void put(const struct states *s, struct buckets *b, int64_t entry) {
    word *facts = facts_of(s, entry);
    int64_t bucket = bucket_of(b, g_of(*facts), h_of(*facts));
    count_live(b, *facts, 1);
    uint32_t head = AT(b->heads, bucket);
    if (b->newest_first) {
        *facts = (*facts & ~(word)NEXT) | head;
        b->heads[bucket] = (uint32_t)entry;
    } else {
        if (head)
            *facts_of(s, AT(b->tails, bucket)) |= (word)entry;
        else
            b->heads[bucket] = (uint32_t)entry;
        AT(b->tails, bucket) = (uint32_t)entry;
    }
    b->lowest[LOWEST] = smaller(b->lowest[LOWEST], bucket);
}

struct put_all {
    struct states states;
    struct buckets buckets;
};

/* Put every entry that has not been taken into its bucket; all buckets are empty. */
KERNEL(put_all, put_all) {
    const struct states *s = &arguments->states;
    for (int64_t entry = 1; entry <= s->state[ENTRIES]; entry++) {
        word *facts = facts_of(s, entry);
        if (*facts & TAKEN) continue;
        *facts &= ~(word)NEXT;
        put(s, &arguments->buckets, entry);
    }
    return 0;
}

/* Write the board of an entry, and return the cell of its blank. */
INLINED int64_t unpack(const struct states *s, int64_t entry) {
    const int64_t size = s->board_length, first = smaller(s->cells, size - 1);
    const word mask = (1ull << s->bits) - 1;
    word tiles = first_word(s, entry);
    int64_t total = 0, blank = size - 1;
    for (int64_t cell = 0; cell < size - 1; cell++, tiles >>= s->bits) {
        if (cell == first) tiles = second_word(s, entry);
        uint8_t tile = (uint8_t)(tiles & mask);
        s->board[cell] = tile;
        total += tile;
        if (!tile) blank = cell;
    }
    s->board[size - 1] = (uint8_t)(size * (size - 1) / 2 - total);
    return blank;
}

/* Write the board of an entry, make its children, and prefetch their slots. */
INLINED void make_children(
    const struct states *s, const struct blank_moves *moves, int64_t entry, struct children *children
) {
    const int64_t blank = unpack(s, entry);
    const word low = first_word(s, entry), high = second_word(s, entry);
    const int64_t size = s->state[SIZE], bits = s->state[NUMBER_BITS];
    children->count = 0;
    int64_t step;
    for (int64_t at = AT(moves->steps.begin, blank); (step = AT(moves->steps.lists, at)) >= 0; at++) {
        struct child *c = children->child + CHECKED(children->count, 8);
        children->count++;
        int64_t cell = cell_of(step), edge = edge_of(step), tile = AT(s->board, cell);
        c->low = low + (word)tile * (AT(s->low, blank) - AT(s->low, cell));
        c->high = high + (word)tile * (AT(s->high, blank) - AT(s->high, cell));
        word hash = hash_of(c->low, c->high);
        c->place = place_of(hash, size);
        c->tag = tag_of(hash, bits);
        prefetch(s->slots + c->place);
        c->slide = (struct slide){tile, cell, blank, tile << moves->edge_bits | edge};
        c->way = AT(moves->ways, edge);
    }
}

/* Make the entry of a child, and return its number. */
INLINED int64_t insert(const struct states *s, const struct child *c, int64_t g, int64_t h) {
    int64_t entry = ++s->state[ENTRIES];
    AT(s->entries, entry * s->width) = c->low;
    if (s->width == 3) AT(s->entries, entry * 3 + 1) = c->high;
    *facts_of(s, entry) = c->way << WAY_BIT | (word)g << G_BIT | (word)h << H_BIT;
    AT(s->slots, c->place) = (uint32_t)(c->tag << s->state[NUMBER_BITS] | entry);
    return entry;
}

/* Note a lower bound. What is expanded before the last rise had to be. */
INLINED void raise_bound(int64_t *counts, int64_t bound) {
    if (bound <= counts[C_BOUND]) return;
    counts[C_BOUND] = bound;
    counts[C_NECESSARY] = counts[C_EXPANDED];
}

/* Whether the limits on nodes let one more board be expanded. */
INLINED bool may_expand(const int64_t *counts) {
    /* The glass box notices at a tick that no node may be generated any more. */
    if (counts[C_GENERATED] >= counts[C_MOST_GENERATED]) return false;
    return counts[C_EXPANDED] < counts[C_MOST_EXPANDED];
}

/* Count a child that is reached with g; return the entry that it supersedes, 0, SEEN or NO_MORE. */
INLINED int64_t visit(const struct states *s, int64_t *counts, struct child *c, int64_t g) {
    if (counts[C_GENERATED] >= counts[C_MOST_GENERATED]) return NO_MORE;
    counts[C_GENERATED]++;
    int64_t known = look_up(s, c->low, c->high, &c->place, c->tag);
    if (known && g_of(*facts_of(s, known)) <= g) {
        counts[C_DUPLICATES]++;
        return SEEN;
    }
    if (counts[C_ENQUEUED] >= counts[C_MOST_ENQUEUED]) return NO_MORE;
    counts[C_ENQUEUED]++;
    return known;
}

/* Put a child into its bucket; return its entry, SEEN or NO_MORE. It is reached with g; h is that of
   its parent. */
INLINED int64_t enqueue(
    const struct states *s, struct buckets *b, enum kind kind, void *estimate, int64_t *counts,
    struct child *c, int64_t g, int64_t h
) {
    int64_t known = visit(s, counts, c, g);
    if (known < 0) return known;
    if (known) {
        word *facts = facts_of(s, known), before = *facts;
        *facts |= SUPERSEDED;
        counts[before & TAKEN ? C_REOPENED : C_UPDATED]++;
        if (!(before & TAKEN)) count_live(b, before, -1);
    }
    int64_t entry = insert(s, c, g, estimate_after(kind, estimate, &c->slide, 0, h));
    put(s, b, entry);
    return entry;
}

struct best_first {
    struct states states;
    struct blank_moves moves;
    struct buckets buckets;
    ARRAY(int64_t, counts);
    NUMBER(goal_low);
    NUMBER(goal_high);
    NUMBER(budget);
};

/* Expand boards of the lowest rank, `budget` of them; return why it stopped. */
INLINED int64_t expand_best(struct best_first *a, void *estimate, enum kind kind) {
    const struct states *s = &a->states;
    const struct blank_moves *moves = &a->moves;
    struct buckets *b = &a->buckets;
    const word goal_low = (word)a->goal_low, goal_high = (word)a->goal_high;
    int64_t *counts = a->counts;
    struct children children;
    for (int64_t budget = a->budget; budget > 0; budget--) {
        int64_t frontier = counts[C_ENQUEUED] - counts[C_DEQUEUED], bucket = b->lowest[LOWEST];
        if (!frontier) return EXHAUSTED;
        if (s->state[ENTRIES] + 4 > s->state[MOST]) return FULL;
        while (!AT(b->heads, bucket)) bucket++;
        b->lowest[LOWEST] = bucket;
        int64_t entry = b->heads[bucket];
        word *facts = facts_of(s, entry), before = *facts;
        int64_t g = g_of(before), h = h_of(before);
        if (g + 1 >= b->most_g) return DEEP;
        counts[C_MAX_FRONTIER] = larger(counts[C_MAX_FRONTIER], frontier);
        raise_bound(counts, AT(b->priorities, bucket));
        if (counts[C_DEQUEUED] >= counts[C_MOST_DEQUEUED]) return AT_LIMIT;
        b->heads[bucket] = (uint32_t)before;
        /* Probably the next to be taken, once this one is expanded. */
        prefetch(s->entries + (before & NEXT) * (word)s->width);
        counts[C_DEQUEUED]++;
        counts[C_MAX_DEPTH] = larger(counts[C_MAX_DEPTH], g);
        if (before & SUPERSEDED) {
            counts[C_DUPLICATES]++;
            *facts |= TAKEN;
            continue;
        }
        if (is_state(s, entry, goal_low, goal_high)) {
            counts[C_MEETING] = entry;
            return FOUND;
        }
        if (!may_expand(counts)) return AT_LIMIT;
        *facts |= TAKEN;
        counts[C_EXPANDED]++;
        make_children(s, moves, entry, &children);
        restart(kind, estimate, s->board, s->board_length, h);
        g++;
        for (int i = 0; i < children.count; i++) {
            struct child *c = children.child + i;
            int64_t made = enqueue(s, b, kind, estimate, counts, c, g, h);
            if (made == NO_MORE) return AT_LIMIT;
            bool is_better = made > 0 && (counts[C_BEST] < 0 || g < counts[C_BEST]);
            if (is_better && c->low == goal_low && c->high == goal_high) {
                counts[C_BEST] = g;
                counts[C_MET] = made;
            }
        }
    }
    return ON;
}

/* --- from both ends ------------------------------------------------------------------------------ */

struct side {
    struct states states;
    struct buckets buckets;
};

/* Note a lower bound on other solutions, and return whether the best one meets it. */
static bool prove(int64_t *counts, int64_t bound) {
    bool is_solved = counts[C_BEST] >= 0;
    if (is_solved) bound = smaller(bound, counts[C_BEST]);
    raise_bound(counts, bound);
    return is_solved && counts[C_BEST] <= bound;
}

/* Return the lowest bucket, g or f with an entry to expand, of which there is one. */
INLINED int64_t least(struct buckets *b, int64_t begin, int which) {
    int64_t number = b->lowest[which];
    while (!AT(b->live, begin + number)) number++;
    b->lowest[which] = number;
    return number;
}
INLINED int64_t least_g(struct buckets *b) { return least(b, b->heads_length, LOWEST_G); }
INLINED int64_t least_f(struct buckets *b) { return least(b, b->heads_length + b->most_g, LOWEST_F); }

/* Return the least g of the entries within the bound of NBS; NONE if there is none. */
static int64_t least_g_within(const struct buckets *b) {
    const int64_t *live = b->live + b->live_length - b->most_g;
    int64_t g = b->lowest[LOWEST_G];
    while (g < b->most_g && !live[g]) g++;
    return g < b->most_g ? g : NONE;
}

/* Return the least f above a bound if it is below `limit`, or that. */
static int64_t next_f(const struct buckets *b, int64_t bound, int64_t limit) {
    const int64_t begin = b->heads_length + b->most_g, end = b->live_length - b->most_g;
    for (int64_t f = bound + 1; f < smaller(limit, end - begin); f++)
        if (b->live[begin + f]) return f;
    return limit;
}

/* Count the entries that come to be within a higher bound of NBS. */
static void raise_within(struct buckets *b, int64_t bound) {
    int64_t *live = b->live + b->live_length - b->most_g, before = b->lowest[WITHIN];
    for (int64_t g = 0; g < b->most_g; g++)
        for (int64_t h = larger(0, before + 1 - g); h < smaller(bound - g + 1, b->stride); h++)
            live[g] += AT(b->live, bucket_of(b, g, h));
    b->lowest[WITHIN] = bound;
}

/* Return the bucket of the least g, then least f, within the bound of NBS. */
static int64_t bucket_within(const struct buckets *b) {
    int64_t g = least_g_within(b), h = 0;
    while (!AT(b->live, bucket_of(b, g, h))) h++;
    return bucket_of(b, g, h);
}

/* Note the path through a new entry if the other side has reached its board. */
INLINED void meet(
    const struct states *own, const struct states *other, int64_t entry, int64_t side, int64_t *counts
) {
    int64_t met = find(other, first_word(own, entry), second_word(own, entry));
    if (!met) return;
    int64_t cost = g_of(*facts_of(own, entry)) + g_of(*facts_of(other, met));
    if (counts[C_BEST] >= 0 && cost >= counts[C_BEST]) return;
    counts[C_BEST] = cost;
    counts[C_MEETING] = entry;
    counts[C_MET] = met;
    counts[C_SIDE] = side;
}

/* Expand the newest board of a bucket of side `number`; return AT_LIMIT or ON. */
INLINED int64_t expand_end(
    struct side *side, const struct states *other, int64_t bucket, const struct blank_moves *moves,
    int64_t *counts, int64_t number, void *estimate, enum kind kind
) {
    const struct states *own = &side->states;
    struct buckets *b = &side->buckets;
    struct children children;
    if (counts[C_DEQUEUED] >= counts[C_MOST_DEQUEUED]) return AT_LIMIT;
    counts[C_DEQUEUED]++;
    int64_t entry = AT(b->heads, bucket);
    while (*facts_of(own, entry) & SUPERSEDED) entry = *facts_of(own, entry) & NEXT;
    word *facts = facts_of(own, entry), before = *facts;
    b->heads[bucket] = (uint32_t)before;
    *facts |= TAKEN;
    count_live(b, before, -1);
    if (!may_expand(counts)) return AT_LIMIT;
    int64_t g = g_of(before), h = h_of(before);
    counts[C_MAX_DEPTH] = larger(counts[C_MAX_DEPTH], g);
    counts[C_EXPANDED]++;
    make_children(own, moves, entry, &children);
    restart(kind, estimate, own->board, own->board_length, h);
    g++;
    for (int i = 0; i < children.count; i++) {
        int64_t made = enqueue(own, b, kind, estimate, counts, children.child + i, g, h);
        if (made == NO_MORE) return AT_LIMIT;
        if (made <= 0) continue;
        int64_t frontier = counts[C_ENQUEUED] - counts[C_DEQUEUED];
        counts[C_MAX_FRONTIER] = larger(counts[C_MAX_FRONTIER], frontier);
        counts[C_DEPTH] = larger(counts[C_DEPTH], g);
        meet(own, other, made, number, counts);
    }
    return ON;
}

struct both_ends {
    struct side start;
    struct side goal;
    struct blank_moves moves;
    ARRAY(int64_t, counts);
    NUMBER(budget);
};

/* Expand boards by the rule of MM, or by that of NBS; return why it stopped. */
INLINED int64_t expand_both(
    struct both_ends *a, void *to_goal, void *to_start, enum kind kind
) {
    struct side *start = &a->start, *goal = &a->goal;
    struct buckets *forward = &start->buckets, *backward = &goal->buckets;
    const struct blank_moves *moves = &a->moves;
    const int64_t *first = start->states.state, *last = goal->states.state;
    int64_t *counts = a->counts;
    for (int64_t budget = a->budget; budget > 0; budget--) {
        if (!forward->lowest[LIVE] || !backward->lowest[LIVE]) {
            if (counts[C_BEST] < 0) return EXHAUSTED;
            prove(counts, counts[C_BEST]);
            return FOUND;
        }
        if (first[ENTRIES] + 4 > first[MOST] || last[ENTRIES] + 4 > last[MOST]) return FULL;
        if (counts[C_DEPTH] + 2 >= forward->most_g) return DEEP;
        int64_t one = -1, other = -1;
        if (counts[C_BY_PAIRS]) {
            int64_t within = forward->lowest[WITHIN];
            int64_t pair_cost = least_g_within(forward) + least_g_within(backward) + 1;
            if (pair_cost > within) {
                int64_t raised = next_f(forward, within, pair_cost);
                raised = next_f(backward, within, raised);
                raise_within(forward, raised);
                raise_within(backward, raised);
                continue;
            }
            if (prove(counts, within)) return FOUND;
            one = bucket_within(forward);
        } else {
            one = least(forward, 0, LOWEST);
            other = least(backward, 0, LOWEST);
            int32_t ahead = AT(forward->priorities, one), behind = AT(backward->priorities, other);
            int64_t pair_cost = least_g(forward) + least_g(backward) + 1;
            int64_t bound = larger(smaller(ahead, behind), pair_cost);
            bound = larger(bound, larger(least_f(forward), least_f(backward)));
            if (prove(counts, bound)) return FOUND;
            if (ahead <= behind)
                other = -1;
            else
                one = -1;
        }
        int64_t status = ON;
        if (one >= 0)
            status = expand_end(start, &goal->states, one, moves, counts, 0, to_goal, kind);
        if (status == ON && counts[C_BY_PAIRS]) other = bucket_within(backward);
        if (status == ON && other >= 0)
            status = expand_end(goal, &start->states, other, moves, counts, 1, to_start, kind);
        if (status == AT_LIMIT) return AT_LIMIT;
    }
    return ON;
}

/* The kernels of an estimate, and their records. */
#define SEARCHES(name, kind) \
    struct best_##name { \
        struct best_first search; \
        struct name estimate; \
    }; \
    struct both_##name { \
        struct both_ends search; \
        struct name to_goal; \
        struct name to_start; \
    }; \
    KERNEL(best_##name, best_##name) { \
        return expand_best(&arguments->search, &arguments->estimate, kind); \
    } \
    KERNEL(both_##name, both_##name) { \
        return expand_both(&arguments->search, &arguments->to_goal, &arguments->to_start, kind); \
    }
SEARCHES(distances, DISTANCES)
SEARCHES(conflicts, CONFLICTS)
SEARCHES(walking, WALKING)
SEARCHES(additive, ADDITIVE)

/* --- level by level ------------------------------------------------------------------------------ */

struct expand_levels {
    struct states start;
    struct states goal;
    ARRAY(int64_t, levels); /* for each side the first entry of its level, the end, and its depth */
    struct blank_moves moves;
    ARRAY(int64_t, counts);
    NUMBER(budget);
};

/* Expand the next boards of a level, `budget` of them; return FULL, AT_LIMIT or ON. */
static int64_t expand_level(
    const struct states *own, const struct states *other, const struct blank_moves *moves,
    int64_t *counts, int64_t budget
) {
    struct children children;
    for (; counts[C_AT] < counts[C_END] && budget > 0; budget--) {
        if (own->state[ENTRIES] + 4 > own->state[MOST]) return FULL;
        if (counts[C_DEQUEUED] >= counts[C_MOST_DEQUEUED]) return AT_LIMIT;
        counts[C_DEQUEUED]++;
        if (!may_expand(counts)) return AT_LIMIT;
        int64_t entry = counts[C_AT]++, g = g_of(*facts_of(own, entry));
        counts[C_EXPANDED]++;
        counts[C_MAX_DEPTH] = larger(counts[C_MAX_DEPTH], g);
        make_children(own, moves, entry, &children);
        for (int i = 0; i < children.count; i++) {
            int64_t known = visit(own, counts, children.child + i, g + 1);
            if (known == NO_MORE) return AT_LIMIT;
            if (known == SEEN) continue;
            int64_t made = insert(own, children.child + i, g + 1, 0);
            meet(own, other, made, counts[C_SIDE], counts);
        }
    }
    return ON;
}

/* Expand whole levels, the smaller one first; return why it stopped. */
KERNEL(expand_levels, expand_levels) {
    const struct states *start = &arguments->start, *goal = &arguments->goal;
    const struct blank_moves *moves = &arguments->moves;
    int64_t *levels = arguments->levels, *counts = arguments->counts;
    for (;;) {
        if (counts[C_SIDE] < 0) {
            int64_t ahead = levels[1] - levels[0], behind = levels[4] - levels[3];
            if (!ahead || !behind) return EXHAUSTED;
            counts[C_SIDE] = ahead > behind;
            counts[C_AT] = levels[3 * counts[C_SIDE]];
            counts[C_END] = levels[3 * counts[C_SIDE] + 1];
            counts[C_MEETING] = 0;
            raise_bound(counts, levels[2] + levels[5] + 1);
        }
        int64_t side = counts[C_SIDE];
        const struct states *own = side ? goal : start, *other = side ? start : goal;
        int64_t status = expand_level(own, other, moves, counts, arguments->budget);
        if (status != ON) return status;
        if (counts[C_AT] < counts[C_END]) return ON;
        levels[3 * side] = counts[C_END];
        levels[3 * side + 1] = own->state[ENTRIES] + 1;
        levels[3 * side + 2]++;
        int64_t widest = levels[1] - levels[0] + levels[4] - levels[3];
        counts[C_MAX_FRONTIER] = larger(counts[C_MAX_FRONTIER], widest);
        if (counts[C_MEETING]) {
            counts[C_MAX_DEPTH] = larger(counts[C_MAX_DEPTH], levels[3 * side + 2]);
            raise_bound(counts, counts[C_BEST]);
            return FOUND;
        }
        counts[C_SIDE] = -1;
    }
}
