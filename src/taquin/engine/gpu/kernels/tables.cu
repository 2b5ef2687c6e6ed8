// Additive pattern tables, built breadth first from the goal on sets of cells.
//
// SIZE tiles stand on a *set* of cells in some *order*: which tile is on the first cell of the set,
// which on the second, and so on. A table has a row of orders for each set, sets by rank.
// Which moves there are, where they lead and into which *regions* the set cuts the rest of the grid,
// in one of which the blank is, depends on the set alone: these *steps* are listed once. For each set
// and region there is one *plane*: a bit for each order, 24 orders a word, the last four (or fewer)
// tiles of the order within the word, the others choosing the word.
//
//     digits of an order   d0 d1 d2 | d3 | d4 d5 d6 d7      (Lehmer: later tiles that are smaller)
//                          a thread | which of its 5 words | which of 24 bits
//
// So words that differ in d3 alone are one thread's, and lie PREFIXES words from each other.
//
// A tile that moves sideways keeps the order: planes are joined word by word. One that moves up or
// down passes the tiles between, in the order from place j to place i, by exchanges of neighbours:
//     digits (a, b) become (b, a - 1) if a > b, else (b + 1, a),    its own inverse.
// Among the first digits that is a permutation of words, among the last ones of bits; between d3 and
// d4 it moves groups of six bits among the words of a thread.
//
// A level is *pulled*: each plane of the parity that is due gathers from its neighbours' fronts what
// it has not seen. Tile moves change the parity of a set, so one array of fronts serves: those
// of the other parity are read while these are written. No atomics on planes are needed, and the order
// of blocks does not matter.
//
// A value is (distance - Manhattan) / 2 for the region that comes first, at most 15, in a nibble.
// Levels only record half the distance modulo 16, the same for all bits. At the end half the Manhattan
// distance is subtracted from all of them.

#define LOW (SIZE < 4 ? SIZE : 4)
#define HIGH (SIZE - LOW)
#define WORDS (ORDERS / 24)
#define SIBLINGS (HIGH ? 5 : 1)
#define PREFIXES (WORDS / SIBLINGS)
#define STEPS (4 * SIZE)
#define MOST_REGIONS 32
#define NOWHERE 0xFFFFFFFF

DEVICE u32 flood(u32 from, u32 free_cells) {
    for (;;) {
        u32 wider = from | (from << 1 & NOT_FIRST) | (from >> 1 & NOT_LAST) | from << COLUMNS |
                    from >> COLUMNS;
        wider &= free_cells;
        if (wider == from) return from;
        from = wider;
    }
}

// The number of the region that holds a cell; of all regions for a cell that is in none.
DEVICE u32 region_of(u32 set, u32 cell) {
    u32 left = ~set & FULL, number = 0;
    while (left) {
        u32 region = flood(left & (0u - left), left);
        if (region >> cell & 1) break;
        left &= ~region;
        number++;
    }
    return number;
}

// Rank of a set among those of its size: the sum of binomials, `choose[cell * 9 + place + 1]`.
DEVICE u32 rank_of_set(const u32* choose, u32 set) {
    u32 rank = 0;
    for (u32 place = 1; set; place++, set &= set - 1) rank += choose[lowest(set) * 9 + place];
    return rank;
}

DEVICE u32 set_of_rank(const u32* choose, u32 rank) {
    u32 set = 0, cell = CELLS - 1;
    for (u32 place = SIZE; place > 0; place--) {
        while (choose[cell * 9 + place] > rank) cell--;
        set |= 1u << cell;
        rank -= choose[cell * 9 + place];
        cell--;
    }
    return set;
}

// Orders as nibbles, the label in the first place lowest.
DEVICE u32 labels_of(u32 order) {
    u32 weight = 1, left = 0, labels = 0;
    for (u32 i = 2; i < SIZE; i++) weight *= i;
    for (u32 i = 0; i < SIZE; i++) left |= i << 4 * i;
    for (u32 i = 0; i < SIZE; i++) {
        u32 digit = order / weight;
        order -= digit * weight;
        labels |= (left >> 4 * digit & 15) << 4 * i;
        u32 kept = (u32)((1ull << 4 * digit) - 1);
        left = (left & kept) | (left >> 4 & ~kept);
        if (i + 1 < SIZE) weight /= SIZE - 1 - i;
    }
    return labels;
}

DEVICE u32 order_of(u32 labels) {
    u32 order = 0;
    for (u32 i = 0; i < SIZE; i++) {
        u32 smaller = 0, label = labels >> 4 * i & 15;
        for (u32 j = i + 1; j < SIZE; j++) smaller += (labels >> 4 * j & 15) < label;
        order = order * (SIZE - i) + smaller;
    }
    return order;
}

// The order after the tile in place `from` has gone to place `to`.
DEVICE u32 turned(u32 labels, u32 from, u32 to) {
    u32 label = labels >> 4 * from & 15;
    u32 kept = (u32)((1ull << 4 * from) - 1);
    labels = (labels & kept) | (labels >> 4 & ~kept);
    kept = (u32)((1ull << 4 * to) - 1);
    return (labels & kept) | label << 4 * to | (labels & ~kept) << 4;
}

KERNEL census(const u32* choose, u32 count, u32* sets, u32* regions, u8* parities) {
    for (u64 i = first_thread(); i < count; i += all_threads()) {
        u32 set = set_of_rank(choose, (u32)i), parity = 0;
        for (u32 left = set; left; left &= left - 1) {
            u32 cell = lowest(left);
            parity ^= cell / COLUMNS ^ cell % COLUMNS;
        }
        sets[i] = set;
        regions[i] = region_of(set, 31);
        parities[i] = parity & 1;
    }
}

KERNEL turn(u16* turns) {
    u32 most = 1;
    for (u32 i = 2; i <= SIZE; i++) most *= i;
    for (u64 i = first_thread(); i < (u64)SIZE * SIZE * ORDERS; i += all_threads()) {
        u32 order = (u32)(i % ORDERS), places = (u32)(i / ORDERS);
        if (order < most)
            turns[i] = (u16)order_of(turned(labels_of(order), places / SIZE, places % SIZE));
    }
}

struct Step {
    u32 plane;
    u8 region, from, to, unused;
};

// For each tile of a set and each way, the plane from which the tile can have come.
KERNEL list_steps(const u32* choose, u32 count, const u32* sets, const u32* planes, Step* steps) {
    for (u64 i = first_thread(); i < (u64)count * STEPS; i += all_threads()) {
        u32 set = sets[i / STEPS], left = set, from = (u32)(i % STEPS / 4), way = (u32)(i % 4);
        for (u32 j = 0; j < from; j++) left &= left - 1;
        u32 cell = lowest(left), column = cell % COLUMNS;
        bool inside = way == 0   ? cell >= COLUMNS
                      : way == 1 ? column > 0
                      : way == 2 ? column < COLUMNS - 1
                                 : cell + COLUMNS < CELLS;
        u32 was = way == 0 ? cell - COLUMNS : way == 1 ? cell - 1 : way == 2 ? cell + 1 : cell + COLUMNS;
        Step step = {NOWHERE, 0, 0, 0, 0};
        if (inside && !(set >> was & 1)) {
            u32 other = set ^ 1u << cell ^ 1u << was;
            step.plane = planes[rank_of_set(choose, other)] + region_of(other, cell);
            step.region = (u8)region_of(set, was);
            step.from = (u8)from;
            step.to = (u8)ones(other & below(was));
        }
        steps[i] = step;
    }
}

DEVICE u32 swapped(u32 word, u32 mask, u32 distance) {
    return (word & mask) << distance | (word >> distance & mask);
}

// Exchange the tiles in a place of the last ones and in the next place, in all orders of some words.
// Bit 6 * d4 + 2 * d5 + d6 is that of an order: as a digit rises by one, its bits lie as far apart.
template <u32 COUNT>
DEVICE void exchange_bits(u32 (&words)[COUNT], u32 place) {
    if (LOW - place == 4) {
        for (u32& word : words)
            word = swapped(word, 0x030303, 6) | swapped(word, 0x000C0C, 10) | swapped(word, 0x000030, 14);
    } else if (LOW - place == 3) {
        for (u32& word : words) word = swapped(word, 0x249249, 2) | swapped(word, 0x082082, 3);
    } else {
        for (u32& word : words) word = swapped(word, 0x555555, 1);
    }
}

// Give each bit the one to which its order turns when the tile in place `from` goes to place `to`.
template <u32 COUNT>
DEVICE void turn_bits(u32 (&words)[COUNT], u32 from, u32 to) {
    for (u32 place = to; place-- > from;) exchange_bits(words, place);
    for (u32 place = to; place < from; place++) exchange_bits(words, place);
}

// The exchange of the last of the first digits with the next one gives the word with this `digit`, as
// group `group` of six bits, one of another word.
DEVICE u32 sibling(u32 digit, u32 group) { return digit > group ? group : group + 1; }
DEVICE u32 moved_group(u32 word, u32 digit, u32 group) {
    return (word >> 6 * (digit > group ? digit - 1 : digit) & 63) << 6 * group;
}

// Add to `found` what a thread's orders were before the tile now in place `from` came from place `to`.
DEVICE void pull(const u32* source, const u16* turned_words, u32 prefix, u32 from, u32 to,
                 u32 (&found)[SIBLINGS]) {
    // Of the way from place to place, the part within the first digits permutes words.
    u32 first = from < HIGH ? from : HIGH - 1, last = to < HIGH ? to : HIGH - 1;
    const u16* places = turned_words + (first * HIGH + last) * WORDS + prefix;
    if (from < HIGH && to >= HIGH && first != last) {
        // It comes after the exchange with the last digits, which needs all words of another thread.
        for (u32 k = 0; k < SIBLINGS; k++) {
            u32 place = places[k * PREFIXES], digit = place / PREFIXES, other = place % PREFIXES;
            for (u32 group = 0; group < 4; group++) {
                u32 word[1] = {source[sibling(digit, group) * PREFIXES + other]};
                turn_bits(word, 0, to - HIGH);
                found[k] |= moved_group(word[0], digit, group);
            }
        }
        return;
    }
    u32 words[SIBLINGS];
    if (first == last) {
        for (u32 k = 0; k < SIBLINGS; k++) words[k] = source[k * PREFIXES + prefix];
    } else {
        for (u32 k = 0; k < SIBLINGS; k++) words[k] = source[places[k * PREFIXES]];
    }
    if (from >= HIGH && to >= HIGH) {
        turn_bits(words, from - HIGH, to - HIGH);
    } else if (from >= HIGH || to >= HIGH) {
        if (to >= HIGH) turn_bits(words, 0, to - HIGH);
        u32 before[SIBLINGS];
        for (u32 k = 0; k < SIBLINGS; k++) before[k] = words[k];
        for (u32 k = 0; k < SIBLINGS; k++) {
            words[k] = 0;
            for (u32 group = 0; group + 1 < SIBLINGS; group++)
                words[k] |= moved_group(before[sibling(k, group)], k, group);
        }
        if (from >= HIGH) turn_bits(words, from - HIGH, 0);
    }
    for (u32 k = 0; k < SIBLINGS; k++) found[k] |= words[k];
}

DEVICE u32 apart(u32 a, u32 b) { return a > b ? a - b : b - a; }
DEVICE u32 steps_between(u32 cell, u32 home) {
    return apart(cell / COLUMNS, home / COLUMNS) + apart(cell % COLUMNS, home % COLUMNS);
}

// The Manhattan distance of tiles that stand on a set in some order.
DEVICE u32 manhattan(u32 set, const u32* goal, u32 labels) {
    u32 steps = 0;
    for (u32 j = 0; j < SIZE; j++, set &= set - 1, labels >>= 4)
        steps += steps_between(lowest(set), goal[labels & 15]);
    return steps;
}

// No order of tiles on a set has a Manhattan distance below this.
DEVICE u32 least_manhattan(u32 set, const u32* goal) {
    u32 rows = 0, columns = 0, home_rows = 0, home_columns = 0;
    for (u32 j = 0; j < SIZE; j++, set &= set - 1) {
        rows += lowest(set) / COLUMNS, columns += lowest(set) % COLUMNS;
        home_rows += goal[j] / COLUMNS, home_columns += goal[j] % COLUMNS;
    }
    return apart(rows, home_rows) + apart(columns, home_columns);
}

// A nibble of ones for each of eight bits.
DEVICE u32 nibbles(u32 bits) {
    bits = (bits | bits << 12) & 0x000F000F;
    bits = (bits | bits << 6) & 0x03030303;
    return ((bits | bits << 3) & 0x11111111) * 15;
}

// Reach the next level: one block for each set of the parity that is due, in turn.
KERNEL THREADS_OF_A_BLOCK(THREADS, BLOCKS)
level(const u32* list, u32 count, const u32* sets, const u32* planes, const Step* steps,
      const u16* turned_words, const u32* labels, const u32* goal, u32* seen, u32* fronts, u8* alive,
      u32* table, u32 depth, u32* grown) {
    SHARED Step own[STEPS];
    // By region, the steps from fronts that keep the order, and those that do not.
    SHARED u32 keeping[MOST_REGIONS], turning[MOST_REGIONS], is_reached;
    // The regions that get a front, and the orders that no region has had before.
    SHARED u32 fresh_regions, is_first, first_seen[WORDS];
    for (u32 i = threadIdx.x; i < MOST_REGIONS; i += blockDim.x) keeping[i] = turning[i] = 0;
    if (threadIdx.x == 0) is_reached = 0;
    for (u32 turn = blockIdx.x; turn < count; turn += gridDim.x) {
        u32 number = list[turn], plane = planes[number], regions = planes[number + 1] - plane;
        meet_block();
        if (threadIdx.x == 0) fresh_regions = is_first = 0;
        for (u32 i = threadIdx.x; i < STEPS; i += blockDim.x) {
            Step step = own[i] = steps[(u64)number * STEPS + i];
            if (step.plane != NOWHERE && alive[step.plane]) {
                atomicOr(step.from == step.to ? &keeping[step.region] : &turning[step.region], 1u << i);
                is_reached = 1;
            }
        }
        for (u32 region = threadIdx.x; region < regions; region += blockDim.x) alive[plane + region] = 0;
        meet_block();
        if (!is_reached) continue;
        u32 fresh_here = 0;
        for (u32 prefix = threadIdx.x; prefix < PREFIXES; prefix += blockDim.x) {
            u32 before[SIBLINGS] = {}, first[SIBLINGS] = {}, any = 0;
            for (u32 region = 0; region < regions; region++) {
                u64 at = (u64)(plane + region) * WORDS + prefix;
                u32 known[SIBLINGS], next[SIBLINGS] = {};
                for (u32 k = 0; k < SIBLINGS; k++) before[k] |= known[k] = seen[at + k * PREFIXES];
                u32 left = keeping[region], others = turning[region];
                if (!(left | others)) continue;
                while (left) {
                    // Two at a time, because the latency of memory dominates.
                    const u32* one = fronts + (u64)own[lowest(left)].plane * WORDS + prefix;
                    left &= left - 1;
                    const u32* other = left ? fronts + (u64)own[lowest(left)].plane * WORDS + prefix : one;
                    left &= left - 1;
                    for (u32 k = 0; k < SIBLINGS; k++) next[k] |= one[k * PREFIXES] | other[k * PREFIXES];
                }
                for (; others; others &= others - 1) {
                    Step step = own[lowest(others)];
                    pull(fronts + (u64)step.plane * WORDS, turned_words, prefix, step.from, step.to, next);
                }
                for (u32 k = 0; k < SIBLINGS; k++) {
                    next[k] &= ~known[k];
                    first[k] |= next[k];
                    fronts[at + k * PREFIXES] = next[k];
                    if (next[k]) seen[at + k * PREFIXES] = known[k] | next[k], fresh_here |= 1u << region;
                }
            }
            for (u32 k = 0; k < SIBLINGS; k++) {
                first[k] &= ~before[k];
                first_seen[prefix * SIBLINGS + k] = first[k];
                any |= first[k];
            }
            if (any) is_first = 1;
        }
        if (fresh_here) atomicOr(&fresh_regions, fresh_here);
        meet_block();
        for (u32 i = threadIdx.x; i < MOST_REGIONS; i += blockDim.x) keeping[i] = turning[i] = 0;
        if (threadIdx.x == 0) is_reached = 0;
        for (u32 region = threadIdx.x; region < regions; region += blockDim.x)
            alive[plane + region] = fresh_regions >> region & 1;
        if (threadIdx.x == 0 && fresh_regions) *grown = 1;
        if (!is_first) continue;
        u32 set = sets[number], half = depth / 2;
        // Beyond 15 values stay 15.
        bool may_be_far = depth >= 32 && least_manhattan(set, goal) + 32 <= depth;
        for (u32 i = threadIdx.x; i < WORDS * 3; i += blockDim.x) {
            u32 bits = first_seen[i / 3] >> 8 * (i % 3) & 255, halves = (half & 15) * 0x11111111;
            if (!bits) continue;
            if (may_be_far)
                for (u32 left = bits; left; left &= left - 1) {
                    u32 bit = lowest(left), most = manhattan(set, goal, labels[8 * i + bit]) / 2 + 15;
                    halves ^= ((half ^ less(half, most)) & 15) << 4 * bit;
                }
            u32 *row = table + (u64)number * WORDS * 3 + i, mask = nibbles(bits);
            *row = (*row & ~mask) | (halves & mask);
        }
    }
}

// Subtract half the Manhattan distance from the halves of distances that the levels have recorded.
KERNEL finish(u32 count, const u32* sets, const u32* planes, const u32* labels, const u32* kinds,
              const u32* examples, const u32* goal, const u32* seen, u32* table) {
    // Words of one kind have the same tiles in their last places: KINDS * 24 sums serve all orders.
    SHARED u32 steps_home[SIZE * SIZE], sums[KINDS * 3], odd[KINDS];
    for (u32 number = blockIdx.x; number < count; number += gridDim.x) {
        meet_block();
        for (u32 i = threadIdx.x; i < SIZE * SIZE; i += blockDim.x) {
            u32 left = sets[number];
            for (u32 j = 0; j < i / SIZE; j++) left &= left - 1;
            steps_home[i] = steps_between(lowest(left), goal[i % SIZE]);
        }
        meet_block();
        for (u32 i = threadIdx.x; i < KINDS * 3; i += blockDim.x) {
            u32 halves = 0;
            for (u32 bit = 0; bit < 8; bit++) {
                u32 standing = labels[examples[i / 3] * 24 + 8 * (i % 3) + bit], sum = 0;
                for (u32 j = HIGH; j < SIZE; j++) sum += steps_home[j * SIZE + (standing >> 4 * j & 15)];
                halves |= (sum / 2 & 15) << 4 * bit;
                // All orders of these tiles on these cells have the same parity.
                if (i % 3 + bit == 0) odd[i / 3] = sum & 1;
            }
            sums[i] = halves;
        }
        meet_block();
        for (u32 word = threadIdx.x; word < WORDS; word += blockDim.x) {
            u32 kind = kinds[word], standing = labels[word * 24], known = 0, steps = odd[kind];
            for (u32 j = 0; j < HIGH; j++) steps += steps_home[j * SIZE + (standing >> 4 * j & 15)];
            for (u32 plane = planes[number]; plane < planes[number + 1]; plane++)
                known |= seen[(u64)plane * WORDS + word % SIBLINGS * PREFIXES + word / SIBLINGS];
            u32 *row = table + ((u64)number * WORDS + word) * 3, every = 0x0F0F0F0F;
            // Four nibbles at a time, a byte for each: 0x20 keeps it above 0.
            u32 shift = 0x20202020 - (steps / 2 & 15) * 0x01010101;
            for (u32 part = 0; part < 3; part++) {
                u32 halves = row[part], sum = sums[kind * 3 + part];
                u32 even = (halves & every) + shift - (sum & every);
                u32 uneven = (halves >> 4 & every) + shift - (sum >> 4 & every);
                row[part] = (even & every) | (uneven & every) << 4 | ~nibbles(known >> 8 * part & 255);
            }
        }
    }
}

KERNEL label(u32* labels) {
    u32 most = 1;
    for (u32 i = 2; i <= SIZE; i++) most *= i;
    for (u64 i = first_thread(); i < ORDERS; i += all_threads()) labels[i] = i < most ? labels_of((u32)i) : 0;
}

// Lay the table out by the cells of the tiles, digits to the base of CELLS, the last tile's the lowest:
// two values a byte, 15 where two tiles would share a cell.
KERNEL spread(const u32* choose, const u8* table, u64 bytes, u8* target) {
    for (u64 i = first_thread(); i < bytes; i += all_threads()) {
        u32 pair = 0;
        for (u32 half = 0; half < 2; half++) {
            u64 left = 2 * i + half;
            u32 set = 0, value = 15, cells[SIZE];
            bool legal = true;
            for (u32 j = SIZE; j-- > 0;) {
                u32 cell = (u32)(left % CELLS);
                left /= CELLS;
                legal = legal && !(set >> cell & 1);
                set |= 1u << cell;
                cells[j] = cell;
            }
            if (legal && left == 0) {
                u32 labels = 0;
                for (u32 j = 0; j < SIZE; j++) labels |= j << 4 * ones(set & below(cells[j]));
                u64 at = (u64)rank_of_set(choose, set) * ORDERS + order_of(labels);
                value = table[at >> 1] >> 4 * (at & 1) & 15;
            }
            pair |= value << 4 * half;
        }
        target[i] = (u8)pair;
    }
}
