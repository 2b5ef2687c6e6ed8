// Searches: the text of a search, such as `astar(manhattan, weight=2)`, how it orders its frontier, and what the
// page says about those that have a loop of their own.

import { counted, value } from "../page/words.js";

/** @typedef {{name: string, heuristic: string | null, options: Record<string, string>}} SearchParts */
/** @typedef {{name: string, title: string}} Entry of the server's catalogue */

/**
 * Return `{name, heuristic, options}` of a text; the values of options are strings.
 * @param {string} text
 * @returns {SearchParts}
 */
export function readSearch(text) {
  const match = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/s.exec(text);
  if (!match) return { name: text.trim(), heuristic: null, options: {} };
  /** @type {SearchParts} */
  const search = { name: match[1], heuristic: null, options: {} };
  for (const part of splitOutsideBrackets(match[2] ?? "")) {
    const option = /^([\w-]+)\s*=\s*(.+)$/s.exec(part);
    if (!option) search.heuristic = part;
    else search.options[option[1].replaceAll("_", "-")] = option[2].trim();
  }
  return search;
}

/** Return the text of a search. @param {SearchParts} search */
export function writeSearch({ name, heuristic, options }) {
  const parts = heuristic ? [heuristic] : [];
  for (const [key, value] of Object.entries(options)) parts.push(`${key}=${value}`);
  return parts.length ? `${name}(${parts.join(", ")})` : name;
}

/**
 * Return the title of a search: `A* (Manhattan)`; `searches` is the catalogue.
 * @param {string} text
 * @param {{algorithms: Entry[], heuristics: Entry[]}} searches
 */
export function titleOf(text, searches) {
  const { name, heuristic, options } = readSearch(text);
  const words = heuristic ? [titleIn(searches.heuristics, heuristic)] : [];
  for (const [key, value] of Object.entries(options)) words.push(`${key} ${value}`);
  const title = titleIn(searches.algorithms, name);
  return words.length ? `${title} (${words.join(", ")})` : title;
}

/**
 * Return the sentence for a search of the address that is not in the catalogue.
 * @param {string} text
 */
export function unknownSearch(text) {
  return `The search “${text.slice(0, 60)}” of the address is not known here: choose another.`;
}

/** @param {Entry[]} list @param {string} name */
function titleIn(list, name) {
  return list.find((entry) => entry.name === name)?.title ?? name;
}

/** Return the parts of a text, split at commas outside brackets. @param {string} text */
function splitOutsideBrackets(text) {
  const parts = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if ("([".includes(text[at])) depth += 1;
    else if (")]".includes(text[at])) depth -= 1;
    if (at === text.length || (text[at] === "," && depth === 0)) {
      const part = text.slice(start, at).trim();
      if (part) parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}

// --- searches that have a loop of their own ----------------------------------------------------
//
// `why` says why a board is expanded, `numbers` what orders it.

/** @import { SearchNode } from "../trace/trace-steps.js" */
/**
 * @typedef {(node: SearchNode, options: Record<string, string>) => string} Numbers
 * @typedef {(node: SearchNode, model: {bound: number | null}) => string} Why
 * @typedef {{why: Why, numbers: Numbers, cut?: string, isPath?: boolean, isTwoSided?: boolean,
 *   putsBack?: boolean}} Further
 * @typedef {ReturnType<typeof orderOf>} Order
 */

/** @type {Numbers} */
const byH = ({ g, h }) => `h = ${h}; g = ${g} does not count.`;
/** @type {Numbers} */
const byF = ({ g, h, f }) => `f = g + h = ${g} + ${h} = ${value(f)}.`;
/** @type {Numbers} */
const byLearnt = ({ g, f }) => `f = ${value(f)}: g = ${g}, and ${value(f - g)} as learnt so far.`;
/** @type {Numbers} */
const byWeight = ({ g, h, f }, options) =>
  `f = g + w · h = ${g} + ${options.weight} · ${h} = ${value(f)}.`;
/** @type {Why} */
const withinBound = (node, model) =>
  `Go deeper: f = ${value(node.f)} is within this round's bound of ${value(model.bound)}.`;
/** @type {Why} */
const planning = (node) =>
  `Plan: expand the board with the least f = ${value(node.f)} around the present board, with what was learnt so far.`;

/** @param {SearchNode} node */
const away = ({ g, side }) =>
  g ? `, ${counted(g, "move")} from the ${side}` : `, the ${side} itself`;

/** @type {Record<string, Further>} */
export const FURTHER = {
  mm: {
    isTwoSided: true,
    why: (node) =>
      `Expand the board with the least priority of both sides${away(node)}: the greater of g + h = ${node.g + node.h} and 2 · g = ${2 * node.g}, so that no side goes beyond the middle.`,
    numbers: ({ g, h, f }) =>
      `priority = max(g + h, 2 · g) = max(${g + h}, ${2 * g}) = ${value(f)}.`,
  },
  nbs: {
    isTwoSided: true,
    why: (node) =>
      `Expand one board of the best pair${away(node)}: f = ${node.g} + ${node.h} = ${value(node.f)}. The pair could be joined by the shortest solution of all pairs.`,
    numbers: ({ g, h, f }) =>
      `f = g + h = ${g} + ${h} = ${value(f)}; a pair of boards counts the greater f, or g + g + 1.`,
  },
  arastar: {
    why: (node) =>
      `Expand the board with the least g + w · h = ${value(node.f)}: ${counted(node.g, "move")} made, ${node.h} estimated. The weight w falls from round to round.`,
    numbers: ({ g, h, f }) =>
      `Priority g + w · h = ${value(f)}, with g = ${g} and h = ${h}; w falls from round to round.`,
  },
  widastar: { isPath: true, why: withinBound, numbers: byWeight },
  focal: {
    why: (node) =>
      `Expand the board that looks nearest, h = ${node.h}, of those whose f is at most w times the least: f = ${node.g} + ${node.h} = ${value(node.f)}.`,
    numbers: byF,
  },
  potential: {
    why: (node) =>
      `Expand the board whose estimate of ${node.h} fits most often into what a solution may still cost after its ${counted(node.g, "move")}.`,
    numbers: byF,
  },
  peastar: {
    putsBack: true,
    cut: "its f is above the value of its parent: it is generated again later",
    why: (node) =>
      `Expand the board with the least value F = ${value(node.f)}: only children with f ≤ F are stored.`,
    numbers: ({ g, h, f }) => `F = ${value(f)}; g = ${g}, h = ${h}.`,
  },
  bts: { isPath: true, why: withinBound, numbers: byF },
  lrtastar: {
    why: (node) =>
      `The agent stands here, estimated ${counted(node.f - node.g, "move")} from the goal. It looks at the neighbours and moves to the best of them.`,
    numbers: byLearnt,
  },
  "lss-lrtastar": { why: planning, numbers: byLearnt },
  "hill-climbing": {
    why: (node) =>
      `The climber stands here, estimated ${counted(node.h, "move")} from the goal, and looks at the children.`,
    numbers: byH,
  },
  annealing: {
    why: (node) =>
      `The walker stands here, estimated ${counted(node.h, "move")} from the goal, and tries a random move.`,
    numbers: byH,
  },
};

// --- how a search orders its frontier --------------------------------------------------------

const DEPTH_FIRST = ["dfs", "ids", "idastar"];
/** The searches that break ties by the lowest estimate, unless an option says otherwise. */
const LOW_H_FIRST = ["astar", "wastar", "peastar"];

// Heuristics that never overestimate; of the user's own nothing is known here.
const ADMISSIBLE =
  /^(chebyshev|corner-tiles|euclidean|gaschnig|inversion-distance|last-moves|linear-conflict|manhattan|misplaced|patterns|walking-distance|zero)(\(|$)/;

/** @param {string} heuristic @returns {boolean} */
function isAdmissible(heuristic) {
  const maximum = /^max\((.*)\)$/s.exec(heuristic);
  return maximum
    ? splitOutsideBrackets(maximum[1]).every(isAdmissible)
    : ADMISSIBLE.test(heuristic);
}

/** Return how a search, given as text, orders its frontier. @param {string} algorithm */
export function orderOf(algorithm) {
  const name = algorithm.split(/[(:]/, 1)[0];
  return {
    name,
    isPath: DEPTH_FIRST.includes(name) || Boolean(FURTHER[name]?.isPath),
    byLevel: name === "beam",
    forgets: name === "rbfs",
    /** Whether a board may go back into the frontier after its expansion. */
    putsBack: Boolean(FURTHER[name]?.putsBack),
    /** Whether the next board is chosen by a rule that this order does not follow. */
    isFree: name === "bidirectional" || name in FURTHER,
    isTwoSided: name === "bidirectional" || Boolean(FURTHER[name]?.isTwoSided),
    sortsSiblings: algorithm.includes("scored_by="),
    /** Whether the text names a heuristic; a search of the user's own may have one inside. */
    hasHeuristic: readSearch(algorithm).heuristic !== null,
    isAdmissible: isAdmissible(readSearch(algorithm).heuristic ?? ""),
    isOwn: /\.py:/.test(algorithm),
    ties: /ties=([a-z-]+)/.exec(algorithm)?.[1] ?? (LOW_H_FIRST.includes(name) ? "low-h" : "fifo"),
  };
}
