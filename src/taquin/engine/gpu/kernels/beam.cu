// A beam: all boards of one depth at a time, of which the most promising are kept.
//
// A level is an array of nodes. A node has no board of its own:
//
//     word    0 1     2          3          4       5       6 7
//             hash    history    ancestor   value   facts   unused
//
//     history    the last NOTED moves, two bits each, the latest lowest
//     ancestor   the number of the node's ancestor in the last level that was noted
//     value      as in anytime/value.py, less the start's
//     facts      blank + (last direction << 10) + (wrong cells << 13)
//
// Every NOTED levels the level is noted: where its nodes come from, and their boards, the home of the
// tile in each cell, CELLS + 1 in the blank's. Until the next such level a node's board is that of its
// ancestor with the moves of its history. So a child costs 32 bytes, not a copy of a board, and of a
// board only what is near the blank is read: most of a level has few ancestors, which stay in the cache.
// Directions are the blank's: 0 up, 1 left, 2 right, 3 down; the opposites sum to 3.
//
// Five kernels generate the next level:
//
//     expand    the values of all children, a word each; a child that was generated before, or whose
//               value is far too great, has none. The others are counted by the blank's cell and by value.
//     tally     for each cell of the blank, which values are among its best `per_cell`
//     decide    of these, over all cells, which values are among the best `width`
//     keep      writes the nodes of the children that pass both
//     finish    remembers the best node, and prepares the next level
//
// Values are counted in buckets: those of one bucket are equally good. Of a bucket that does not fit as a
// whole, the first children that come are kept. A child that would not have been among the best
// 2 × width of the last level is neither looked up nor counted.

#define NO_VALUE 0x7fffffff
#define NO_ORIGIN 0xffffffffu
#define HASH 0
#define HISTORY 2
#define ANCESTOR 3
#define VALUE 4
#define FACTS 5
#define NODE_WORDS 8
#define ROWS (CELLS / COLUMNS)
#define SIDE (COLUMNS > ROWS ? COLUMNS : ROWS)
// How far the neighbours of the blank's neighbours are from the blank, and the cells of a square of those.
#define NEAR 3
#define ACROSS (2 * NEAR + 1)
#define MIDDLE (NEAR * ACROSS + NEAR)

#if WIDE
typedef u16 Cell;
#else
typedef u8 Cell;
#endif

struct alignas(16) Quad {
    u32 word[4];
};

#define CELL_BITS (8 * (int)sizeof(Cell))
#define WORD_CELLS (64 / CELL_BITS)
#define BOARD_QUADS ((CELLS * sizeof(Cell) + sizeof(Quad) - 1) / sizeof(Quad))
#define BOARD_CELLS (2 * BOARD_QUADS * WORD_CELLS)

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
    Cut cut;        // of all that the cuts of the cells let pass
};

struct Beam {
    u32* marks;       // by the lower bits of a hash, its upper 32
    u64 mask;
    int* children;    // values, in the order of `place_of`
    u16* tiles;       // which tile moves, in the same order
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

// How the number of a cell changes.
DEVICE u32 step_of(u32 direction) {
    return direction == 0 ? 0u - COLUMNS : direction == 1 ? 0u - 1 : direction == 2 ? 1 : COLUMNS;
}

DEVICE int cut_off(int steps) { return steps < -REACH ? -REACH : steps > REACH ? REACH : steps; }

// The kind of a tile in a cell, by its displacement.
DEVICE u32 kind_of(u32 tile, u32 row, u32 column) {
    int down = cut_off((int)row - (int)(tile / COLUMNS)), right = cut_off((int)column - (int)(tile % COLUMNS));
    return tile > CELLS ? NO_TILE : (down + REACH) * (2 * REACH + 1) + right + REACH;
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

// What is near the blank of a board: `kinds` is a square around it, each cell `blockDim.x` further than
// the one before, so that lanes read different banks. Cells more than NEAR steps away are left out.
struct Surroundings {
    u8* kinds;
    u32 tiles[4];  // those that may move, by direction
};

DEVICE u8& kind_at(Surroundings& around, int cell) { return around.kinds[cell * blockDim.x]; }

// Some cells of a row, from any one on: those beyond the board are of no use, but may be read.
struct Stretch {
    u64 words[2];
};

DEVICE u32 cell_of(const Stretch& stretch, u32 number) {
    return stretch.words[number / WORD_CELLS] >> number % WORD_CELLS * CELL_BITS & below(CELL_BITS);
}

template <u32 COUNT> DEVICE Stretch stretch_from(const Cell* board, int first) {
    int last = BOARD_CELLS / WORD_CELLS - 1, word = first >= 0 ? first / WORD_CELLS : -1;
    u32 shift = ((u32)first % WORD_CELLS) * CELL_BITS;
    u64 words[3] = {};
#pragma unroll
    for (int i = 0; i * WORD_CELLS < COUNT + (COUNT > 1 ? WORD_CELLS - 1 : 0); i++)
        words[i] = ((const u64*)board)[word + i < 0 ? 0 : word + i > last ? last : word + i];
    // The words of the stretch; a shift by 64 bits is undefined.
    return {{words[0] >> shift | words[1] << 1 << 63 - shift, words[1] >> shift | words[2] << 1 << 63 - shift}};
}

template <int DOWN> DEVICE void look_at_row(Surroundings& around, const Cell* board, u32 row, u32 column) {
    const int FAR = NEAR - (DOWN < 0 ? -DOWN : DOWN);
    Stretch stretch = stretch_from<2 * FAR + 1>(board, (int)((row + DOWN) * COLUMNS + column) - FAR);
#pragma unroll
    for (int right = -FAR; right <= FAR; right++) {
        bool is_there = row + DOWN < ROWS && column + right < COLUMNS;
        u32 tile = cell_of(stretch, right + FAR), kind = kind_of(tile, row + DOWN, column + right);
        kind_at(around, MIDDLE + DOWN * ACROSS + right) = (u8)(is_there ? kind : RIM);
        if (DOWN == -1 && right == 0) around.tiles[0] = tile;
        if (DOWN == 0 && right == -1) around.tiles[1] = tile;
        if (DOWN == 0 && right == 1) around.tiles[2] = tile;
        if (DOWN == 1 && right == 0) around.tiles[3] = tile;
    }
}

// Look at a board: `board` is that of an ancestor, `moves` moves before. Lanes read different boards, so
// few wide reads take less time than many narrow ones; none is in a branch, so that their latencies
// overlap.
DEVICE void look_around(Surroundings& around, const Cell* board, u32 blank, u32 history, u32 moves) {
    // Where the blank was so many moves ago, and which tile took its place when it went on.
    u32 blanks[NOTED + 1], moved[NOTED];
    blanks[0] = blank;
#pragma unroll
    for (u32 ago = 0; ago < NOTED; ago++) {
        blanks[ago + 1] = ago < moves ? blanks[ago] - step_of(history >> 2 * ago & 3) : CELLS;
        moved[ago] = ago < moves ? board[blanks[ago]] : 0;
    }
    u32 row = blank / COLUMNS, column = blank % COLUMNS;
    look_at_row<-3>(around, board, row, column);
    look_at_row<-2>(around, board, row, column);
    look_at_row<-1>(around, board, row, column);
    look_at_row<0>(around, board, row, column);
    look_at_row<1>(around, board, row, column);
    look_at_row<2>(around, board, row, column);
    look_at_row<3>(around, board, row, column);
#pragma unroll
    for (int ago = NOTED - 1; ago >= 0; ago--) {
        if ((u32)ago >= moves) continue;
#pragma unroll
        for (int before = NOTED - 1; before > ago; before--)
            if (blanks[before + 1] == blanks[ago]) moved[ago] = moved[before];
        u32 tile = moved[ago], cell = blanks[ago + 1];
        int down = (int)(cell / COLUMNS) - (int)row, right = (int)(cell % COLUMNS) - (int)column;
        if (down >= -NEAR && down <= NEAR && right >= -NEAR && right <= NEAR)
            kind_at(around, MIDDLE + down * ACROSS + right) = (u8)kind_of(tile, row + down, column + right);
#pragma unroll
        for (u32 way = 0; way < 4; way++)
            if (cell == beside(blank, way)) around.tiles[way] = tile;
    }
    kind_at(around, MIDDLE) = NO_TILE;
}

// What a tile of some kind adds with the neighbours of a cell of the square.
DEVICE int pairs_of(const short* pairs, Surroundings& around, u32 kind, int cell) {
    int value = 0;
#pragma unroll
    for (u32 number = 0; number < OFFSETS; number++) {
        u32 other = kind_at(around, cell + place_around(number).down * ACROSS + place_around(number).right);
        value += pairs[(kind * OFFSETS + number) * KINDS + other];
    }
    return value;
}

DEVICE u32 between(u32 a, u32 b) { return a > b ? a - b : b - a; }

DEVICE int alone(const Beam& beam, u32 tile, u32 cell) {
    u32 down = between(tile / COLUMNS, cell / COLUMNS), right = between(tile % COLUMNS, cell % COLUMNS);
    return beam.singles[down * SIDE + right];
}

// What pairs of neighbours change when a tile goes to the blank's cell.
DEVICE int change(const short* pairs, Surroundings& around, u32 blank, u32 direction) {
    int from = MIDDLE + place_around(direction).down * ACROSS + place_around(direction).right;
    u32 before = kind_at(around, from), after = kind_of(around.tiles[direction], blank / COLUMNS, blank % COLUMNS);
    int value = pairs_of(pairs, around, after, MIDDLE) - pairs_of(pairs, around, before, from);
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

KERNEL THREADS_OF_A_BLOCK(THREADS, BLOCKS)
    expand(const Beam* given, const u32* nodes, const Cell* boards) {
    SHARED Beam beam;
    SHARED u32 generated;
    SHARED short pairs[RIM * OFFSETS * KINDS];
    SHARED_MEMORY(kinds);
    for (u32 i = threadIdx.x; i < RIM * OFFSETS * KINDS; i += blockDim.x) pairs[i] = given->pairs[i];
    if (threadIdx.x == 0) {
        beam = *given;
        generated = 0;
    }
    meet_block();
    State* state = beam.state;
    u32 count = state->count, moves = state->level % NOTED, made = 0;
    int base = state->base, limit = state->limit;
    Surroundings around;
    around.kinds = (u8*)kinds + threadIdx.x;
    for (u64 number = first_thread(); number < count; number += all_threads()) {
        const Quad* quads = (const Quad*)(nodes + number * NODE_WORDS);
        Quad one = quads[0], two = quads[1];
        u32 facts = two.word[FACTS - 4], blank = facts & 1023, last = facts >> 10 & 7;
        u64 hash = (u64)one.word[HASH + 1] << 32 | one.word[HASH];
        const Cell* board = boards + (u64)one.word[ANCESTOR] * BOARD_CELLS;
        look_around(around, board, blank, one.word[HISTORY], moves);
        // Again in steps, so that the latency is not paid four times.
        u32 cells[4], marks[4];
        u64 keys[4];
        int values[4];
#pragma unroll
        for (u32 direction = 0; direction < 4; direction++) {
            cells[direction] = last != 3 - direction ? beside(blank, direction) : CELLS;
            u32 cell = less(cells[direction], CELLS - 1), tile = less(around.tiles[direction], CELLS - 1);
            keys[direction] = hash + beam.tile_keys[tile] * (beam.cell_keys[blank] - beam.cell_keys[cell]);
            values[direction] = (int)two.word[VALUE - 4] + alone(beam, tile, blank) - alone(beam, tile, cell);
        }
#pragma unroll
        for (u32 direction = 0; direction < 4; direction++) {
            u32 cell = cells[direction], tile = around.tiles[direction];
            if (cell < CELLS) {
                made++;
                if ((facts >> 13) + (tile != blank) == (u32)(tile != cell))
                    atomicMin(&state->solved, (u32)number << 2 | direction);
                values[direction] += change(pairs, around, blank, direction);
            }
            if (cell == CELLS || values[direction] > limit) values[direction] = NO_VALUE;
        }
#pragma unroll
        for (u32 direction = 0; direction < 4; direction++)
            if (values[direction] != NO_VALUE)
                marks[direction] = atomicExch(beam.marks + (keys[direction] & beam.mask), (u32)(keys[direction] >> 32));
#pragma unroll
        for (u32 direction = 0; direction < 4; direction++) {
            u64 place = place_of((u32)number, direction);
            int& value = values[direction];
            if (value != NO_VALUE) {
                if (marks[direction] == (u32)(keys[direction] >> 32)) value = NO_VALUE;
                else atomicAdd(beam.counts + (u64)cells[direction] * BUCKETS + bucket_of(value, base), 1u);
                beam.tiles[place] = (u16)around.tiles[direction];
            }
            beam.children[place] = value;
        }
    }
    if (made) atomicAdd(&generated, made);
    meet_block();
    if (threadIdx.x == 0 && generated) atomicAdd(&state->generated, (u64)generated);
}

// Counts of buckets, of which each thread of a block looks at some.
struct Share {
    const u32* counts;
    u32 first, end;   // buckets
    u32 before, sum;  // the sums of the counts before them, and of theirs
};

// For all threads of a block; `sums` has a place for each.
DEVICE Share share_of(const u32* counts, u32* sums) {
    u32 many = BUCKETS / blockDim.x;
    Share share = {counts, threadIdx.x * many, (threadIdx.x + 1) * many, 0, 0};
    for (u32 i = share.first; i < share.end; i++) share.sum += counts[i];
    meet_block();
    sums[threadIdx.x] = share.sum;
    for (u32 step = 1; step < blockDim.x; step *= 2) {
        meet_block();
        u32 more = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        meet_block();
        sums[threadIdx.x] += more;
    }
    share.before = sums[threadIdx.x] - share.sum;
    return share;
}

// Find the bucket in which the first `wanted` children end, and how many of it are wanted: the thread
// whose share it is says so.
DEVICE void find(const Share& share, u32 wanted, u32* bucket, u32* rest) {
    if (wanted >= share.before && wanted - share.before < share.sum) {
        u32 left = wanted - share.before, place = share.first;
        while (share.counts[place] <= left) left -= share.counts[place++];
        *bucket = place;
        *rest = left;
    } else if (share.end == BUCKETS && wanted >= share.before) {
        *bucket = BUCKETS;
        *rest = 0;
    }
}

KERNEL tally(const Beam* beam) {
    SHARED u32 sums[COUNT_THREADS];
    State* state = beam->state;
    for (u32 cell = blockIdx.x; cell < CELLS; cell += gridDim.x) {
        if (colour_of(cell) == state->colour) continue;
        u32* counts = beam->counts + (u64)cell * BUCKETS;
        Cut* cut = beam->cuts + cell;
        Share share = share_of(counts, sums);
        find(share, beam->per_cell, &cut->bucket, &cut->rest);
        if (threadIdx.x == 0) cut->ties = 0;
        // Those that pass the cut are candidates.
        u32 left = beam->per_cell - less(beam->per_cell, share.before);
        for (u32 i = share.first; i < share.end; i++) {
            u32 here = less(left, counts[i]);
            if (here) atomicAdd(beam->totals + i, here);
            left -= here;
            counts[i] = 0;
        }
    }
}

// For one block.
KERNEL decide(const Beam* beam) {
    SHARED u32 sums[COUNT_THREADS];
    SHARED u32 far, rest;
    State* state = beam->state;
    Share share = share_of(beam->totals, sums);
    find(share, beam->width, &state->cut.bucket, &state->cut.rest);
    find(share, 2 * beam->width, &far, &rest);
    meet_block();
    find(share, 0, &state->first, &rest);
    if (threadIdx.x == 0) {
        state->kept = 0;
        state->cut.ties = 0;
        state->limit = far >= BUCKETS - 1 ? NO_VALUE - 1 : state->base + (int)((far + 1) << SHIFT) - 1;
    }
    for (u32 i = share.first; i < share.end; i++) beam->totals[i] = 0;
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
    u32 count = state->count;
    u64 all = (u64)((count + LANES - 1) / LANES) * 4 * LANES;
    for (u64 start = (u64)blockIdx.x * blockDim.x; start < all; start += all_threads()) {
        u64 place = start + threadIdx.x;
        u32 parent = (u32)(place / (4 * LANES)) * LANES + (u32)(place % LANES);
        int value = parent < count ? beam.children[place] : NO_VALUE;
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
        if (is_kept && number < beam.width) {
            u32 blank = facts & 1023, tile = beam.tiles[place];
            u32 misses = (facts >> 13) + (tile != blank) - (tile != cell);
            Quad* child = (Quad*)(following + (u64)number * NODE_WORDS);
            Quad one = *(const Quad*)node, two = {};
            u64 key = (u64)one.word[HASH + 1] << 32 | one.word[HASH];
            key += beam.tile_keys[tile] * (beam.cell_keys[blank] - beam.cell_keys[cell]);
            one.word[HASH] = (u32)key;
            one.word[HASH + 1] = (u32)(key >> 32);
            one.word[HISTORY] = one.word[HISTORY] << 2 | direction;
            two.word[VALUE - 4] = (u32)value;
            two.word[FACTS - 4] = cell | direction << 10 | misses << 13;
            child[0] = one;
            child[1] = two;
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

// Note where the nodes of a level come from, and their boards; from now on each is its own ancestor.
KERNEL note(const Beam* beam, u32* nodes, u32* histories, u32* ancestors, const Cell* boards, Cell* own_boards) {
    u32 count = beam->state->count, lane = threadIdx.x % LANES;
    for (u64 first = first_thread() - lane; first < count; first += all_threads()) {
        u64 number = first + lane;
        u32* node = nodes + number * NODE_WORDS;
        u32 ancestor = number < count ? node[ANCESTOR] : 0, here = less(LANES, count - (u32)first);
        for (u32 i = 0; i < here; i++) {
            const Quad* from = (const Quad*)(boards + (u64)from_lane(ancestor, i) * BOARD_CELLS);
            Quad* to = (Quad*)(own_boards + (first + i) * BOARD_CELLS);
            for (u32 quad = lane; quad < BOARD_QUADS; quad += LANES) to[quad] = from[quad];
        }
        meet_warp();
        if (lane >= here) continue;
        u32 blank = node[FACTS] & 1023, history = node[HISTORY], before = blank;
        Cell* board = own_boards + number * BOARD_CELLS;
        for (u32 ago = 0; ago < NOTED; ago++) before -= step_of(history >> 2 * ago & 3);
        for (int ago = NOTED - 1; ago >= 0; ago--) {
            u32 next = before + step_of(history >> 2 * ago & 3);
            board[before] = board[next];
            before = next;
        }
        board[blank] = CELLS + 1;
        histories[number] = history;
        ancestors[number] = ancestor;
        node[ANCESTOR] = (u32)number;
    }
}
