// Additive pattern tables, built breadth first from the goal on sets of cells.
//
// SIZE tiles stand on a *set* of cells in some *order*: which tile is on the first cell of the set,
// which on the second, and so on. A table has a row of orders for each set, sets by rank.
// Which moves there are, where they lead and into which *regions* the set cuts the rest of the grid,
// in one of which the blank is, depends on the set alone. So for each set and region there is one
// *plane*: a bit for each order, 24 orders a word, the last four (or fewer) tiles of the order within
// the word, the others choosing the word.
//
//     digits of an order   d0 d1 d2 d3 | d4 d5 d6 d7      (Lehmer: later tiles that are smaller)
//                          which word  | which of 24 bits: d4 picks one of four groups of 6
//
// A tile that moves sideways keeps the order: planes are joined word by word. One that moves up or
// down passes the tiles between, in the order from place j to place i. Within the first digits that
// is a permutation of words, within the last ones a permutation of bits that three look-ups do, and
// across the line one exchange of neighbours that moves whole groups:
//     (a, b) becomes (b, a - 1) if a > b, else (b + 1, a),    its own inverse.
//
// A level is *pulled*: each plane of the parity that is due gathers from its neighbours' fronts what
// it has not seen. Tile moves change the parity of a set, so one array of fronts serves: those
// of the other parity are read while these are written. No atomics, no order of events.
//
// A value is (distance - Manhattan) / 2 for the region that comes first, at most 15, in a nibble.

#define LOW (SIZE < 4 ? SIZE : 4)
#define HIGH (SIZE - LOW)
#define WORDS (ORDERS / 24)

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

// For each pair of places within the last digits and each byte of a word, where its bits go when a
// word is pulled: bit p of the target is the bit of the source to which p turns.
KERNEL permute(u32* permuted) {
    u32 most = 1;
    for (u32 i = 2; i <= LOW; i++) most *= i;
    for (u64 i = first_thread(); i < LOW * LOW * 768; i += all_threads()) {
        u32 byte = (u32)(i & 255), part = (u32)(i / 256 % 3), places = (u32)(i / 768), target = 0;
        u32 source = byte << 8 * part;
        for (u32 bit = 0; bit < most; bit++) {
            // The first digits stay 0: the last places of the order are those of its end.
            u32 labels = turned(labels_of(bit), HIGH + places / LOW, HIGH + places % LOW);
            target |= (source >> order_of(labels) & 1) << bit;
        }
        permuted[i] = target;
    }
}

struct Step {
    u32 plane, region, from, to;
};

DEVICE u32 bits_permuted(const u32* permuted, u32 from, u32 to, u32 word) {
    const u32* table = permuted + (from * LOW + to) * 768;
    return table[word & 255] | table[256 + (word >> 8 & 255)] | table[512 + (word >> 16)];
}

DEVICE u32 word_turned(const u16* turns, u32 from, u32 to, u32 word) {
    return from == to ? word : turns[(from * SIZE + to) * (u64)ORDERS + word * 24] / 24;
}

// The word of a plane as the exchange of the last of the first digits with the first of the last sees
// it, once its bits are permuted.
DEVICE u32 exchanged(const u32* source, const u16* turns, const u32* permuted, u32 word, u32 high,
                     u32 low) {
    u32 digit = word % 5, found = 0;
    for (u32 group = 0; group < 4; group++) {
        u32 other = word - digit + (digit > group ? group : group + 1);
        u32 bits = source[word_turned(turns, HIGH - 1, high, other)];
        if (low > 0) bits = bits_permuted(permuted, 0, low, bits);
        u32 its = digit > group ? digit - 1 : digit;
        found |= (bits >> 6 * its & 63) << 6 * group;
    }
    return found;
}

// What the orders of a word were before the tile now in place `from` came from place `to`.
DEVICE u32 pulled(const u32* source, const u16* turns, const u32* permuted, u32 word, u32 from, u32 to) {
    if (from == to) return source[word];
    if (from < HIGH && to < HIGH) return source[word_turned(turns, from, to, word)];
    if (from >= HIGH && to >= HIGH) return bits_permuted(permuted, from - HIGH, to - HIGH, source[word]);
    if (from < HIGH)
        return exchanged(source, turns, permuted, word_turned(turns, from, HIGH - 1, word), HIGH - 1,
                         to - HIGH);
    u32 found = exchanged(source, turns, permuted, word, to, 0);
    return from == HIGH ? found : bits_permuted(permuted, from - HIGH, 0, found);
}

KERNEL level(const u32* list, u32 count, const u32* sets, const u32* planes, const u32* choose,
             const u16* turns, const u32* permuted, const u32* labels, const u32* goal, u32* seen,
             u32* fronts, u8* alive, u32* table, u32 depth, u32* grown) {
    SHARED Step steps[4 * SIZE];
    SHARED u32 found, manhattan[SIZE * SIZE], fresh_regions;
    for (u32 turn = blockIdx.x; turn < count; turn += gridDim.x) {
        u32 number = list[turn], set = sets[number], plane = planes[number];
        u32 regions = planes[number + 1] - plane;
        meet_block();
        if (threadIdx.x == 0) found = fresh_regions = 0;
        meet_block();
        for (u32 i = threadIdx.x; i < 4 * SIZE; i += blockDim.x) {
            // The tile in place `to` of this set came from the free cell beside it.
            u32 left = set, to = i / 4, way = i % 4;
            for (u32 j = 0; j < to; j++) left &= left - 1;
            u32 cell = lowest(left), column = cell % COLUMNS;
            bool inside = way == 0   ? cell >= COLUMNS
                          : way == 1 ? column > 0
                          : way == 2 ? column < COLUMNS - 1
                                     : cell + COLUMNS < CELLS;
            u32 was = way == 0 ? cell - COLUMNS : way == 1 ? cell - 1 : way == 2 ? cell + 1 : cell + COLUMNS;
            if (inside && !(set >> was & 1)) {
                u32 other = set ^ 1u << cell ^ 1u << was;
                u32 source = planes[rank_of_set(choose, other)] + region_of(other, cell);
                if (alive[source]) {
                    u32 place = atomicAdd(&found, 1);
                    steps[place] = {source, region_of(set, was), to, ones(other & below(was))};
                }
            }
        }
        for (u32 i = threadIdx.x; i < SIZE * SIZE; i += blockDim.x) {
            u32 left = set;
            for (u32 j = 0; j < i / SIZE; j++) left &= left - 1;
            u32 cell = lowest(left), home = goal[i % SIZE];
            u32 a = cell / COLUMNS, b = home / COLUMNS, c = cell % COLUMNS, d = home % COLUMNS;
            manhattan[i] = (a > b ? a - b : b - a) + (c > d ? c - d : d - c);
        }
        meet_block();
        u32 steps_found = found, fresh_here = 0;
        if (steps_found) {
            for (u32 word = threadIdx.x; word < WORDS; word += blockDim.x) {
                u32 before = 0, first = 0;
                for (u32 region = 0; region < regions; region++) {
                    u64 at = (u64)(plane + region) * WORDS + word;
                    u32 known = seen[at], next = 0;
                    before |= known;
                    if (known != ORDERS_OF_A_WORD)
                        for (u32 i = 0; i < steps_found; i++)
                            if (steps[i].region == region)
                                next |= pulled(fronts + (u64)steps[i].plane * WORDS, turns, permuted, word,
                                               steps[i].from, steps[i].to);
                    next &= ~known;
                    fronts[at] = next;
                    if (next) {
                        seen[at] = known | next;
                        first |= next;
                        fresh_here |= 1u << region;
                    }
                }
                first &= ~before;
                if (first) {
                    // 24 values are 12 bytes: three words of the table, this thread's alone.
                    u32* row = table + ((u64)number * WORDS + word) * 3;
                    for (u32 part = 0; part < 3; part++) {
                        u32 bits = first >> 8 * part & 255, values = row[part];
                        for (u32 left = bits; left; left &= left - 1) {
                            u32 bit = lowest(left), standing = labels[word * 24 + 8 * part + bit], steps_home = 0;
                            for (u32 j = 0; j < SIZE; j++) steps_home += manhattan[j * SIZE + (standing >> 4 * j & 15)];
                            u32 value = less((depth - steps_home) / 2, 15);
                            values ^= (15 ^ value) << 4 * bit;
                        }
                        if (bits) row[part] = values;
                    }
                }
            }
        } else {
            // What nothing reaches is no front any more.
            for (u32 region = 0; region < regions; region++)
                if (alive[plane + region])
                    for (u32 word = threadIdx.x; word < WORDS; word += blockDim.x)
                        fronts[(u64)(plane + region) * WORDS + word] = 0;
        }
        if (fresh_here) atomicOr(&fresh_regions, fresh_here);
        meet_block();
        for (u32 region = threadIdx.x; region < regions; region += blockDim.x)
            alive[plane + region] = fresh_regions >> region & 1;
        if (threadIdx.x == 0 && fresh_regions) *grown = 1;
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
