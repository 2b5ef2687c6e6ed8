// A whole space, breadth first, with one bit a board.
//
// Boards are numbered as in tables/distances.py: a plane of orders for each cell of the blank, orders
// by their Lehmer digits, the last that can vary left out because it only repairs the parity.
// Moves change the colour of the blank's cell, so boards at even distances lie in planes of one colour.
// From the boards within distance d in the planes of one colour follow those within d + 1 in the other:
// whatever a move leads to. No front is kept, and each plane is read while others are written.
//
// A target word gathers what its 32 orders were before the move: sideways the same orders, up or down
// those with the tile COLUMNS - 1 places away, a few digits changed. Orders near each other mostly come
// from orders near each other, so the reads are near each other too.
//
// That takes the same time for a level of two boards as for one of billions. So the boards of a level
// are also listed, up to a maximum number, and a level that is completely listed is pushed: each board's
// neighbours are marked, and those that were not marked before are the next list.

// Place values of the digits. The GPU divides 32-bit numbers best, so a number is cut in two at
// SPLIT = 9!/2: digits before `split` are found in number / SPLIT, the others in number % SPLIT.
#define SPLIT 181440
#define TILES (CELLS - 1)

struct Digits {
    u64 weight[16];
    u32 part[16];
    float inverse[16];
    u32 split;
};

DEVICE u32 divided(u32 number, u32 by, float inverse) {
    u32 quotient = (u32)((float)number * inverse);
    u32 rest = number - quotient * by;
    if (rest >= 0x80000000u) quotient--;
    else if (rest >= by) quotient++;
    return quotient;
}

DEVICE u32 digit_of(const Digits& digits, u32 high, u32 low, u32 i) {
    u32 whole = divided(i < digits.split ? high : low, digits.part[i], digits.inverse[i]);
    return whole % (TILES - i);
}

// The order after the tile in place `from` has gone to place `to`, COLUMNS - 1 places away.
DEVICE u64 order_moved(u64 number, const Digits& digits, u32 from, u32 to, u32 odd) {
    u32 high = (u32)(number / SPLIT), low = (u32)(number % SPLIT);
    u32 first = from < to ? from : to, digit[COLUMNS];
    for (u32 i = 0; i < COLUMNS; i++)
        digit[i] = first + i < TILES - 2 ? digit_of(digits, high, low, first + i) : 0;
    if (first + COLUMNS > TILES - 2) {
        // The last digit that can vary repairs the parity of all before it.
        u32 parity = odd;
        for (u32 i = 0; i < TILES - 2; i++) parity += digit_of(digits, high, low, i);
        for (u32 i = 0; i < COLUMNS; i++)
            if (first + i == TILES - 2) digit[i] = parity & 1;
    }
    u64 change = 0;
    for (u32 step = 0; step < COLUMNS - 1; step++) {
        u32 i = from < to ? step : COLUMNS - 2 - step;
        u32 a = digit[i], b = digit[i + 1];
        u32 c = a > b ? b : b + 1, d = a > b ? a - 1 : a;
        digit[i] = c;
        digit[i + 1] = d;
        change += digits.weight[first + i] * (u64)((long long)c - a);
        change += digits.weight[first + i + 1] * (u64)((long long)d - b);
    }
    return number + change;
}

// Add to the plane of `cell` all that one move leads to, and count what is new. The first `most` new
// boards are listed by their numbers.
KERNEL widen(u32* planes, u64 words, u64 orders, const Digits* given, u32 cell, u32 odd, u64* counted,
             u64* noted, u32 most, u32* notes) {
    SHARED Digits digits;
    if (threadIdx.x == 0) digits = *given;
    meet_block();
    u32 row = cell / COLUMNS, column = cell % COLUMNS, lane = threadIdx.x % LANES;
    u32* target = planes + cell * words;
    u64 fresh_here = 0;
    for (u64 word = first_thread() / LANES * LANES; word < words; word += all_threads()) {
        // Each lane has a word of its own for what is sideways; then all look at one word after another.
        u64 at = word + lane;
        u32 known = at < words ? target[at] : ~0u, next = 0;
        if (at < words) {
            if (column > 0) next |= target[at - words];
            if (column < COLUMNS - 1) next |= target[at + words];
        }
        u32 open = ~(known | next);
        if (row > 0 || row < ROWS - 1) {
            for (u32 turn = 0; turn < LANES; turn++) {
#ifdef __CUDACC__
                u32 asked = __shfl_sync(~0u, open, turn);
                if (!asked) continue;
                u64 number = (word + turn) * 32 + lane;
                bool wanted = asked >> lane & 1 && number < orders, reached = false;
                if (wanted && row > 0) {
                    // The blank came down: the tile it passed stood at the end of the row above.
                    u64 was = order_moved(number, digits, cell - COLUMNS, cell - 1, odd);
                    reached = target[was / 32 - COLUMNS * words] >> (was & 31) & 1;
                }
                if (wanted && !reached && row < ROWS - 1) {
                    u64 was = order_moved(number, digits, cell + COLUMNS - 1, cell, odd);
                    reached = target[was / 32 + COLUMNS * words] >> (was & 31) & 1;
                }
                u32 gathered = vote(reached);
                if (lane == turn) next |= gathered;
#else
                for (u32 bit = 0; bit < 32; bit++) {
                    u64 number = word * 32 + bit;
                    if (!(open >> bit & 1) || number >= orders) continue;
                    if (row > 0) {
                        u64 was = order_moved(number, digits, cell - COLUMNS, cell - 1, odd);
                        next |= (target[was / 32 - COLUMNS * words] >> (was & 31) & 1) << bit;
                    }
                    if (row < ROWS - 1) {
                        u64 was = order_moved(number, digits, cell + COLUMNS - 1, cell, odd);
                        next |= (target[was / 32 + COLUMNS * words] >> (was & 31) & 1) << bit;
                    }
                }
#endif
            }
        }
        next &= ~known;
        if (at < words && next) {
            target[at] = known | next;
            fresh_here += ones(next);
            if (now(notes) < most)
                for (u32 left = next; left; left &= left - 1) {
                    u32 place = atomicAdd(notes, 1);
                    if (place < most) noted[place] = (u64)cell * orders + at * 32 + lowest(left);
                }
        }
    }
    if (fresh_here) atomicAdd(counted, fresh_here);
}

DEVICE u32 is_odd(u32 cell, u32 home_row) {
    u32 row = cell / COLUMNS, between = row > home_row ? row - home_row : home_row - row;
    return between * (COLUMNS - 1) & 1;
}

// Mark all boards that a move leads to from one of a list, and list those that were not marked.
KERNEL push(u32* planes, u64 words, u64 orders, const Digits* given, u32 home_row, const u64* list,
            u64 count, u64* noted, u32 most, u32* notes) {
    SHARED Digits digits;
    if (threadIdx.x == 0) digits = *given;
    meet_block();
    for (u64 n = first_thread(); n < count; n += all_threads()) {
        u32 cell = (u32)(list[n] / orders), row = cell / COLUMNS, column = cell % COLUMNS;
        u64 number = list[n] % orders;
        u32 odd = is_odd(cell, home_row);
        for (u32 way = 0; way < 4; way++) {
            bool inside = way == 0 ? row > 0 : way == 1 ? column > 0 : way == 2 ? column < COLUMNS - 1 : row < ROWS - 1;
            if (!inside) continue;
            u32 target = way == 0 ? cell - COLUMNS : way == 1 ? cell - 1 : way == 2 ? cell + 1 : cell + COLUMNS;
            u64 order = number;
            if (way == 0) order = order_moved(number, digits, cell - COLUMNS, cell - 1, odd);
            if (way == 3) order = order_moved(number, digits, cell + COLUMNS - 1, cell, odd);
            u32 bit = 1u << (order & 31);
            if (!(atomicOr(&planes[target * words + order / 32], bit) & bit)) {
                u32 place = atomicAdd(notes, 1);
                if (place < most) noted[place] = target * orders + order;
            }
        }
    }
}
