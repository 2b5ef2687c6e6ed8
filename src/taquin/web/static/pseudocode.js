// The searches as pseudocode, one for each family, and the lines that are at work in a step.
//
// A line is `[id, indent, text]`. The ids name what happens in a step, so that a step finds its lines.

import { FURTHER_LINES } from "./further-pseudocode.js";
import { readSearch } from "./search-text.js";

const KEYS = {
  bfs: "that has waited longest",
  ucs: "with the least g",
  greedy: "with the least h",
  "capped-beam": "with the least h",
  astar: "with the least f = g + h",
  wastar: "with the least f = g + w · h",
};

/** What a search does about a board that it has met before; null for nothing on generation. */
const DUPLICATES = {
  reached: "known already: discard it",
  generated: "known already: discard it",
  closed: "expanded already: discard it",
  parent: "it undoes the last move: discard it",
  dequeue: null,
  none: null,
};

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
    ["backtrack", 1, "while a board farther up has less F: forget the children, and remember their least F"],
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

const FAMILY_OF = {
  dfs: "depthFirst", ids: "deepening", idastar: "deepening", rbfs: "recursive", beam: "beam", bidirectional: "bidirectional",
};
/** Searches that only leave out the move back, unless an option says otherwise. */
const WITHOUT_UNDOING = ["ids", "idastar", "rbfs"];

/** Return the lines of a search, given as text: `{id, indent, text}`. */
export function pseudocode(algorithm) {
  const { name, options } = readSearch(algorithm);
  if (name in FURTHER_LINES) return asLines(FURTHER_LINES[name]);
  const duplicates = options.duplicates ?? (WITHOUT_UNDOING.includes(name) ? "parent" : "reached");
  const family = FAMILY_OF[name] ?? "bestFirst";
  const isPath = ["depthFirst", "deepening"].includes(family);
  const lines = FAMILIES[family]({
    key: KEYS[name] ?? "of the lowest priority",
    known: isPath && ["closed", "dequeue"].includes(duplicates) ? "visited before: discard it" : DUPLICATES[duplicates],
    stale: { reached: "if a shorter path to it was found: discard it", dequeue: "if it was expanded before: discard it" }[duplicates] ?? null,
    limit: options["max-depth"],
    measure: name === "ids" ? "depth" : "f = g + h",
    first: name === "ids" ? "0" : "h of the start",
    width: options.width ?? "best",
    stops: ["dfs", "ids"].includes(name) && options["limit-test"] !== "generation",
  });
  const inOrder = options["goal-test"] === "generation" ? withEarlyTest(lines) : lines;
  return asLines(inOrder.filter(([, , text]) => text));
}

function asLines(lines) {
  return lines.map(([id, indent, text]) => ({ id, indent, text }));
}

/** Return the lines of a search that tests children when they are generated. */
function withEarlyTest(lines) {
  const goal = lines.find(([id]) => id === "goal");
  const rest = lines.filter((line) => line !== goal);
  const at = rest.findIndex(([id]) => id === "enqueue");
  return [...rest.slice(0, at), ["goal", rest[at][1], goal[2]], ...rest.slice(at)];
}

/** Return the ids of the lines that are at work in a step, the most important one first. */
export function linesAt(step) {
  const [first] = step.events;
  switch (step.kind) {
    case "round": return first.round === 1 ? ["round", "start"] : ["raise", "round"];
    case "discard": return ["discard", "dequeue"];
    case "goal": return ["goal", "dequeue"];
    case "expand": return ["expand", "dequeue", "visit", ...new Set(step.events.slice(1).map(lineOf))];
    default: return [step.kind];
  }
}

/** Return the line of an event. */
function lineOf({ name, fate }) {
  if (name === "generated") {
    return { enqueued: "enqueue", reopened: "enqueue", updated: "enqueue", duplicate: "duplicate", parent: "duplicate", cut: "cut", limit: "cut", pruned: "prune" }[fate];
  }
  return { discarded: "duplicate", backtracked: "backtrack", "goal-found": "goal" }[name] ?? name;
}
