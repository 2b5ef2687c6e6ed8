// Searches: the text of one, such as `astar(manhattan, weight=2)`, its title, and how it orders its frontier.

import { hasText, text } from "../page/messages.js";

/** @typedef {{name: string, heuristic: string | null, options: Record<string, string>}} SearchParts */
/** @typedef {{name: string, title: string, optimal?: boolean}} Entry of the server's catalogue */
/** @typedef {ReturnType<typeof orderOf>} Order */

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

/** What is known of searches while nobody has said more. */
export const NO_SEARCHES = { algorithms: [], heuristics: [] };

/**
 * Return the title of a search: `A* (Manhattan)`. `searches` is the catalogue, for what has no message.
 * @param {string} search
 * @param {{algorithms: Entry[], heuristics: Entry[]}} searches
 */
export function titleOf(search, searches = NO_SEARCHES) {
  const { name, heuristic, options } = readSearch(search);
  const words = heuristic ? [heuristicTitle(heuristic, searches)] : [];
  for (const [key, value] of Object.entries(options)) words.push(`${optionTitle(key)} ${value}`);
  const title = algorithmTitle(name, searches);
  return words.length ? `${title} (${words.join(", ")})` : title;
}

/** @param {string} name @param {{algorithms: Entry[]}} searches */
export function algorithmTitle(name, searches) {
  return titleFrom(`algorithms.${name}`, name, searches.algorithms);
}

/** @param {string} name @param {{heuristics: Entry[]}} searches */
export function heuristicTitle(name, searches) {
  return titleFrom(`heuristics.${name}`, name, searches.heuristics);
}

/** @param {string} name */
export function optionTitle(name) {
  return titleFrom(`search.option-${name}`, name, []);
}

/** @param {string} message @param {string} name @param {Entry[]} entries */
function titleFrom(message, name, entries) {
  if (hasText(message)) return text(message);
  return entries.find((entry) => entry.name === name)?.title ?? name;
}

/**
 * Return the sentence for a search of the address that is not in the catalogue.
 * @param {string} search
 */
export function unknownSearch(search) {
  return text("search.unknown", { search: search.slice(0, 60) });
}

/** The algorithms by what they are for. */
const GROUPS = {
  optimal: ["bfs", "ucs", "astar", "bidirectional", "mm", "nbs", "peastar"],
  fast: ["greedy", "wastar", "focal", "potential", "beam", "capped-beam", "arastar"],
  memory: ["dfs", "ids", "idastar", "rbfs", "widastar", "bts"],
  local: ["hill-climbing", "annealing", "lrtastar", "lss-lrtastar"],
};

/**
 * Return algorithms as `[title, entries]` by what they are for; `isOwn` tells those of the user's own code.
 * @template {Entry} E
 * @param {E[]} algorithms
 * @param {(entry: E) => boolean} isOwn
 * @returns {[string, E[]][]}
 */
export function groupsOf(algorithms, isOwn) {
  const known = Object.entries(GROUPS);
  const groupOf = (/** @type {E} */ entry) => {
    if (isOwn(entry)) return "yours";
    const group = known.find(([, names]) => names.includes(entry.name))?.[0];
    return group ?? (entry.optimal ? "optimal" : "fast");
  };
  return [...known.map(([name]) => name), "yours"].map((group) => [
    text(`search.group-${group}`),
    algorithms.filter((entry) => groupOf(entry) === group),
  ]);
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

// --- how a search orders its frontier --------------------------------------------------------

const DEPTH_FIRST = ["dfs", "ids", "idastar", "widastar", "bts"];
const TWO_SIDED = ["bidirectional", "mm", "nbs"];
/** The searches whose loop chooses the next board by a rule of its own. */
const OWN_RULE = [
  "bidirectional",
  "mm",
  "nbs",
  "arastar",
  "widastar",
  "focal",
  "potential",
  "peastar",
  "bts",
  "lrtastar",
  "lss-lrtastar",
  "hill-climbing",
  "annealing",
];
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
    isPath: DEPTH_FIRST.includes(name),
    byLevel: name === "beam",
    forgets: name === "rbfs",
    /** Whether a board may go back into the frontier after its expansion. */
    putsBack: name === "peastar",
    /** Whether the next board is chosen by a rule that this order does not follow. */
    isFree: OWN_RULE.includes(name),
    isTwoSided: TWO_SIDED.includes(name),
    sortsSiblings: algorithm.includes("scored_by="),
    /** Whether the text names a heuristic; a search of the user's own may have one inside. */
    hasHeuristic: readSearch(algorithm).heuristic !== null,
    isAdmissible: isAdmissible(readSearch(algorithm).heuristic ?? ""),
    isOwn: /\.py:/.test(algorithm),
    ties: /ties=([a-z-]+)/.exec(algorithm)?.[1] ?? (LOW_H_FIRST.includes(name) ? "low-h" : "fifo"),
  };
}
