// The boards that wait, in the order in which the search will take them, as far as they are kept.
//
// A search that remembers boards takes the lowest priority; a beam goes level by level; a
// depth-first search has no frontier but the path it is on, whose end is first.

/** Entries that are kept; what waits behind them is only counted. */
export const MOST_WAITING = 5000;

const DEPTH_FIRST = ["dfs", "ids", "idastar"];

// Estimates that never exceed the moves that are needed; of one's own nothing is known here.
const ADMISSIBLE = /^[a-z-]+\((gaschnig|inversion-distance|linear-conflict|manhattan|misplaced|patterns|walking-distance|zero)[,()]/;

/** Return how a search, given by its text, orders what waits. */
export function orderOf(algorithm) {
  const name = algorithm.split(/[(:]/, 1)[0];
  return {
    name,
    isPath: DEPTH_FIRST.includes(name),
    byLevel: name === "beam",
    forgets: name === "rbfs",
    sortsSiblings: algorithm.includes("scored_by="),
    isAdmissible: ADMISSIBLE.test(algorithm),
    ties: /ties=([a-z-]+)/.exec(algorithm)?.[1] ?? "fifo",
  };
}

export class Frontier {
  entries = [];
  byNumber = new Map();
  /** How many that wait are not kept. */
  lost = 0;
  /** The key of the first of them: what comes after it cannot be placed. */
  horizon = null;
  #arrived = 0;
  #most;

  constructor(order, most = MOST_WAITING) {
    this.order = order;
    this.#most = most;
  }

  /** Let a node wait; `place` is where the tree shows it, `turn` the expansion that made it. */
  add(journal, node, place, turn) {
    const entry = { node, place, key: this.#key(node, turn) };
    if (this.horizon && !isBelow(entry.key, this.horizon)) return this.#lose(journal, this.horizon);
    const at = this.order.isPath ? 0 : lowerBound(this.entries, entry.key);
    journal.insert(this.entries, at, entry);
    journal.put(this.byNumber, node.number, entry);
    if (this.entries.length <= this.#most) return undefined;
    const last = journal.remove(this.entries, this.entries.length - 1);
    journal.put(this.byNumber, last.node.number, undefined);
    // The far end of a path is its start, which nothing comes after.
    return this.#lose(journal, this.order.isPath ? null : last.key);
  }

  #lose(journal, horizon) {
    journal.set(this, "lost", this.lost + 1);
    journal.set(this, "horizon", horizon);
  }

  /** Take a node out; return its entry, undefined when it was not kept. */
  take(journal, number) {
    const entry = this.byNumber.get(number);
    if (entry === undefined) return this.#find(journal);
    journal.put(this.byNumber, number, undefined);
    const at = this.order.isPath ? this.entries.indexOf(entry) : lowerBound(this.entries, entry.key);
    journal.remove(this.entries, at);
    return entry;
  }

  /** Count off one that was not kept. */
  #find(journal) {
    if (!this.lost) return;
    journal.set(this, "lost", this.lost - 1);
    if (!this.lost) journal.set(this, "horizon", null);
  }

  /** Forget what was made from a node: a recursive search keeps one path and its siblings. */
  forget(journal, parent) {
    for (const { node } of this.entries.filter((each) => each.node.parent === parent)) {
      this.take(journal, node.number);
    }
  }

  #key(node, turn) {
    // Never the same twice, so that an entry is found by its key.
    this.#arrived += 1;
    const arrived = this.#arrived;
    const { byLevel, sortsSiblings, ties } = this.order;
    const among = ties === "lifo" ? [-arrived] : ties === "low-h" ? [node.h, arrived] : [arrived];
    const first = byLevel ? [node.g, node.f] : [node.f];
    return sortsSiblings ? [...first, turn, node.h, ...among] : [...first, ...among];
  }
}

/** Return where the first entry stands whose key is not below `key`. */
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

function isBelow(one, other) {
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] !== other[at]) return one[at] < other[at];
  }
  return false;
}
