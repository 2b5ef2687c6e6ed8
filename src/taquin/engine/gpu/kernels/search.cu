// One bound of IDA*, searched by many warps, each with a stack of whole nodes.
//
//     stack of a warp   … node node node | node node node      the top 32 are expanded together:
//                                          one lane each       their moves are listed, two or three
//                                                              a node, and distributed to the lanes
//
// A lane generates one child: it finds the tile, reads the tables of the patterns that contain it, and
// prunes the child as soon as a view has no slack left. The other children are written side by side on
// the stack. A node is complete, so no move is undone and no lane waits for another to backtrack.
//
// A node, in 32-bit words (a column of lanes each, so that a warp reads and writes lines):
//     board     BITS a cell
//     planes    of each ranked view, two: for each cell, the code of the pattern that stands there
//     orders    of each ranked slot, 16 bits: see tables.cu
//     places    (for direct slots) the cell of each tile, BITS each, tile 1 first
//     values    of each slot, 4 bits: half of what its tiles need beyond their Manhattan distances
//     room      the slack of each view plus 128, 8 bits: (bound - depth - estimate) / 2. Below 128 the
//               slack is negative. A tile's step away from home subtracts 1, a rise of a table value
//               subtracts the rise. After the views comes one more slack, from which no table subtracts
//     meta      blank 0-4, Manhattan distance 5-12, state of the automaton 13-28
//     origin    the root it comes from, or the puzzle, when there are many; above it the bit AHEAD
//     history   (TRACE words of it) the directions so far, the last one lowest
//
// A *view* is a partition of the tiles into patterns, which may leave some out, a *slot* one pattern;
// views share slots. Ranked slots have tables by set and order, for patterns too large for direct ones,
// whose index has the cells of the tiles as digits to the base of CELLS. That index is computed for each
// lookup: with it, nodes are so wide that the tops of all stacks do not fit into the L2 cache.
//
// Where fewer than `near` moves are left, the next bound is searched too: a node that only this bound
// prunes gets one more unit of slack in each view and the flag AHEAD, which all nodes below it inherit.
// Solutions among them are recorded separately, and they are counted separately.
//
// `expand` generates the first levels breadth first, each node with its path beside it.
//
// A launch ends when its budget is spent, a solution is found, or too many warps are out of work; the
// nodes of all stacks are then redistributed. So launches are short, and all warps are busy to the end.

#define PER_WORD (32 / BITS)
#define BOARD_WORDS ((CELLS + PER_WORD - 1) / PER_WORD)
#define VIEWS (RANKED_VIEWS + DIRECT_VIEWS)
#define PLANES BOARD_WORDS
#define ORDERS (PLANES + 2 * RANKED_VIEWS)
#define PLACES (ORDERS + (RANKED + 1) / 2)
#define PLACE_WORDS (DIRECT ? (CELLS - 1 + PER_WORD - 1) / PER_WORD : 0)
#define RANKED_VALUES (PLACES + PLACE_WORDS)
#define DIRECT_VALUES (RANKED_VALUES + (RANKED > 0))
#define ROOM (DIRECT_VALUES + (DIRECT + 7) / 8)
#define ROOMS (VIEWS + 1)
#define META (ROOM + (ROOMS + 3) / 4)
#define ORIGIN (META + 1)
#define HISTORY (ORIGIN + 1)
#define WIDTH (HISTORY + TRACE)

#define EACH (0x0101010101010101ull >> 8 * (8 - ROOMS))
#define PAIRS (LANES > 1 ? 2 * LANES : 4)
#define BLOCK (LANES > 1 ? 256 : 1)
#define AHEAD (1u << 31)
#define NONE 255

enum { FOUND, IDLE, FOUND_AHEAD };

struct Plan {
    u64 ranked_table[8], ranked_turn[8], ranked_scale[8];
    u64 direct_table[16], direct_scale[16];
    u64 allowed, follow;
    u32 ranked_orders[8], ranked_size[8];
    u32 stray[4 * 32];
    u32 choose[512 + 2 * 9 * 256];
    u32 direct_place[4 * 32];
    u8 exits[32];
    u8 image[2 * 32], ranked_slot[2 * 32], ranked_code[2 * 32];
    u8 direct_slot[4 * 32], direct_leads[2 * 16];
    u8 direct_image[16 * 32], direct_tiles[16 * 8], direct_size[16];
};

struct Child {
    u64 room, direct_values;
    u32 ranked_values, turned, order[2];
    u32 ahead;
};

// Rank of a set of up to 8 cells, by three parts of the grid.
DEVICE u32 rank_of_set(const Plan& plan, u32 set) {
    u32 low = set & 511, middle = set >> 9 & 255, high = set >> 17;
    u32 count = ones(low);
    u32 rank = plan.choose[low] + plan.choose[512 + 256 * count + middle];
    return rank + plan.choose[512 + 9 * 256 + 256 * (count + ones(middle)) + high];
}

DEVICE u32 value_in(u64 table, u64 index) {
    return far_byte((const u8*)table + (index >> 1)) >> 4 * (u32)(index & 1) & 15;
}

DEVICE u32 room_of(u64 room, u32 view) { return (u32)(room >> 8 * view) & 255; }

// Whether all views have slack left in this bound, given that they have in the next one, where each has
// one more unit.
DEVICE bool has_room_now(u64 room) { return (room - EACH & EACH << 7) == EACH << 7; }

// The moves that the bound leaves a node with this Manhattan distance.
DEVICE u32 moves_left(u32 distance, u64 room) { return distance + 2 * (room_of(room, VIEWS) - 128); }

DEVICE u32 distance_of(u32 meta) { return meta >> 5 & 255; }

DEVICE u32 state_of(u32 meta) { return meta >> 13 & 0xFFFF; }

DEVICE u64 rooms_of(const u32* node) {
    u64 room = node[ROOM * LANES];
#if ROOMS > 4
    room |= (u64)node[(ROOM + 1) * LANES] << 32;
#endif
    return room;
}

// All of a node's words lie in a column: `node[word * LANES]`. The views with the least slack are read
// first: they are the likeliest to prune it.
DEVICE bool ranked_room(const Plan& plan, const u32* node, u32 tile, u32 cell, u32 blank, Child& child) {
    (void)plan, (void)node, (void)tile, (void)cell, (void)blank, (void)child;
#if RANKED
    child.ranked_values = node[RANKED_VALUES * LANES];
    child.turned = RANKED_VIEWS > 1 && room_of(child.room, 1) < room_of(child.room, 0);
#pragma unroll
    for (u32 i = 0; i < RANKED_VIEWS; i++) {
        u32 view = i ^ child.turned;
        u32 slot = plan.ranked_slot[32 * view + tile];
        if (slot != NONE && (i == 0 || slot != plan.ranked_slot[32 * (view ^ 1) + tile])) {
            // A slot of both views is seen as the first sees it.
            if (slot == plan.ranked_slot[tile]) view = 0;
            u32 code = plan.ranked_code[32 * view + tile];
            u32 odd = node[(PLANES + 2 * view) * LANES], high = node[(PLANES + 2 * view + 1) * LANES];
            u32 set = (code & 1 ? odd : ~odd) & (code & 2 ? high : ~high);
            u32 from = plan.image[32 * view + cell], to = plan.image[32 * view + blank];
            u32 next = set ^ 1u << from ^ 1u << to;
            u32 place = ones(set & below(from)), target = ones(next & below(to));
            u32 order = node[(ORDERS + slot / 2) * LANES] >> 16 * (slot & 1) & 0xFFFF;
            u32 orders = plan.ranked_orders[slot];
            if (place != target) {
                const u16* turns = (const u16*)plan.ranked_turn[slot];
                order = turns[(place * plan.ranked_size[slot] + target) * orders + order];
            }
            child.order[i] = order;
            u32 value = value_in(plan.ranked_table[slot], (u64)rank_of_set(plan, next) * orders + order);
            int rise = (int)value - (int)(child.ranked_values >> 4 * slot & 15);
            child.ranked_values += (u32)rise << 4 * slot;
            child.room -= (u64)(long long)rise * plan.ranked_scale[slot];
        }
        if (room_of(child.room, i ^ child.turned) < 128) return false;
    }
#endif
    return true;
}

#if DIRECT
DEVICE void rise_in_turn(u32& first, u32& second) {
    u32 low = less(first, second);
    second = first < second ? second : first;
    first = low;
}
#endif

DEVICE bool direct_room(const Plan& plan, const u32* node, u32 tile, u32 cell, u32 blank, Child& child) {
    (void)plan, (void)node, (void)tile, (void)cell, (void)blank, (void)child;
#if DIRECT
    child.direct_values = node[DIRECT_VALUES * LANES];
#if DIRECT > 8
    child.direct_values |= (u64)node[(DIRECT_VALUES + 1) * LANES] << 32;
#endif
    // The slots of this tile, by the slack of their views: slack (`room`), number in the tile's list, slot.
    u32 turn[4];
#pragma unroll
    for (u32 i = 0; i < 4; i++) {
        u32 slot = i < DIRECT_MOST ? plan.direct_slot[32 * i + tile] : NONE;
        turn[i] = NONE << 16 | i << 8 | slot;
        if (slot != NONE) {
            u32 room = room_of(child.room, plan.direct_leads[slot]);
            turn[i] = less(room, room_of(child.room, plan.direct_leads[16 + slot])) << 16 | i << 8 | slot;
        }
    }
    if (DIRECT_MOST > 1) {
        rise_in_turn(turn[0], turn[1]);
        if (DIRECT_MOST > 2) {
            rise_in_turn(turn[2], turn[3]);
            rise_in_turn(turn[0], turn[2]);
            rise_in_turn(turn[1], turn[3]);
            rise_in_turn(turn[1], turn[2]);
        }
    }
#pragma unroll
    for (u32 i = 0; i < DIRECT_MOST; i++) {
        u32 slot = turn[i] & 255;
        if (slot == NONE) break;
        const u8* image = plan.direct_image + 32 * slot;
        const u8* tiles = plan.direct_tiles + 8 * slot;
        u32 index = 0;
#pragma unroll
        for (u32 j = 0; j < DIRECT_TILES; j++) {
            // A tile's entry says in which word its cell is, and from which bit on.
            u32 entry = tiles[j];
            u32 place = node[(PLACES + (entry >> 5)) * LANES] >> (entry & 31) & below(BITS);
            if (j < plan.direct_size[slot]) index = index * CELLS + image[place];
        }
        index += ((u32)image[blank] - image[cell]) * plan.direct_place[32 * (turn[i] >> 8 & 255) + tile];
        u32 value = value_in(plan.direct_table[slot], index);
        int rise = (int)value - (int)(child.direct_values >> 4 * slot & 15);
        u64 scale = plan.direct_scale[slot];
        child.direct_values += (u64)(long long)rise << 4 * slot;
        child.room -= (u64)(long long)rise * scale;
        // A step away may lower a value of another view: judge only what was read.
        if ((child.room & scale << 7) != scale << 7) return false;
    }
#endif
    return true;
}

DEVICE void write_room(u32* target, u64 room) {
    target[ROOM * LANES] = (u32)room;
    if (ROOMS > 4) target[(ROOM + 1) * LANES] = (u32)(room >> 32);
}

DEVICE void write_child(const Plan& plan, const u32* node, u32* target, u32 tile, u32 cell, u32 blank,
                        u32 way, u32 meta, const Child& child) {
#pragma unroll
    for (u32 i = 0; i < BOARD_WORDS; i++) {
        u32 word = node[i * LANES];
        if (i == cell / PER_WORD) word ^= tile << BITS * (cell % PER_WORD);
        if (i == blank / PER_WORD) word ^= tile << BITS * (blank % PER_WORD);
        target[i * LANES] = word;
    }
#pragma unroll
    for (u32 view = 0; view < RANKED_VIEWS; view++) {
        u32 code = plan.ranked_code[32 * view + tile];
        u32 both = 1u << plan.image[32 * view + cell] | 1u << plan.image[32 * view + blank];
        u32 at = PLANES + 2 * view;
        target[at * LANES] = node[at * LANES] ^ (code & 1 ? both : 0);
        target[(at + 1) * LANES] = node[(at + 1) * LANES] ^ (code & 2 ? both : 0);
    }
#pragma unroll
    for (u32 i = 0; i < (RANKED + 1) / 2; i++) {
        u32 word = node[(ORDERS + i) * LANES];
#pragma unroll
        for (u32 j = 0; j < RANKED_VIEWS; j++) {
            u32 view = j ^ child.turned, slot = plan.ranked_slot[32 * view + tile];
            if (slot / 2 == i && (j == 0 || slot != plan.ranked_slot[32 * (view ^ 1) + tile]))
                word = slot & 1 ? (word & 0xFFFF) | child.order[j] << 16
                                : (word & 0xFFFF0000) | child.order[j];
        }
        target[(ORDERS + i) * LANES] = word;
    }
#pragma unroll
    for (u32 i = 0; i < PLACE_WORDS; i++) {
        u32 word = node[(PLACES + i) * LANES];
        if (i == (tile - 1) / PER_WORD) word ^= (cell ^ blank) << BITS * ((tile - 1) % PER_WORD);
        target[(PLACES + i) * LANES] = word;
    }
    if (RANKED) target[RANKED_VALUES * LANES] = child.ranked_values;
    if (DIRECT) target[DIRECT_VALUES * LANES] = (u32)child.direct_values;
    if (DIRECT > 8) target[(DIRECT_VALUES + 1) * LANES] = (u32)(child.direct_values >> 32);
    write_room(target, child.room);
    u32 state = ((const u16*)plan.follow)[4 * state_of(meta) + way];
    u32 away = plan.stray[32 * way + tile] >> cell & 1;
    target[META * LANES] = cell | (distance_of(meta) + 2 * away - 1) << 5 | state << 13;
    target[ORIGIN * LANES] = node[ORIGIN * LANES] | child.ahead;
    u32 carried = way;
#pragma unroll
    for (u32 i = 0; i < TRACE; i++) {
        u32 word = node[(HISTORY + i) * LANES];
        target[(HISTORY + i) * LANES] = word << 2 | carried;
        carried = word >> 30;
    }
}

// Record a solution: that there is one, its origin, and for each origin one history.
DEVICE void note_solution(const u32* node, u32 way, u32 ahead, u32* signs, u32* solved, u32* solutions) {
    u32 origin = node[ORIGIN * LANES] & ~AHEAD;
    if (!MANY) atomicExch(&signs[ahead ? FOUND_AHEAD : FOUND], origin + 1);
#if TRACE
    if (atomicExch(&solved[MANY ? origin : 0], 1) == 0) {
        u32 carried = way;
        for (u32 i = 0; i < TRACE; i++) {
            u32 word = node[(HISTORY + i) * LANES];
            solutions[(MANY ? origin : 0) * TRACE + i] = word << 2 | carried;
            carried = word >> 30;
        }
    }
#else
    (void)way, (void)solved, (void)solutions;
#endif
}

// Where a node begins, by its number among nodes of `width` words that lie side by side.
DEVICE u64 column_of(u32 number, u32 width) {
    return (u64)(number / LANES) * (width * LANES) + number % LANES;
}

KERNEL THREADS_OF_A_BLOCK(THREADS, BLOCKS)
    search(const Plan* given, u32* stacks, u32* tops, u32 capacity, u32 budget, u32 patience, u32* signs,
           u64* generated, u32* solved, u32* solutions, u32 near) {
    SHARED_MEMORY(memory);
    for (u32 i = threadIdx.x; i < sizeof(Plan) / 4; i += blockDim.x) memory[i] = ((const u32*)given)[i];
    meet_block();
    const Plan& plan = *(const Plan*)memory;
    u32 lane = threadIdx.x % LANES;
    u32* nodes = memory + sizeof(Plan) / 4 + threadIdx.x / LANES * (WIDTH * LANES + LANES);
    u8* pairs = (u8*)(nodes + WIDTH * LANES);
    u32 warp = (u32)(first_thread() / LANES);
    u32* stack = stacks + (u64)warp * capacity * WIDTH;
    u32 top = tops[warp], earlier = below(lane);
    u64 made = 0, made_ahead = 0;
    for (u32 turn = 0; top > 0 && turn < budget && top + 4 * LANES <= capacity; turn++) {
        if ((turn & 15) == 15) {
            u32 over = lane == 0 && (now(&signs[FOUND]) || now(&signs[IDLE]) > patience);
            if (from_first(over)) break;
        }
        // Take nodes from the top, as many as fill two rounds of lanes with children.
        bool mine = lane < top;
        u32 ways = 0;
        if (mine) {
            const u32* source = stack + column_of(top - 1 - lane, WIDTH);
#pragma unroll
            for (u32 i = 0; i < WIDTH; i++) nodes[i * LANES + lane] = source[i * LANES];
            u32 meta = nodes[META * LANES + lane];
            ways = plan.exits[meta & 31] & ((const u8*)plan.allowed)[state_of(meta)];
#if MANY
            if (now(&solved[nodes[ORIGIN * LANES + lane]])) ways = 0;
#endif
        }
        u32 votes[4], upto = 0;
#pragma unroll
        for (u32 way = 0; way < 4; way++) {
            votes[way] = vote(ways >> way & 1);
            upto += ones(votes[way] & (earlier | 1u << lane));
        }
        u32 taken = ones(vote(mine && upto <= PAIRS)), total = 0;
        u32 takers = taken == 32 ? ~0u : below(taken);
#pragma unroll
        for (u32 way = 0; way < 4; way++) {
            u32 voters = votes[way] & takers;
            if (lane < taken && (ways >> way & 1)) pairs[total + ones(voters & earlier)] = (u8)(lane | way << 5);
            total += ones(voters);
        }
        top -= taken;
        made += total;
        meet_warp();
        for (u32 first = 0; first < total; first += LANES) {
            bool alive = first + lane < total;
            u32 pair = alive ? pairs[first + lane] : 0, way = pair >> 5;
            const u32* node = nodes + (pair & 31);
            u32 meta = node[META * LANES], blank = meta & 31, cell = blank, tile = 0;
            u32 ahead = alive ? node[ORIGIN * LANES] & AHEAD : 0;
            made_ahead += ones(vote(ahead));
            Child child;
            if (alive) {
                cell = blank + (way == 0 ? 0u - COLUMNS : way == 1 ? 0u - 1 : way == 2 ? 1 : COLUMNS);
                tile = node[cell / PER_WORD * LANES] >> BITS * (cell % PER_WORD) & below(BITS);
                u32 away = plan.stray[32 * way + tile] >> cell & 1, distance = distance_of(meta) + 2 * away - 1;
                child.room = rooms_of(node) - away * EACH;
                child.ahead = !ahead && moves_left(distance, child.room) < near ? AHEAD : 0;
                if (child.ahead) child.room += EACH;
                alive = ranked_room(plan, node, tile, cell, blank, child);
                alive = alive && direct_room(plan, node, tile, cell, blank, child);
                if (alive && child.ahead && has_room_now(child.room)) {
                    child.room -= EACH;
                    child.ahead = 0;
                }
                if (alive && !distance) {
                    note_solution(node, way, ahead | child.ahead, signs, solved, solutions);
                    alive = false;
                }
            }
            u32 living = vote(alive);
            if (alive) {
                u32* target = stack + column_of(top + ones(living & earlier), WIDTH);
                write_child(plan, node, target, tile, cell, blank, way, meta, child);
            }
            top += ones(living);
        }
        meet_warp();
    }
    if (lane == 0) {
        if (top == 0) atomicAdd(&signs[IDLE], 1);
        tops[warp] = top;
        atomicAdd(&generated[0], made - made_ahead);
        atomicAdd(&generated[1], made_ahead);
    }
}

// A move of a node: from which cell to the blank, of which tile, and whether away from its goal cell.
struct Step {
    u32 meta, blank, cell, tile, away;
};

// Compute the child of a move; return whether slack is left.
DEVICE bool has_room(const Plan& plan, const u32* node, u32 way, Step& step, Child& child) {
    step.meta = node[META * LANES];
    step.blank = step.meta & 31;
    step.cell = step.blank + (way == 0 ? 0u - COLUMNS : way == 1 ? 0u - 1 : way == 2 ? 1 : COLUMNS);
    step.tile = node[step.cell / PER_WORD * LANES] >> BITS * (step.cell % PER_WORD) & below(BITS);
    step.away = plan.stray[32 * way + step.tile] >> step.cell & 1;
    child.room = rooms_of(node) - step.away * EACH;
    child.ahead = 0;
    return ranked_room(plan, node, step.tile, step.cell, step.blank, child) &&
           direct_room(plan, node, step.tile, step.cell, step.blank, child);
}

// Generate all children of a level, with their paths: two bits a move, the last one lowest. Those beyond
// `most` are counted in `made` only. The origin of a node is its number. If some path leads to the goal,
// the complement of the first one goes to `solution`.
KERNEL expand(const Plan* given, const u32* nodes, const u64* paths, u32 count, u32* children, u64* child_paths,
              u32 most, u32* made, u64* generated, u64* solution) {
    const Plan& plan = *given;
    u64 tried = 0;
    for (u64 i = first_thread(); i < count; i += all_threads()) {
        const u32* node = nodes + column_of((u32)i, WIDTH);
        u32 meta = node[META * LANES];
        u32 ways = plan.exits[meta & 31] & ((const u8*)plan.allowed)[state_of(meta)];
        for (; ways; ways &= ways - 1) {
            u32 way = lowest(ways);
            tried++;
            Step step;
            Child child;
            if (!has_room(plan, node, way, step, child)) continue;
            u64 path = paths[i] << 2 | way;
            if (distance_of(meta) == 1 && !step.away) {
                atomicMax(solution, ~path);
                continue;
            }
            u32 number = atomicAdd(made, 1);
            if (number >= most) continue;
            child_paths[number] = path;
            u32* target = children + column_of(number, WIDTH);
            write_child(plan, node, target, step.tile, step.cell, step.blank, way, meta, child);
            target[ORIGIN * LANES] = number;
        }
    }
    if (tried) atomicAdd(generated, tried);
}

// Redistribute all nodes, one to each warp in turn: node i goes to warp i % warps. They are numbered
// from the bottoms of all stacks to their tops, so that the deep ones are on top again: `starts[p]`
// nodes lie below place p of their stacks, and node i, at place p, is on the stack `stacks[i - starts[p]]`
// (these are in the order of their heights).
KERNEL deal(const u32* from, const u32* starts, const u32* stacks, u32 places, u32 from_capacity, u32 total,
            u32* to, u32* tops, u32 warps, u32 capacity) {
    u32 most = (total + warps - 1) / warps;
    for (u64 n = first_thread(); n < (u64)most * warps; n += all_threads()) {
        u32 warp = (u32)(n / most), at = (u32)(n % most), i = at * warps + warp;
        if (at == 0) tops[warp] = total > warp ? (total - warp + warps - 1) / warps : 0;
        if (i >= total) continue;
        u32 low = 0, high = places;
        while (high - low > 1) {
            u32 middle = (low + high) / 2;
            if (starts[middle] <= i) low = middle; else high = middle;
        }
        const u32* source =
            from + (u64)stacks[i - starts[low]] * from_capacity * WIDTH + column_of(low, WIDTH);
        u32* target = to + (u64)warp * capacity * WIDTH + column_of(at, WIDTH);
        for (u32 word = 0; word < WIDTH; word++) target[word * LANES] = source[word * LANES];
    }
}
