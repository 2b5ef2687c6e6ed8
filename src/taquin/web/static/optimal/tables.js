// The small pattern tables of 4×4, built by the kernels of tables.c, as tables/build.py does for any.
//
// A value is half of what a pattern costs beyond its Manhattan distance; two are in a byte.

const [CELLS, COLUMNS] = [16, 4];
/** Every pattern in use is an image of one of these. The goal has its blank in cell 3. */
const PATTERNS = ["AAA./AAA./..../....", "AAA./.AAA/..../....", "AAA./..../..../...."];
/** The most tiles of a pattern whose order is a part of a block, see `pack_table`. */
const MOST_LEFT = 4;
const UNREACHED = 255;

/** Return for each table its pattern, the terms of an index by tile and cell, and the values. */
export function smallTables(kernels) {
  return PATTERNS.map((picture) => {
    const pattern = cellsOf(picture, "A");
    const values = kernels.array(Uint8Array, 2 ** (4 * pattern.length - 1)).fill(255);
    const { free } = kernels;
    const spots = pattern.map((_, tile) => spotsOf(pattern.length - 1 - tile, pattern.length));
    pack(kernels, pattern, spots, levels(kernels, pattern), values);
    kernels.free = free;
    return { pattern, spots, values };
  });
}

/** Return the bits of every cell's number, interleaved with those of other tiles. */
function spotsOf(place, size) {
  // Similar configurations share cache lines.
  const bits = [0, 2, 1, 3].map((bit, rank) => [bit, rank * size + place]);
  return range(CELLS).map((cell) =>
    bits.reduce((sum, [bit, at]) => sum | (((cell >> bit) & 1) << at), 0),
  );
}

/** Return the cells of a picture that have a letter. */
export function cellsOf(picture, letter) {
  const letters = [...picture.replaceAll("/", "")];
  return range(CELLS).filter((cell) => letters[cell] === letter);
}

/** Return the cost of each configuration, by its set of cells and its order. */
function levels(kernels, pattern) {
  const size = pattern.length;
  const sets = subsets(CELLS, size);
  const bits = kernels.array(BigInt64Array, sets);
  const grid = [CELLS, COLUMNS, 0xffff, 0x7777, 0xeeee];
  const counts = kernels.array(BigInt64Array, sets.length);
  kernels.run("count_regions", kernels.record([bits, counts, grid, 0, sets.length]));
  const begins = kernels.array(BigInt64Array, sets.length + 1);
  for (const set of sets.keys()) begins[set + 1] = begins[set] + counts[set];
  const bitmaps = Number(begins[sets.length]);

  // How a tile that passes others changes orders; number 0 changes nothing.
  const changes = [range(size)];
  const numbers = kernels.array(BigInt64Array, size * size, size);
  for (const before of range(size))
    for (const after of range(size)) {
      const passed = Math.abs(before - after);
      if (!passed || passed >= COLUMNS) continue;
      const places = range(size).toSpliced(before, 1).toSpliced(after, 0, before);
      numbers[size * before + after] = BigInt(changes.length);
      changes.push(range(size).map((place) => places.indexOf(place)));
    }
  const orders = arrangements(size, size);
  const ranks = ranked(kernels, changes, orders, size);
  const permuted = kernels.array(Uint16Array, ranks, orders.length);
  // A tile can be pushed from four sides at most.
  const steps = kernels.array(BigInt64Array, sets.length * 4 * size, 4 * size);
  const links = [steps, kernels.array(Int32Array, bitmaps)];
  const all = [grid, bits, begins, binomials(kernels, size)];
  kernels.run("link_sets", kernels.record([all, numbers, links, 0, sets.length]));

  const words = Math.ceil(orders.length / 64);
  const front = kernels.array(BigUint64Array, bitmaps * words, words);
  const seen = kernels.array(BigUint64Array, bitmaps * words, words);
  const lives = kernels.array(Uint8Array, bitmaps);
  const costs = kernels.array(Uint8Array, sets.length * orders.length, orders.length);
  const home = pattern.reduce((cells, cell) => cells | (1 << cell), 0);
  const parity = (cells) => members((cells ^ home) & 0x5a5a).length & 1;
  const odd = kernels.array(Uint8Array, sets.map(parity));
  const first = Number(begins[sets.indexOf(home)]);
  front[first * words] = seen[first * words] = 1n;
  lives[first] = 1;
  costs.fill(UNREACHED)[sets.indexOf(home) * orders.length] = 0;
  const reached = [front, seen, lives, costs, odd];
  const record = kernels.record([begins, links, permuted, reached, 0, 0, 0, sets.length]);
  const [level, alive] = [record.length - 4, record.length - 3];
  do {
    record[level] += 1n;
    kernels.run("reach_sets", record);
  } while (record[alive]);
  return costs;
}

/** Write the values of a table from the costs. */
function pack(kernels, pattern, spots, costs, values) {
  const size = pattern.length;
  const left = Math.min(size, MOST_LEFT);
  const free = CELLS - size + left;
  const parts = subsets(free, left).map(members);
  const orders = arrangements(left, left);
  const far = pattern.map((home) => range(CELLS).map((cell) => distance(home, cell)));
  const packing = [
    [CELLS, size, size - left, 0, binomials(kernels, size)],
    [kernels.array(Uint8Array, parts), ranked(kernels, parts, orders, free)],
    kernels.array(Uint8Array, arrangements(free, left - 1)),
    [spots, far].map((rows) => kernels.array(BigInt64Array, rows)),
  ];
  const placements = arrangements(CELLS, size - left).length;
  kernels.run("pack_table", kernels.record([costs, values, packing, 0, placements]));
}

/** Return the rank of each list of cells, of those below `among`, in each order. */
function ranked(kernels, lists, orders, among) {
  const ranks = kernels.array(Int32Array, lists.length * orders.length, orders.length);
  const given = [lists, orders].map((rows) => kernels.array(Uint8Array, rows));
  kernels.run("rank_orders", kernels.record([given, among, ranks]));
  return ranks;
}

function binomials(kernels, size) {
  const rows = range(CELLS).map(() => [1, ...Array(size).fill(0)]);
  for (const n of range(CELLS - 1))
    for (const k of range(size)) rows[n + 1][k + 1] = rows[n][k] + rows[n][k + 1];
  return kernels.array(BigInt64Array, rows);
}

/** The ways to arrange `size` of the numbers below `among`, alphabetically. */
function arrangements(among, size) {
  if (!size) return [[]];
  const longer = (list) =>
    range(among).flatMap((next) => (list.includes(next) ? [] : [[...list, next]]));
  return arrangements(among, size - 1).flatMap(longer);
}

/** The sets of `size` of the numbers below `among`, as bits, ascending. */
function subsets(among, size) {
  return range(1 << among).filter((set) => members(set).length === size);
}

/** The numbers of the bits that are set. */
function members(bits) {
  return range(CELLS).filter((bit) => (bits >> bit) & 1);
}

/** The Manhattan distance of two cells. */
export function distance(one, other) {
  return Math.abs((one >> 2) - (other >> 2)) + Math.abs((one & 3) - (other & 3));
}

/** The numbers below `end`. */
export function range(end) {
  return [...Array(end).keys()];
}
