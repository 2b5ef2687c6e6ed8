// A beam: all boards of one depth at a time, of which the most promising are kept.
//
// A level is an array of nodes. A node holds all that its children need:
//
//     word    0 1     2 3        4          5       6       7 …
//             hash    history    ancestor   value   facts   cells, a byte each (two above 250 cells)
//
//     history    the last 32 moves, two bits each, the latest lowest
//     ancestor   the number of the node's ancestor in the last level that was noted
//     value      as in anytime/value.py, less the start's
//     facts      blank + (last direction << 10) + (wrong cells << 13)
//     cells      the home of the tile in each; CELLS + 1 in the blank's
//
// So the way to a node is known though only every 32nd level is noted, with 12 bytes a node.
// Directions are the blank's: 0 up, 1 left, 2 right, 3 down; the opposites sum to 3.
//
// Five kernels make the next level:
//
//     expand    the values of all children, a word each; a child that is known already or far from
//               good enough has none. The others are counted by the blank's cell and by value.
//     tally     for each cell of the blank, which values are among its best `per_cell`
//     decide    of these of all cells, which values are among the best `width`
//     keep      writes the nodes of the children that both let through
//     finish    remembers the best node, and prepares the next level
//
// Values are counted in buckets: those of one bucket are equally good. Where a bucket is only kept in
// part, the first that come are. A child that would not have been among the best 2 × width of the last
// level is not looked up, nor counted.

#define NO_VALUE 0x7fffffff
#define NO_ORIGIN 0xffffffffu
#define NO_DIRECTION 7
#define HASH 0
#define HISTORY 2
#define ANCESTOR 4
#define VALUE 5
#define FACTS 6
#define FIRST_CELL 7
#define SIDE (COLUMNS > CELLS / COLUMNS ? COLUMNS : CELLS / COLUMNS)
#define NODE_QUADS (NODE_WORDS / 4)
// A lane copies a node of up to so many quads alone; larger ones are copied by the whole warp.
#define LANE_QUADS 8
// Small nodes are copied to shared memory before their children are looked at. They are an odd number
// of words apart there, so that lanes read other banks. Of a large node only what is near its blank
// is read, where it is.
#define STAGED_WORDS (NODE_WORDS + 1)

#if WIDE
typedef u16 Cell;
#else
typedef u8 Cell;
#endif

struct alignas(16) Quad {
    u32 word[4];
};

// Which children are kept: all of lower buckets, and the first `rest` of this one.
struct Cut {
    u32 bucket;
    u32 rest;
    u32 ties;  // children of this bucket so far
};

struct State {
    u64 generated;
    u64 least;      // (value + 2^31) << 32 | number, of the best node kept
    u32 count;      // nodes of the level; 0 when the walk is over
    u32 kept;       // children kept so far; may exceed the width
    u32 level;      // moves from the start
    u32 solved;     // parent << 2 | direction of a child that is solved
    int base;       // the value with which the second bucket begins, or above
    int best;       // the least value so far
    u32 best_level;
    u32 colour;     // of the cells where the blanks are: (row + column) & 1
    u32 first;      // the bucket of the best children
    int limit;      // the greatest value that is looked at
    Cut cut;        // of all that the cuts of the cells let through
};

struct Beam {
    u32* marks;       // by the lower bits of a hash, its upper 32
    u64 mask;
    int* children;    // values, in the order of `place_of`
    u32* counts;      // children by cell and bucket
    u32* totals;      // children by bucket
    Cut* cuts;        // by cell
    State* state;
    u32* best_node;
    const u64* tile_keys;
    const u64* cell_keys;
    const int* singles;  // what a tile adds by its distances from home: SIDE to a row
    const short* pairs;  // what a tile adds with a neighbour: by its kind, the place, the other's kind
    u32 width;
    u32 per_cell;
};

DEVICE u32 colour_of(u32 cell) { return (cell / COLUMNS + cell % COLUMNS) & 1; }

// The cell where the blank goes; CELLS beyond the rim.
DEVICE u32 beside(u32 cell, u32 direction) {
    u32 column = cell % COLUMNS;
    switch (direction) {
        case 0: return cell >= COLUMNS ? cell - COLUMNS : CELLS;
        case 1: return column ? cell - 1 : CELLS;
        case 2: return column < COLUMNS - 1 ? cell + 1 : CELLS;
        default: return cell < CELLS - COLUMNS ? cell + COLUMNS : CELLS;
    }
}

DEVICE int cut_off(int steps) { return steps < -REACH ? -REACH : steps > REACH ? REACH : steps; }

// The kind of a tile in a cell, by its displacement.
DEVICE u32 kind_of(u32 tile, u32 row, u32 column) {
    int down = cut_off((int)row - (int)(tile / COLUMNS)), right = cut_off((int)column - (int)(tile % COLUMNS));
    return (down + REACH) * (2 * REACH + 1) + right + REACH;
}

// The cells around one, in rows and columns from it; the first four are the directions.
struct Place {
    signed char down, right;
};

DEVICE Place place_around(u32 number) {
    const Place places[OFFSETS] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}, {-1, -1}, {-1, 1},
                                   {1, -1}, {1, 1}, {-2, 0}, {0, -2}, {0, 2}, {2, 0}};
    return places[number];
}

// What a tile of some kind adds with the neighbours of a cell.
DEVICE int pairs_of(const short* pairs, const Cell* cells, u32 kind, u32 cell) {
    u32 row = cell / COLUMNS, column = cell % COLUMNS;
    int value = 0;
#pragma unroll
    for (u32 number = 0; number < OFFSETS; number++) {
        u32 down = row + place_around(number).down, right = column + place_around(number).right, other = RIM;
        if (down < CELLS / COLUMNS && right < COLUMNS) {
            u32 tile = cells[down * COLUMNS + right];
            other = tile > CELLS ? NO_TILE : kind_of(tile, down, right);
        }
        value += pairs[(kind * OFFSETS + number) * KINDS + other];
    }
    return value;
}

DEVICE u32 between(u32 a, u32 b) { return a > b ? a - b : b - a; }

DEVICE int alone(const Beam& beam, u32 tile, u32 cell) {
    u32 down = between(tile / COLUMNS, cell / COLUMNS), right = between(tile % COLUMNS, cell % COLUMNS);
    return beam.singles[down * SIDE + right];
}

// What changes when the tile of a cell goes to the blank's.
DEVICE int change(const Beam& beam, const short* pairs, const Cell* cells, u32 cell, u32 blank, u32 direction) {
    u32 tile = cells[cell];
    u32 before = kind_of(tile, cell / COLUMNS, cell % COLUMNS);
    u32 after = kind_of(tile, blank / COLUMNS, blank % COLUMNS);
    int value = alone(beam, tile, blank) - alone(beam, tile, cell);
    value += pairs_of(pairs, cells, after, blank) - pairs_of(pairs, cells, before, cell);
    // The tile itself was counted as a neighbour of the cell that it goes to.
    return value - pairs[(after * OFFSETS + direction) * KINDS + before];
}

DEVICE u32 bucket_of(int value, int base) {
    int bucket = (value - base) >> SHIFT;
    return bucket < 0 ? 0 : bucket < BUCKETS ? bucket : BUCKETS - 1;
}

// Where the value of a child is: the children of as many nodes as a warp has lanes lie together, by
// direction.
DEVICE u64 place_of(u32 node, u32 direction) {
    return ((u64)(node / LANES) * 4 + direction) * LANES + node % LANES;
}

KERNEL expand(const Beam* given, const u32* nodes) {
    SHARED Beam beam;
    SHARED u32 generated;
    SHARED short pairs[RIM * OFFSETS * KINDS];
#if STAGED
    SHARED_MEMORY(staged);
#endif
    for (u32 i = threadIdx.x; i < RIM * OFFSETS * KINDS; i += blockDim.x) pairs[i] = given->pairs[i];
    if (threadIdx.x == 0) {
        beam = *given;
        generated = 0;
    }
    meet_block();
    State* state = beam.state;
    u32 count = state->count, made = 0;
    int base = state->base, limit = state->limit;
    for (u64 first = (u64)blockIdx.x * LANES; first < count; first += (u64)gridDim.x * LANES) {
        u32 here = less(LANES, count - (u32)first);
#if STAGED
        meet_block();
        for (u32 word = threadIdx.x; word < here * NODE_WORDS; word += blockDim.x)
            staged[word / NODE_WORDS * STAGED_WORDS + word % NODE_WORDS] = nodes[first * NODE_WORDS + word];
        meet_block();
#endif
        // A warp takes one direction, so its lanes do the same.
        for (u32 task = threadIdx.x; task < 4 * LANES; task += blockDim.x) {
            u32 direction = task / LANES, lane = task % LANES, number = (u32)first + lane;
            int value = NO_VALUE;
#if STAGED
            const u32* node = staged + lane * STAGED_WORDS;
#else
            const u32* node = nodes + (u64)number * NODE_WORDS;
#endif
            const Cell* cells = (const Cell*)(node + FIRST_CELL);
            u32 facts = lane < here ? node[FACTS] : 0;
            u32 blank = facts & 1023, last = facts >> 10 & 7;
            u32 cell = lane < here && last != 3 - direction ? beside(blank, direction) : CELLS;
            if (cell < CELLS) {
                made++;
                u32 tile = cells[cell];
                if ((facts >> 13) + (tile != blank) == (u32)(tile != cell))
                    atomicMin(&state->solved, number << 2 | direction);
                value = (int)node[VALUE] + change(beam, pairs, cells, cell, blank, direction);
                if (value > limit) {
                    value = NO_VALUE;
                } else {
                    u64 key = (u64)node[HASH + 1] << 32 | node[HASH];
                    key += beam.tile_keys[tile] * (beam.cell_keys[blank] - beam.cell_keys[cell]);
                    u32 mark = (u32)(key >> 32);
                    if (atomicExch(beam.marks + (key & beam.mask), mark) == mark) value = NO_VALUE;
                    else atomicAdd(beam.counts + (u64)cell * BUCKETS + bucket_of(value, base), 1u);
                }
            }
            beam.children[place_of(number, direction)] = value;
        }
    }
    if (made) atomicAdd(&generated, made);
    meet_block();
    if (threadIdx.x == 0 && generated) atomicAdd(&state->generated, (u64)generated);
}

// The bucket in which the first `wanted` children end, and how many of it are wanted; `parts` are the
// sums of the counts, `chunk` at a time.
DEVICE void find(const u32* counts, const u32* parts, u32 chunk, u32 wanted, u32* bucket, u32* rest) {
    u32 part = 0, place = 0;
    while (part < BUCKETS / chunk && parts[part] <= wanted) wanted -= parts[part++];
    *bucket = BUCKETS;
    *rest = 0;
    if (part == BUCKETS / chunk) return;
    for (place = part * chunk; counts[place] <= wanted; place++) wanted -= counts[place];
    *bucket = place;
    *rest = wanted;
}

// Sum up the counts, for all threads of a block: `parts` are the sums of what each of them looks at.
DEVICE void sum_up(const u32* counts, u32* parts) {
    u32 chunk = BUCKETS / blockDim.x, first = threadIdx.x * chunk, sum = 0;
    for (u32 i = first; i < first + chunk; i++) sum += counts[i];
    parts[threadIdx.x] = sum;
    meet_block();
}

KERNEL tally(const Beam* beam) {
    SHARED u32 parts[128];
    State* state = beam->state;
    u32 chunk = BUCKETS / blockDim.x, first = threadIdx.x * chunk;
    for (u32 cell = blockIdx.x; cell < CELLS; cell += gridDim.x) {
        if (colour_of(cell) == state->colour) continue;
        u32* counts = beam->counts + (u64)cell * BUCKETS;
        sum_up(counts, parts);
        if (threadIdx.x == 0) {
            Cut* cut = beam->cuts + cell;
            cut->ties = 0;
            find(counts, parts, chunk, beam->per_cell, &cut->bucket, &cut->rest);
        }
        meet_block();
        // Those that the cut lets through are candidates.
        u32 left = beam->per_cell;
        for (u32 part = 0; part < threadIdx.x; part++) left -= less(left, parts[part]);
        for (u32 i = first; i < first + chunk; i++) {
            u32 here = less(left, counts[i]);
            if (here) atomicAdd(beam->totals + i, here);
            left -= here;
            counts[i] = 0;
        }
        meet_block();
    }
}

// For one block.
KERNEL decide(const Beam* beam) {
    SHARED u32 parts[128];
    State* state = beam->state;
    u32 bucket, rest, chunk = BUCKETS / blockDim.x, first = threadIdx.x * chunk;
    sum_up(beam->totals, parts);
    if (threadIdx.x == 0) {
        state->kept = 0;
        state->cut.ties = 0;
        find(beam->totals, parts, chunk, beam->width, &state->cut.bucket, &state->cut.rest);
    }
    if (threadIdx.x == LANES % blockDim.x) {
        find(beam->totals, parts, chunk, 2 * beam->width, &bucket, &rest);
        state->limit = bucket >= BUCKETS - 1 ? NO_VALUE - 1 : state->base + (int)((bucket + 1) << SHIFT) - 1;
    }
    if (threadIdx.x == 2 * LANES % blockDim.x) find(beam->totals, parts, chunk, 0, &state->first, &rest);
    meet_block();
    for (u32 i = first; i < first + chunk; i++) beam->totals[i] = 0;
}

DEVICE bool lets_through(Cut* cut, u32 bucket) {
    if (bucket != cut->bucket) return bucket < cut->bucket;
    return cut->rest && atomicAdd(&cut->ties, 1u) < cut->rest;
}

KERNEL keep(const Beam* given, const u32* nodes, u32* following) {
    SHARED Beam beam;
    SHARED u32 taken, begin;
    if (threadIdx.x == 0) beam = *given;
    meet_block();
    State* state = beam.state;
    int base = state->base;
    u32 lane = threadIdx.x % LANES;
    u64 all = (u64)((state->count + LANES - 1) / LANES) * 4 * LANES;
    for (u64 start = (u64)blockIdx.x * blockDim.x; start < all; start += all_threads()) {
        u64 place = start + threadIdx.x;
        int value = place < all ? beam.children[place] : NO_VALUE;
        u32 parent = (u32)(place / (4 * LANES)) * LANES + (u32)(place % LANES);
        u32 direction = place / LANES % 4, facts = 0, cell = 0;
        bool is_kept = false;
        const u32* node = nodes + (u64)parent * NODE_WORDS;
        if (value != NO_VALUE) {
            facts = node[FACTS];
            cell = beside(facts & 1023, direction);
            u32 bucket = bucket_of(value, base);
            is_kept = lets_through(beam.cuts + cell, bucket) && lets_through(&state->cut, bucket);
        }
        // Each block asks for its places at once.
        if (threadIdx.x == 0) taken = 0;
        meet_block();
        u32 votes = vote(is_kept), before = 0;
        if (lane == 0) before = atomicAdd(&taken, ones(votes));
        before = from_first(before) + ones(votes & below(lane));
        meet_block();
        if (threadIdx.x == 0) begin = atomicAdd(&state->kept, taken);
        meet_block();
        u32 number = begin + before;
#if NODE_QUADS > LANE_QUADS
        for (u32 left = votes; left; left &= left - 1) {
            u32 source = from_lane(parent, lowest(left)), target = from_lane(number, lowest(left));
            if (target >= beam.width) continue;
            const Quad* from = (const Quad*)(nodes + (u64)source * NODE_WORDS);
            Quad* child = (Quad*)(following + (u64)target * NODE_WORDS);
            for (u32 quad = lane; quad < NODE_QUADS; quad += LANES) child[quad] = from[quad];
        }
        meet_warp();
#endif
        if (is_kept && number < beam.width) {
            u32 blank = facts & 1023;
            u32 tile = ((const Cell*)(node + FIRST_CELL))[cell];
            u32 misses = (facts >> 13) + (tile != blank) - (tile != cell);
            Quad* child = (Quad*)(following + (u64)number * NODE_WORDS);
            const Quad* from = (const Quad*)node;
            Quad one = from[0], two = from[1];
            u64 key = (u64)one.word[HASH + 1] << 32 | one.word[HASH];
            key += beam.tile_keys[tile] * (beam.cell_keys[blank] - beam.cell_keys[cell]);
            u64 history = ((u64)one.word[HISTORY + 1] << 32 | one.word[HISTORY]) << 2 | direction;
            one.word[HASH] = (u32)key;
            one.word[HASH + 1] = (u32)(key >> 32);
            one.word[HISTORY] = (u32)history;
            one.word[HISTORY + 1] = (u32)(history >> 32);
            two.word[VALUE - 4] = (u32)value;
            two.word[FACTS - 4] = cell | direction << 10 | misses << 13;
            child[0] = one;
            child[1] = two;
#if NODE_QUADS <= LANE_QUADS
            for (u32 quad = 2; quad < NODE_QUADS; quad++) child[quad] = from[quad];
#endif
            Cell* cells = (Cell*)((u32*)child + FIRST_CELL);
            cells[blank] = (Cell)tile;
            cells[cell] = CELLS + 1;
            if (bucket_of(value, base) == state->first)
                atomicMin(&state->least, (u64)((u32)value ^ 0x80000000u) << 32 | number);
        }
        meet_block();
    }
}

// For one block.
KERNEL finish(const Beam* beam, const u32* following) {
    State* state = beam->state;
    u32 count = less(state->kept, beam->width);
    bool is_over = !state->count || !count || state->solved != NO_ORIGIN;
    int least = (int)((u32)(state->least >> 32) ^ 0x80000000u);
    const u32* node = following + (u64)(u32)state->least * NODE_WORDS;
    bool is_known = state->least != ~0ull, is_better = is_known && least < state->best;
    meet_block();
    if (!is_over && is_better)
        for (u32 word = threadIdx.x; word < NODE_WORDS; word += blockDim.x)
            beam->best_node[word] = node[word];
    if (threadIdx.x != 0) return;
    state->count = is_over ? 0 : count;
    if (is_over) return;
    state->level++;
    state->colour ^= 1;
    if (is_better) {
        state->best = least;
        state->best_level = state->level;
    }
    if (is_known) state->base = least - (DROP << SHIFT);
    state->least = ~0ull;
}

// Note where the nodes of a level come from; from now on each is its own ancestor.
KERNEL note(const Beam* beam, u32* nodes, u64* histories, u32* ancestors) {
    u32 count = beam->state->count;
    for (u64 number = first_thread(); number < count; number += all_threads()) {
        u32* node = nodes + number * NODE_WORDS;
        histories[number] = (u64)node[HISTORY + 1] << 32 | node[HISTORY];
        ancestors[number] = node[ANCESTOR];
        node[ANCESTOR] = (u32)number;
    }
}
