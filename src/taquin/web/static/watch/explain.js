// What Explain shows: the numbers of a board as sums, the search as pseudocode, and the lines that a step runs.

import { text } from "../page/messages.js";
import { thousands } from "../page/words.js";
import { tileDistances } from "../puzzle/puzzle.js";
import { readSearch } from "../search/searches.js";

/** @import { Label } from "../puzzle/puzzle.js" */
/** @import { TraceModel } from "../trace/trace-model.js" */
/** @import { SearchNode, Step, TraceEvent } from "../trace/trace-steps.js" */
/** @typedef {[id: string, indent: number, line: string | null]} Line the text, or its name among the messages */
/** @typedef {Record<string, string>} Options */

/**
 * The share of each tile in an estimate that is a sum over tiles.
 * @type {Record<string, (distance: number) => number>}
 */
const SHARES = { manhattan: (distance) => distance, misplaced: (distance) => Number(distance > 0) };
/**
 * Return the numbers of the current board: `marks`, the share of each cell's tile in the estimate, and
 * `lines`, the sums as text. `goal` are the cells of the goal, or null.
 * @param {TraceModel} model
 * @param {Label[] | null} goal
 */
export function explained(model, goal) {
  const node = /** @type {SearchNode} */ (model.current);
  const { heuristic, options } = readSearch(model.header.algorithm ?? "");
  const name = heuristic ?? options["scored-by"] ?? null;
  const lines = [priorityLine(node, model, options)];
  if (!name || !goal || node.side === "goal") return { marks: null, lines };
  const shares = tileDistances(node, goal).map((distance) =>
    distance === null ? null : (SHARES[name] ?? SHARES.manhattan)(distance),
  );
  return { marks: shares, lines: [...estimateLines(shares, node, name), ...lines] };
}

/** @param {(number | null)[]} shares @param {SearchNode} node @param {string} name */
function estimateLines(shares, node, name) {
  /** @type {[Label, number][]} */
  const terms = shares.flatMap((share, cell) => (share ? [[node.cells[cell], share]] : []));
  const total = terms.reduce((sum, [, share]) => sum + share, 0);
  const [sum, h] = [terms.map(([, share]) => share).join(" + "), node.h];
  const written = terms.length > 1 ? `${sum} = ${thousands(total)}` : thousands(total);
  const tiles = terms
    .map(([label, steps]) => text("explain.tile", { label: String(label), steps }))
    .join(", ");
  if (total !== h)
    return [
      text(tiles ? "explain.h-other" : "explain.h-other-zero", { h, sum: written, parts: tiles }),
    ];
  const parts = name === "misplaced" ? text("explain.misplaced", { count: terms.length }) : tiles;
  return [text(parts ? "explain.h-sum" : "explain.h", { sum: written, parts })];
}

/** The messages with the numbers that order the boards of a search, for searches without a bound. @type {Options} */
const NUMBERS = {
  mm: "explain.by-mm",
  nbs: "explain.by-nbs",
  arastar: "explain.by-arastar",
  wastar: "explain.by-weight",
  widastar: "explain.by-weight",
  focal: "explain.by-f",
  potential: "explain.by-f",
  peastar: "explain.by-peastar",
  bts: "explain.by-f",
  lrtastar: "explain.by-learnt",
  "lss-lrtastar": "explain.by-learnt",
  "hill-climbing": "explain.by-h",
  annealing: "explain.by-h",
  greedy: "explain.by-greedy",
  "capped-beam": "explain.by-greedy",
  beam: "explain.by-greedy",
};

/** @param {SearchNode} node @param {TraceModel} model @param {Options} options */
function priorityLine(node, { order, bound }, options) {
  const { g, h, f } = node;
  const isBounded = order.isPath && bound !== null && Number.isFinite(bound);
  const name = NUMBERS[order.name] ?? otherNumbers(node, order, isBounded);
  const sums = { sum: g + h, double: 2 * g, rest: f - g };
  return text(name, { g, h, f, ...sums, weight: Number(options.weight), bound: bound ?? Infinity });
}

/** @param {SearchNode} node @param {TraceModel["order"]} order @param {boolean} isBounded */
function otherNumbers({ g, h, f }, { name, sortsSiblings }, isBounded) {
  if (name === "rbfs") return f === g + h ? "explain.by-f" : "explain.by-rbfs";
  if (["astar", "idastar"].includes(name)) return isBounded ? "explain.by-f-bound" : "explain.by-f";
  if (sortsSiblings) return "explain.by-siblings";
  return isBounded ? "explain.by-g-bound" : "explain.by-g";
}

// --- the pseudocode, one text for each family of searches --------------------------------------
//
// A line is `[id, indent, line]`. The ids name what happens in a step, so that a step finds its lines.

/** How a search chooses the next board. @type {Options} */
const KEYS = {
  bfs: "explain.dequeue-bfs",
  ucs: "explain.dequeue-ucs",
  greedy: "explain.dequeue-greedy",
  "capped-beam": "explain.dequeue-greedy",
  astar: "explain.dequeue-astar",
  wastar: "explain.dequeue-wastar",
  arastar: "explain.dequeue-wastar",
  focal: "explain.dequeue-focal",
  potential: "explain.dequeue-potential",
  peastar: "explain.dequeue-peastar",
  mm: "explain.dequeue-mm",
  nbs: "explain.dequeue-nbs",
  lrtastar: "explain.plan-lrtastar",
  "lss-lrtastar": "explain.plan-lss",
};

/**
 * What a search does about a board that it has met before; null for nothing on generation.
 * @type {Record<string, string | null>}
 */
const DUPLICATES = {
  reached: "explain.duplicate",
  generated: "explain.duplicate",
  closed: "explain.duplicate-expanded",
  parent: "explain.duplicate-parent",
  dequeue: null,
  none: null,
};

/** The first bound of a search that deepens, how it rises, and what is beyond it. @type {Record<string, string[]>} */
const BOUNDS = {
  ids: ["explain.bound-zero", "explain.raise-depth", "explain.beyond-depth"],
  idastar: ["explain.bound-h", "explain.raise-f", "explain.beyond-sum"],
  widastar: ["explain.bound-wh", "explain.raise-wf", "explain.beyond-f"],
  bts: ["explain.bound-h", "explain.raise-bts", "explain.beyond-f"],
};

/** Lines that a search adds to those of its family. @type {Record<string, Line[]>} */
const MORE = {
  arastar: [
    ["improved", 1, "explain.round-ends"],
    ["lower", 1, "explain.lower-w"],
  ],
  peastar: [
    ["cut", 2, "explain.leave-out"],
    ["backtrack", 1, "explain.back-into-frontier"],
  ],
};

/** @type {Record<string, (parts: Record<string, any>) => Line[]>} */
const FAMILIES = {
  bestFirst: ({ name, key, known, stale }) => [
    ["start", 0, "explain.into-frontier"],
    ["loop", 0, "explain.while-frontier"],
    ["dequeue", 1, key],
    ["discard", 1, stale],
    ["goal", 1, "explain.goal-test"],
    ["expand", 1, "explain.for-children"],
    ["duplicate", 2, known],
    ["enqueue", 2, "explain.enqueue"],
    ...(MORE[name] ?? []),
    ["end", 0, "explain.frontier-empty"],
  ],
  depthFirst: ({ known, limit, stops }) => [
    ["start", 0, "explain.visit-start"],
    ["visit", 0, "explain.visit"],
    ["goal", 1, "explain.goal-test"],
    ["cut", 1, limit && stops ? text("explain.stop-depth", { limit }) : null],
    ["expand", 1, "explain.for-children"],
    ["duplicate", 2, known],
    ["cut", 2, limit && !stops ? text("explain.cut-depth", { limit }) : null],
    ["enqueue", 2, "explain.enqueue-visit"],
    ["backtrack", 1, "explain.back"],
    ["end", 0, "explain.paths-followed"],
  ],
  deepening: ({ name, known, stops }) => {
    const [first, raise, beyond] = BOUNDS[name];
    return [
      ["start", 0, first],
      ["round", 0, "explain.repeat-visit"],
      ["raise", 1, stops ? "explain.raise-one" : raise],
      ["visit", 0, "explain.visit"],
      ["goal", 1, "explain.goal-test"],
      ["cut", 1, stops ? "explain.stop-bound" : null],
      ["expand", 1, "explain.for-children"],
      ["duplicate", 2, known],
      ["cut", 2, stops ? null : beyond],
      ["enqueue", 2, "explain.enqueue-visit"],
      ["backtrack", 1, "explain.back"],
    ];
  },
  recursive: ({ known }) => [
    ["start", 0, "explain.path-start"],
    ["loop", 0, "explain.repeat"],
    ["dequeue", 1, "explain.take-least"],
    ["goal", 1, "explain.goal-test"],
    ["expand", 1, "explain.for-children"],
    ["duplicate", 2, known],
    ["enqueue", 2, "explain.new-f"],
    ["backtrack", 1, "explain.forget"],
  ],
  beam: ({ known, width }) => [
    ["start", 0, "explain.level-start"],
    ["round", 0, "explain.while-level"],
    ["dequeue", 1, "explain.for-nearest"],
    ["goal", 2, "explain.goal-test"],
    ["expand", 2, "explain.for-children"],
    ["duplicate", 3, known],
    ["enqueue", 3, "explain.enqueue-level"],
    ["prune", 1, width ? text("explain.keep-nearest", { width }) : "explain.keep-best"],
    ["end", 0, "explain.level-empty"],
  ],
  bidirectional: ({ known }) => [
    ["start", 0, "explain.two-levels"],
    ["round", 0, "explain.repeat-smaller"],
    ["dequeue", 1, "explain.for-level"],
    ["expand", 2, "explain.for-children"],
    ["duplicate", 3, known],
    ["enqueue", 3, "explain.enqueue-level"],
    ["goal", 1, "explain.levels-met"],
  ],
  bothEnds: ({ key, known }) => [
    ["start", 0, "explain.two-frontiers"],
    ["loop", 0, "explain.repeat-pairs"],
    ["dequeue", 1, key],
    ["expand", 1, "explain.for-children"],
    ["duplicate", 2, known],
    ["enqueue", 2, "explain.enqueue-side"],
    ["improved", 2, "explain.solution-known"],
    ["goal", 0, "explain.best-meeting"],
  ],
  realTime: ({ key }) => [
    ["start", 0, "explain.stand"],
    ["goal", 0, "explain.while-not-goal"],
    ["dequeue", 1, key],
    ["expand", 2, "explain.for-children"],
    ["duplicate", 3, "explain.duplicate-planned"],
    ["enqueue", 3, "explain.learnt-f"],
    ["discard", 2, "explain.shorter-found"],
    ["learn", 1, "explain.learn"],
    ["prune", 1, "explain.walk"],
  ],
  walking: ({ name }) => [
    ["start", 0, "explain.stand"],
    ["goal", 0, "explain.while-not-goal"],
    ["expand", 1, "explain.look"],
    ["enqueue", 2, name === "annealing" ? "explain.wander" : "explain.climb"],
    ["prune", 2, name === "annealing" ? "explain.stay" : "explain.drop-others"],
    ["end", 0, "explain.give-up"],
  ],
};

/** @type {Options} */
const FAMILY_OF = {
  dfs: "depthFirst",
  ids: "deepening",
  idastar: "deepening",
  widastar: "deepening",
  bts: "deepening",
  rbfs: "recursive",
  beam: "beam",
  bidirectional: "bidirectional",
  mm: "bothEnds",
  nbs: "bothEnds",
  lrtastar: "realTime",
  "lss-lrtastar": "realTime",
  "hill-climbing": "walking",
  annealing: "walking",
};
/** Searches that only leave out the move back, unless an option says otherwise. */
const WITHOUT_UNDOING = ["ids", "idastar", "widastar", "bts", "rbfs"];

/** Return the lines of a search, given as text: `{id, indent, text}`. @param {string} algorithm */
export function pseudocode(algorithm) {
  const { name, options } = readSearch(algorithm);
  const duplicates = options.duplicates ?? (WITHOUT_UNDOING.includes(name) ? "parent" : "reached");
  const family = FAMILY_OF[name] ?? "bestFirst";
  const isPath = ["depthFirst", "deepening"].includes(family);
  const lines = FAMILIES[family]({
    name,
    key: KEYS[name] ?? "explain.dequeue-other",
    known:
      isPath && ["closed", "dequeue"].includes(duplicates)
        ? "explain.duplicate-visited"
        : DUPLICATES[duplicates],
    stale:
      { reached: "explain.stale-shorter", dequeue: "explain.stale-expanded" }[duplicates] ?? null,
    limit: options["max-depth"],
    width: options.width,
    stops: ["dfs", "ids"].includes(name) && options["limit-test"] !== "generation",
  });
  const inOrder = options["goal-test"] === "generation" ? withEarlyTest(lines) : lines;
  return inOrder
    .filter(([, , line]) => line)
    .map(([id, indent, line]) => ({
      id,
      indent,
      text: line?.startsWith("explain.") ? text(line) : line,
    }));
}

/**
 * Return the lines of a search that tests children when they are generated.
 * @param {Line[]} lines
 * @returns {Line[]}
 */
function withEarlyTest(lines) {
  const goal = /** @type {Line} */ (lines.find(([id]) => id === "goal"));
  const rest = lines.filter((line) => line !== goal);
  const at = rest.findIndex(([id]) => id === "enqueue");
  return [...rest.slice(0, at), ["goal", rest[at][1], goal[2]], ...rest.slice(at)];
}

/**
 * Return the ids of the lines that a step runs, the most important one first.
 * @param {Step} step
 */
export function linesAt(step) {
  const [first] = step.events;
  switch (step.kind) {
    case "round":
      return first.round === 1 ? ["round", "start"] : ["raise", "round"];
    case "discard":
      return ["discard", "dequeue"];
    case "goal":
      return ["goal", "dequeue"];
    case "expand":
      return ["expand", "dequeue", "visit", ...new Set(step.events.slice(1).map(lineOf))];
    default:
      return [step.kind];
  }
}

/** @type {Options} */
const LINE_OF_FATE = {
  enqueued: "enqueue",
  reopened: "enqueue",
  updated: "enqueue",
  duplicate: "duplicate",
  parent: "duplicate",
  cut: "cut",
  limit: "cut",
  pruned: "prune",
};
/** @type {Options} */
const LINE_OF_EVENT = { discarded: "duplicate", backtracked: "backtrack", "goal-found": "goal" };

/** Return the line of an event. @param {TraceEvent} event @returns {string} */
function lineOf({ name, fate }) {
  if (name === "generated") return LINE_OF_FATE[fate];
  return LINE_OF_EVENT[name] ?? name;
}
