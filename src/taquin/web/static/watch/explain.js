// What Explain shows: the numbers of a board as sums, the search as pseudocode, and the lines that a step runs.

import { counted, value } from "../page/words.js";
import { BLANK, FILLER, WALL } from "../puzzle/puzzle.js";
import { readSearch } from "../search/searches.js";

/** @import { Board, Label } from "../puzzle/puzzle.js" */
/** @import { TraceModel } from "../trace/trace-model.js" */
/** @import { SearchNode, Step, TraceEvent } from "../trace/trace-steps.js" */
/** @typedef {[id: string, indent: number, text: string | null]} Line */
/** @typedef {Record<string, string>} Options */

/**
 * The share of each tile in an estimate that is a sum over tiles.
 * @type {Record<string, (distance: number) => number>}
 */
const SHARES = { manhattan: (distance) => distance, misplaced: (distance) => Number(distance > 0) };
/** @type {Label[]} */
const UNNAMED = [BLANK, WALL, FILLER];
const BY_ESTIMATE = ["greedy", "capped-beam", "beam"];

/**
 * Return for each cell how many steps its tile is from its goal cell, if nothing were in its way; null
 * for the blank, walls, and tiles without a goal cell of their own.
 * @param {Pick<Board, "cells" | "columns">} board
 * @param {Label[]} goal
 */
export function tileDistances({ cells, columns }, goal) {
  return cells.map((label, cell) => {
    const home = goal.indexOf(label);
    const isOwn =
      home >= 0 &&
      home === goal.lastIndexOf(label) &&
      cells.indexOf(label) === cells.lastIndexOf(label);
    if (!isOwn || UNNAMED.includes(label)) return null;
    return (
      Math.abs((cell % columns) - (home % columns)) +
      Math.abs(Math.floor(cell / columns) - Math.floor(home / columns))
    );
  });
}

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
  const sum = terms.reduce((total, [, share]) => total + share, 0);
  const tiles = terms.map(([label, share]) => `tile ${label}: ${share}`).join(", ");
  const written =
    terms.length > 1 ? `${terms.map(([, share]) => share).join(" + ")} = ${sum}` : String(sum);
  const parts = name === "misplaced" ? `${counted(terms.length, "tile")} out of place` : tiles;
  if (sum === node.h) return [`h = ${written}${parts && ` (${parts})`}.`];
  return [
    `h = ${value(node.h)}. The distances of the tiles alone: ${written}${tiles && ` (${tiles})`}.`,
  ];
}

/** @typedef {(node: SearchNode, options: Options) => string} Numbers */

/** @type {Numbers} */
const byH = ({ g, h }) => `h = ${h}; g = ${g} does not count.`;
/** @type {Numbers} */
const byF = ({ g, h, f }) => `f = g + h = ${g} + ${h} = ${value(f)}.`;
/** @type {Numbers} */
const byLearnt = ({ g, f }) => `f = ${value(f)}: g = ${g}, and ${value(f - g)} as learnt so far.`;
/** @type {Numbers} */
const byWeight = ({ g, h, f }, options) =>
  `f = g + w · h = ${g} + ${options.weight} · ${h} = ${value(f)}.`;
/**
 * The numbers that order the boards of searches with a loop of their own.
 * @type {Record<string, Numbers>}
 */
const NUMBERS = {
  mm: ({ g, h, f }) => `priority = max(g + h, 2 · g) = max(${g + h}, ${2 * g}) = ${value(f)}.`,
  nbs: ({ g, h, f }) =>
    `f = g + h = ${g} + ${h} = ${value(f)}; a pair of boards counts the greater f, or g + g + 1.`,
  arastar: ({ g, h, f }) =>
    `Priority g + w · h = ${value(f)}, with g = ${g} and h = ${h}; w falls from round to round.`,
  widastar: byWeight,
  focal: byF,
  potential: byF,
  peastar: ({ g, h, f }) => `F = ${value(f)}; g = ${g}, h = ${h}.`,
  bts: byF,
  lrtastar: byLearnt,
  "lss-lrtastar": byLearnt,
  "hill-climbing": byH,
  annealing: byH,
};

/** @param {SearchNode} node @param {TraceModel} model @param {Options} options */
function priorityLine(node, { order, bound }, options) {
  const { g, h, f } = node;
  if (order.name in NUMBERS) return NUMBERS[order.name](node, options);
  const within =
    order.isPath && bound !== null && Number.isFinite(bound)
      ? `, and the bound is ${value(bound)}`
      : "";
  if (["astar", "idastar"].includes(order.name))
    return `f = g + h = ${g} + ${h} = ${value(f)}${within}.`;
  if (order.name === "wastar")
    return `f = g + w · h = ${g} + ${options.weight} · ${h} = ${value(f)}.`;
  if (BY_ESTIMATE.includes(order.name)) return `f = h = ${h}; g = ${g} does not count.`;
  if (order.name === "rbfs") {
    return f === g + h
      ? `f = g + h = ${g} + ${h} = ${value(f)}.`
      : `f = ${value(f)}, backed up from its children; g + h = ${g} + ${h} = ${g + h}.`;
  }
  if (order.sortsSiblings) return `g = ${g} decides, and among siblings h = ${h}.`;
  return `g = ${g}${within || ": only the moves made count"}.`;
}

// --- the pseudocode, one text for each family of searches --------------------------------------
//
// A line is `[id, indent, text]`. The ids name what happens in a step, so that a step finds its lines.

/** @type {Options} */
const KEYS = {
  bfs: "that was enqueued first",
  ucs: "with the least g",
  greedy: "with the least h",
  "capped-beam": "with the least h",
  astar: "with the least f = g + h",
  wastar: "with the least f = g + w · h",
};

/**
 * What a search does about a board that it has met before; null for nothing on generation.
 * @type {Record<string, string | null>}
 */
const DUPLICATES = {
  reached: "duplicate: discard it",
  generated: "duplicate: discard it",
  closed: "expanded already: discard it",
  parent: "it undoes the last move: discard it",
  dequeue: null,
  none: null,
};

/** @type {Record<string, (parts: Record<string, any>) => Line[]>} */
const FAMILIES = {
  bestFirst: ({ key, known, stale }) => [
    ["start", 0, "put the start into the frontier"],
    ["loop", 0, "while the frontier has boards:"],
    ["dequeue", 1, `dequeue the board ${key}`],
    ["discard", 1, stale],
    ["goal", 1, "if it is the goal: done"],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, known],
    ["enqueue", 2, "otherwise: put it into the frontier"],
    ["end", 0, "the frontier is empty: no solution"],
  ],
  depthFirst: ({ known, limit, stops }) => [
    ["start", 0, "visit the start"],
    ["visit", 0, "to visit a board:"],
    ["goal", 1, "if it is the goal: done"],
    ["cut", 1, limit && stops ? `if its depth is ${limit}: do not expand it` : null],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, known],
    ["cut", 2, limit && !stops ? `deeper than ${limit}: cut it off` : null],
    ["enqueue", 2, "otherwise: visit it"],
    ["backtrack", 1, "go back to its parent"],
    ["end", 0, "every path was followed: no solution"],
  ],
  deepening: ({ known, measure, first, stops }) => [
    ["start", 0, `bound ← ${first}`],
    ["round", 0, "repeat: visit the start"],
    ["raise", 1, stops ? "bound ← bound + 1" : `bound ← the least ${measure} that was cut off`],
    ["visit", 0, "to visit a board:"],
    ["goal", 1, "if it is the goal: done"],
    ["cut", 1, stops ? "if its depth is the bound: do not expand it" : null],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, known],
    ["cut", 2, stops ? null : `its ${measure} is beyond the bound: cut it off`],
    ["enqueue", 2, "otherwise: visit it"],
    ["backtrack", 1, "go back to its parent"],
  ],
  recursive: ({ known }) => [
    ["start", 0, "the path is the start"],
    ["loop", 0, "repeat:"],
    ["dequeue", 1, "take the board with the least F beside the path"],
    ["goal", 1, "if it is the goal: done"],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, known],
    ["enqueue", 2, "F ← its f, or the F of its parent if that is more"],
    [
      "backtrack",
      1,
      "while a board farther up has less F: forget the children, and remember their least F",
    ],
  ],
  beam: ({ known, width }) => [
    ["start", 0, "the level is the start"],
    ["round", 0, "while the level has boards:"],
    ["dequeue", 1, "for each board of it, the nearest first:"],
    ["goal", 2, "if it is the goal: done"],
    ["expand", 2, "for each of its children:"],
    ["duplicate", 3, known],
    ["enqueue", 3, "otherwise: put it into the next level"],
    ["prune", 1, `keep the ${width} nearest of the next level`],
    ["end", 0, "the level is empty: no solution found"],
  ],
  bidirectional: ({ known }) => [
    ["start", 0, "a level at the start, a level at the goal"],
    ["round", 0, "repeat with the smaller level:"],
    ["dequeue", 1, "for each board of it:"],
    ["expand", 2, "for each of its children:"],
    ["duplicate", 3, known],
    ["enqueue", 3, "otherwise: put it into the next level"],
    ["goal", 1, "if the other side has one of them: join the paths"],
  ],
};

/** @type {Options} */
const FAMILY_OF = {
  dfs: "depthFirst",
  ids: "deepening",
  idastar: "deepening",
  rbfs: "recursive",
  beam: "beam",
  bidirectional: "bidirectional",
};
/** Searches that only leave out the move back, unless an option says otherwise. */
const WITHOUT_UNDOING = ["ids", "idastar", "rbfs"];

/** Return the lines of a search, given as text: `{id, indent, text}`. @param {string} algorithm */
export function pseudocode(algorithm) {
  const { name, options } = readSearch(algorithm);
  if (name in FURTHER_LINES) return asLines(FURTHER_LINES[name]);
  const duplicates = options.duplicates ?? (WITHOUT_UNDOING.includes(name) ? "parent" : "reached");
  const family = FAMILY_OF[name] ?? "bestFirst";
  const isPath = ["depthFirst", "deepening"].includes(family);
  const lines = FAMILIES[family]({
    key: KEYS[name] ?? "of the lowest priority",
    known:
      isPath && ["closed", "dequeue"].includes(duplicates)
        ? "visited before: discard it"
        : DUPLICATES[duplicates],
    stale:
      {
        reached: "if a shorter path to it was found: discard it",
        dequeue: "if it was expanded before: discard it",
      }[duplicates] ?? null,
    limit: options["max-depth"],
    measure: name === "ids" ? "depth" : "f = g + h",
    first: name === "ids" ? "0" : "h of the start",
    width: options.width ?? "best",
    stops: ["dfs", "ids"].includes(name) && options["limit-test"] !== "generation",
  });
  const inOrder = options["goal-test"] === "generation" ? withEarlyTest(lines) : lines;
  return asLines(inOrder.filter(([, , text]) => text));
}

/** @param {Line[]} lines */
function asLines(lines) {
  return lines.map(([id, indent, text]) => ({ id, indent, text }));
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

// --- searches that have a loop of their own ----------------------------------------------------

const KNOWN = "duplicate: discard it";

/** Return the pseudocode of a search from both ends. @param {string} choice @returns {Line[]} */
function fromBothEnds(choice) {
  return [
    ["start", 0, "a frontier at the start, a frontier at the goal"],
    ["loop", 0, "repeat until no pair of boards of the frontiers can beat the best meeting:"],
    ["dequeue", 1, choice],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, KNOWN],
    ["enqueue", 2, "otherwise: put it into the frontier of its side"],
    ["improved", 2, "if the other side has it: a solution is known"],
    ["goal", 0, "done: join the paths of the best meeting"],
  ];
}

/**
 * Return the pseudocode of a search that expands one board at a time from one frontier.
 * @param {string} choice
 * @param {...Line} more
 * @returns {Line[]}
 */
function bestFirst(choice, ...more) {
  return [
    ["start", 0, "put the start into the frontier"],
    ["loop", 0, "while the frontier has boards:"],
    ["dequeue", 1, choice],
    ["discard", 1, "if a shorter path to it was found: discard it"],
    ["goal", 1, "if it is the goal: done"],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, KNOWN],
    ["enqueue", 2, "otherwise: put it into the frontier"],
    ...more,
    ["end", 0, "the frontier is empty: no solution"],
  ];
}

/**
 * Return the pseudocode of a search that goes depth-first within rising bounds.
 * @param {string} first
 * @param {string} next
 * @returns {Line[]}
 */
function deepening(first, next) {
  return [
    ["start", 0, `bound ← ${first}`],
    ["round", 0, "repeat: visit the start"],
    ["raise", 1, `bound ← ${next}`],
    ["visit", 0, "to visit a board:"],
    ["goal", 1, "if it is the goal: done"],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, "it undoes the last move: discard it"],
    ["cut", 2, "its f is beyond the bound: cut it off"],
    ["enqueue", 2, "otherwise: visit it"],
    ["backtrack", 1, "go back to its parent"],
  ];
}

/**
 * Return the pseudocode of an agent that plans, learns and walks.
 * @param {string} plan
 * @returns {Line[]}
 */
function realTime(plan) {
  return [
    ["start", 0, "stand at the start"],
    ["goal", 0, "while the present board is not the goal:"],
    ["dequeue", 1, plan],
    ["expand", 2, "for each of its children:"],
    ["duplicate", 3, "planned already: discard it"],
    ["enqueue", 3, "f ← g + the estimate learnt so far"],
    ["discard", 2, "a shorter path to it was found: discard it"],
    ["learn", 1, "raise the estimates of the expanded boards from those around them"],
    ["prune", 1, "walk to the board with the least f; drop the others"],
  ];
}

/**
 * Return the pseudocode of a walk with one present board.
 * @param {string} move
 * @param {string} drop
 * @returns {Line[]}
 */
function walking(move, drop) {
  return [
    ["start", 0, "stand at the start"],
    ["goal", 0, "while the present board is not the goal:"],
    ["expand", 1, "look at its children:"],
    ["enqueue", 2, move],
    ["prune", 2, drop],
    ["end", 0, "after too many tries: give up"],
  ];
}

/** @type {Record<string, Line[]>} */
const FURTHER_LINES = {
  mm: fromBothEnds("dequeue the board with the least max(g + h, 2 · g) of both sides"),
  nbs: fromBothEnds("dequeue the pair with the least max(f, f, g + g + 1), one board of each side"),
  arastar: bestFirst(
    "dequeue the board with the least f = g + w · h",
    [
      "improved",
      1,
      "no board of the frontier has less f than the best solution costs: the round ends",
    ],
    ["lower", 1, "lower w, and go on with the frontier and the boards that were put off"],
  ),
  widastar: deepening("w · h of the start", "the least f = g + w · h that was cut off"),
  focal: bestFirst("of the boards with f ≤ w · the least f: dequeue the one with the least h"),
  potential: bestFirst(
    "of the boards with f ≤ w · the least f: dequeue the one with the greatest (w · least f − g) / h",
  ),
  peastar: bestFirst(
    "dequeue the board with the least value F",
    ["cut", 2, "its f is above F: leave it out"],
    ["backtrack", 1, "if any was left out: F ← their least f, and back into the frontier"],
  ),
  bts: deepening("h of the start", "one that takes twice the work or more, at most 8 times"),
  lrtastar: realTime("expand the present board"),
  "lss-lrtastar": realTime("expand the boards around it by A*, as many as the lookahead allows"),
  "hill-climbing": walking(
    "go to the child with the least h, if that is less; otherwise make random moves",
    "drop the other children",
  ),
  annealing: walking(
    "go to a random child: always if h is not more, else the more rarely the colder it is",
    "otherwise drop it and stay",
  ),
};
