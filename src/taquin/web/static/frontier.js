// The frontier: the boards that wait, in the order in which the search will dequeue them.
//
// Most searches dequeue the lowest priority; a beam goes level by level. A depth-first search has
// no frontier; here its frontier is the current path, the last board first.

import { FURTHER } from "./further-searches.js";
import { readSearch, splitOutsideBrackets } from "./search-text.js";

/** The most entries that are kept; further ones are only counted. */
export const MOST_WAITING = 5000;

const DEPTH_FIRST = ["dfs", "ids", "idastar"];
/** The searches that break ties by the lowest estimate, unless an option says otherwise. */
const LOW_H_FIRST = ["astar", "wastar", "peastar"];

// Heuristics that never overestimate; of the user's own nothing is known here.
const ADMISSIBLE = /^(chebyshev|corner-tiles|euclidean|gaschnig|inversion-distance|last-moves|linear-conflict|manhattan|misplaced|patterns|walking-distance|zero)(\(|$)/;

function isAdmissible(heuristic) {
  const maximum = /^max\((.*)\)$/s.exec(heuristic);
  return maximum ? splitOutsideBrackets(maximum[1]).every(isAdmissible) : ADMISSIBLE.test(heuristic);
}

/** Return how a search, given as text, orders its frontier. */
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
    isAdmissible: isAdmissible(readSearch(algorithm).heuristic),
    isOwn: /\.py:/.test(algorithm),
    ties: /ties=([a-z-]+)/.exec(algorithm)?.[1] ?? (LOW_H_FIRST.includes(name) ? "low-h" : "fifo"),
  };
}

export class Frontier {
  entries = [];
  byNumber = new Map();
  /** The number of waiting boards that are not kept. */
  lost = 0;
  /** The key of the first of them: entries after it cannot be placed. */
  horizon = null;
  #arrived = 0;
  #most;

  constructor(order, most = MOST_WAITING) {
    this.order = order;
    this.#most = most;
  }

  /** Enqueue a node; `place` is its place in the tree, `ordinal` that of the expansion that generated it. */
  add(journal, node, place, ordinal) {
    const entry = { node, place, key: this.#key(node, ordinal) };
    if (this.horizon && !isBelow(entry.key, this.horizon)) return this.#countLost(journal, this.horizon);
    const at = this.order.isPath ? 0 : lowerBound(this.entries, entry.key);
    journal.insert(this.entries, at, entry);
    journal.put(this.byNumber, node.number, entry);
    if (this.entries.length <= this.#most) return undefined;
    const last = journal.remove(this.entries, this.entries.length - 1);
    journal.put(this.byNumber, last.node.number, undefined);
    // The last entry of a path is its start; nothing comes after it.
    return this.#countLost(journal, this.order.isPath ? null : last.key);
  }

  #countLost(journal, horizon) {
    journal.set(this, "lost", this.lost + 1);
    journal.set(this, "horizon", horizon);
  }

  /** Remove a node; return its entry, undefined if it was not kept. */
  remove(journal, number) {
    const entry = this.byNumber.get(number);
    if (entry === undefined) return this.#removeLost(journal);
    journal.put(this.byNumber, number, undefined);
    const at = this.order.isPath ? this.entries.indexOf(entry) : lowerBound(this.entries, entry.key);
    journal.remove(this.entries, at);
    return entry;
  }

  /** Count one fewer of those that are not kept. */
  #removeLost(journal) {
    if (!this.lost) return;
    journal.set(this, "lost", this.lost - 1);
    if (!this.lost) journal.set(this, "horizon", null);
  }

  /** Remove the children of a node: a recursive search keeps one path and its siblings. */
  forget(journal, parent) {
    for (const { node } of this.entries.filter((entry) => entry.node.parent === parent)) {
      this.remove(journal, node.number);
    }
  }

  #key(node, ordinal) {
    // Keys are unique, so that an entry is found by its key.
    this.#arrived += 1;
    const arrived = this.#arrived;
    const { byLevel, sortsSiblings, ties } = this.order;
    const tieBreak = ties === "lifo" ? [-arrived] : ties === "low-h" ? [node.h, arrived] : [arrived];
    const priority = byLevel ? [node.g, node.f] : [node.f];
    return sortsSiblings ? [...priority, ordinal, node.h, ...tieBreak] : [...priority, ...tieBreak];
  }
}

/** Return the index of the first entry whose key is not below `key`. */
function lowerBound(entries, key) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(entries[middle].key, key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBelow(a, b) {
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return a[at] < b[at];
  }
  return false;
}
