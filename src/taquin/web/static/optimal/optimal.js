// Shortest solutions of the 15-puzzle without Python: IDA* by the kernel `ida16_batch`.
//
//     const kernels = await load(bytes);
//     const optimal = new Optimal(kernels, smallTables(kernels), [0, 1, 2, … 15]);
//     const { cells, bounds } = optimal.solve([14, 13, 15, … 3]);      the blank's cells; nodes
//
// Lengths and nodes are those of the engine `cpu` with small tables on one thread. The goal has its
// blank in a corner. A tile is named after its goal cell, and 0 is the blank; the tile that belongs in
// cell 0 is named after the blank's. kernels/ida16.c draws a node; engine/cpu/packed.py makes the same
// records for any grid.

import { automaton } from "./operators.js";
import { cellsOf, distance, range } from "./tables.js";

/** Two partitions for a goal with the blank in cell 0; their mirror images are two more. */
const PARTITIONS = [".ABB/AABB/AABB/ACCC", ".AAA/CAAA/CBBB/CBBB"];
/** The image of every cell by each symmetry of the grid; the fifth mirrors at the diagonal. */
const SYMMETRIES = range(8).map((number) =>
  range(16).map((cell) => {
    const image = cell ^ (number & 1 && 3) ^ (number & 2 && 12);
    return number & 4 ? ((image & 3) << 2) | (image >> 2) : image;
  }),
);
/** Of a node's facts: one step of depth, and a unit of slack under each of four partitions. */
const DEPTH = 1n << 4n;
const SLACK = [36n, 43n, 50n, 57n].map((bit) => 1n << bit);
const EACH_SLACK = SLACK.reduce((sum, unit) => sum + unit);
const WIDENING = [0n, 0n, 0n, 0n, 0n, 0n, EACH_SLACK, 0n];
/** What the numbers of the blank's cells before and after a move differ in, by kind of move. */
const KINDS = [1, 3, 4, 12];
const FIRST_KIND = 4;
/** Words of a row of the lookup, and the binary logarithm of those of a tile. */
const [ROW, TILE_BITS] = [8, 5];
/** The enumerations of ida.h and ida16.c, and the sizes of the arrays. */
const DEEPEST = 512;
const [NODE, CAPACITY, LOG] = [8, 32 * (DEEPEST + 2), 16 * DEEPEST];
const [SHARED, CONTROLS] = [72, 16];
const [ENDING, ESTIMATE, BOUNDS, , AHEAD, NODES] = range(6);
const ANSWER = NODES + 128;
/** Nodes of a call, some hundredths of a second, and more than any search makes. */
const [BUDGET, UNLIMITED] = [1 << 20, 2 ** 50];

export class Optimal {
  /** Prepare searches for a goal; only one can run at a time. */
  constructor(kernels, tables, goal) {
    this.kernels = kernels;
    const blank = goal.indexOf(0);
    const corner = SYMMETRIES.find((image) => image[0] === blank);
    if (!corner) throw new RangeError("the goal's blank is in no corner");
    this.names = new Map(goal.map((label, cell) => [label, label && (cell || blank)]));
    this.homes = range(16).map((name) => (name === blank ? 0 : name || blank));
    /** Each pattern of each of four partitions, or views: its table, and how that is read. */
    this.slots = range(4).flatMap((view) =>
      ["A", "B", "C"].map((letter, place) => {
        const cells = cellsOf(PARTITIONS[view >> 1], letter);
        const turned = cells.map((cell) => corner[view & 1 ? SYMMETRIES[4][cell] : cell]);
        const { table, image } = match(tables, turned);
        const names = table.pattern.map((cell) => image.indexOf(cell) || blank);
        return { table, image, names, view, shift: 24 * place, valueShift: 12 * view + 4 * place };
      }),
    );
    const row = (type, length) => kernels.array(type, length, length);
    this.root = row(BigUint64Array, NODE);
    this.answer = row(BigInt64Array, ANSWER);
    this.cells = row(Uint8Array, DEEPEST);
    this.notes = kernels.array(BigInt64Array, 3);
    const team = [
      kernels.array(BigInt64Array, SHARED),
      row(BigUint64Array, CAPACITY * NODE),
      row(Uint32Array, LOG + DEEPEST),
      row(BigInt64Array, CONTROLS),
    ];
    const widening = kernels.array(BigUint64Array, WIDENING);
    const found = [this.answer, this.cells, this.notes];
    const boards = [this.root, widening, found, UNLIMITED, UNLIMITED];
    this.record = kernels.record([team, BUDGET, boards, this.tree(goal)]);
  }

  /** Return a shortest solution of a board, which must have one. */
  solve(board) {
    const search = this.search(board);
    for (;;) {
      const { done, value } = search.next();
      if (done) return value;
    }
  }

  /** Solve in steps of some hundredths of a second; each yields the nodes of the bounds so far. */
  *search(board) {
    const { answer, cells } = this;
    const { estimate, node } = this.start(board);
    this.root.set(node);
    this.notes.fill(0n);
    answer.fill(0n)[ESTIMATE] = BigInt(estimate);
    const begun = (_, n) => ({ bound: estimate + 2 * n, nodes: Number(answer[NODES + n]) });
    const bounds = () => range(Number(answer[BOUNDS])).map(begun);
    while (!answer[ENDING]) {
      this.kernels.run("ida16_batch", this.record);
      yield bounds();
    }
    const all = bounds();
    const last = all[all.length - 1];
    // Nodes ahead of their bounds are counted apart.
    last.nodes += Number(answer[AHEAD]);
    return { cells: [...cells.slice(0, last.bound + 1)], bounds: all };
  }

  /** Return the fields of `struct tree`. */
  tree(goal) {
    const { kernels } = this;
    const exits = Array(16).fill(0);
    const moves = Array(64).fill(0);
    const steps = Array(1024).fill(0);
    for (const blank of range(16))
      for (const [direction, offset] of [-4, -1, 1, 4].entries()) {
        const cell = blank + offset;
        if (cell < 0 || cell > 15 || distance(blank, cell) > 1) continue;
        exits[blank] |= 1 << direction;
        moves[4 * blank + direction] = (FIRST_KIND + KINDS.indexOf(blank ^ cell)) | (cell << 10);
        for (const [name, home] of this.homes.entries()) {
          const strays = distance(blank, home) > distance(cell, home);
          const place = (direction * 16 + name) * 16 + cell;
          steps[place] = BigInt(cell - blank) + DEPTH - (strays ? EACH_SLACK : 0n);
        }
      }
    const choices = range(16).map((set) => {
      // The last one is searched first.
      const found = [3, 2, 1, 0].filter((direction) => (set >> direction) & 1);
      return found.reduce((word, direction, n) => word | (direction << (2 * n)), found.length << 8);
    });
    const lookup = Array(16 * 4 * ROW).fill(0);
    for (const { table, image, names, view, shift, valueShift } of this.slots)
      for (const [tile, name] of names.entries()) {
        const mask = 2 * table.values.length - 1;
        const flips = KINDS.map((kind) => table.spots[tile][image[0] ^ image[kind]] * 2 ** shift);
        const row = [shift, mask, 2 * table.values.byteOffset, valueShift, ...flips];
        lookup.splice((4 * name + view) * ROW, ROW, ...row);
      }
    const array = (values) => kernels.array(BigUint64Array, values);
    const records = [array(exits), array(moves), kernels.array(Uint16Array, choices)];
    const { allowed, follow } = automaton();
    records.push(kernels.array(Uint8Array, allowed), kernels.array(Uint16Array, follow));
    const cells = packed(goal.map((label) => this.names.get(label)));
    // No table is indexed by rank.
    return [cells, records, array(steps), array(lookup), [ROW, TILE_BITS, 1], [0, 0, 0]];
  }

  /** Return the estimate of a board, and its node under that bound. */
  start(board) {
    const names = board.map((label) => this.names.get(label));
    const where = range(16).map((name) => names.indexOf(name));
    const node = Array(NODE).fill(0n);
    const sums = [0, 0, 0, 0];
    for (const { table, image, names, view, shift, valueShift } of this.slots) {
      const terms = names.map((name, tile) => table.spots[tile][image[where[name]]]);
      const index = terms.reduce((sum, term) => sum + term);
      const value = (table.values[index >> 1] >> (4 * (index & 1))) & 15;
      sums[view] += value;
      node[1 + view] |= BigInt(index) << BigInt(shift);
      node[5] |= BigInt(value) << BigInt(valueShift);
    }
    const highest = Math.max(...sums);
    const far = where.map((cell, name) => (name ? distance(cell, this.homes[name]) : 0));
    node[0] = packed(names);
    const slacks = sums.map((sum, view) => BigInt(highest - sum) * SLACK[view]);
    node[6] = slacks.reduce((facts, slack) => facts + slack, BigInt(where[0]));
    return { estimate: far.reduce((sum, steps) => sum + steps) + 2 * highest, node };
  }
}

/** Return the table of a pattern, and the image of every cell in its grid. */
function match(tables, pattern) {
  const pairs = tables.flatMap((table) => SYMMETRIES.map((image) => ({ table, image })));
  return pairs.find(
    ({ table, image }) =>
      pattern.length === table.pattern.length &&
      pattern.every((cell) => table.pattern.includes(image[cell])),
  );
}

/** Return a board as a word, four bits a cell. */
function packed(board) {
  return board.reduceRight((word, name) => (word << 4n) | BigInt(name), 0n);
}
