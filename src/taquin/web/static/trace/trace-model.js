// The state of a search at a step: the current board, the frontier, the tree, and the counters.
//
// Steps are applied in order; each leaves a journal that undoes it.

import { text } from "../page/messages.js";
import { orderOf } from "../search/searches.js";

/** @import { Result, SearchNode, Step, TraceEvent } from "./trace-steps.js" */
/** @import { Order } from "../search/searches.js" */
/**
 * @typedef {{at: number, beyond: number}} Place `beyond` levels below the node of the tree with the
 *   index `at`
 * @typedef {{node: SearchNode, place: Place | null, key: number[]}} Entry
 * @typedef {{node: SearchNode, parent: number, level: number, status: string, ordinals: number[],
 *   step: number, onPath: boolean, caption: string}} Drawn
 */

/** Return the board of a node as a text that compares. @param {SearchNode} node */
export function keyOf(node) {
  return node.cells.join();
}

export class TraceModel {
  /** The current board. @type {SearchNode | null} */
  current = null;
  /** Its place in the tree; null if unknown. @type {Place | null} */
  place = null;
  /** The number of the step that was applied last. */
  step = -1;
  /** @type {number | null} */
  bound = null;
  round = 0;
  /** @type {number | null} */
  best = null;
  /** @type {Result | null} */
  result = null;
  /** The size of the frontier, as the search counts it. */
  waiting = 0;
  expanded = 0;
  generated = 0;
  discarded = 0;
  cutOff = 0;
  pruned = 0;
  /** The depth of the deepest board expanded, discarded or found to be the goal, as `max_depth` of the result. */
  deepest = 0;
  twoSided = false;
  /** Whether the search has a heuristic. */
  estimates = false;
  /** Whether f = g + h for every board so far. */
  addsUp = true;
  tree = new SearchTree();
  /** Whether finished branches have been removed from the tree. */
  isTrimmed = false;

  /**
   * The boards that were expanded, as keys, each with how often; null unless they are kept.
   * @type {Map<string, number> | null}
   */
  boards = null;

  /**
   * @param {any} header
   * @param {{keepsBoards?: boolean}} options
   */
  constructor(header, { keepsBoards = false } = {}) {
    if (keepsBoards) this.boards = new Map();
    this.header = header;
    this.order = orderOf(header.algorithm ?? "");
    this.frontier = new Frontier(this.order);
  }

  /** Apply a step; return the journal that undoes it. @param {Step} step */
  apply(step) {
    const journal = new Journal();
    journal.set(this, "step", this.step + 1);
    for (const event of step.events) this.#apply(journal, event);
    return journal;
  }

  /** Return the indices of the drawn nodes from the current board up to its root. */
  path() {
    return this.place === null ? [] : this.tree.pathTo(this.place.at);
  }

  /** @param {Journal} journal @param {TraceEvent} event */
  #apply(journal, event) {
    if (event.node) this.#inspect(journal, event.node);
    // Rounds, better solutions and the end have no node, and do not need one.
    const node = /** @type {SearchNode} */ (event.node);
    switch (event.name) {
      case "started":
        return this.#start(journal, node);
      case "bound-raised":
        journal.set(this, "bound", event.bound);
        return journal.set(this, "round", event.round);
      case "expanded":
        return this.#expand(journal, node, event.frontier);
      case "generated":
        return this.#generate(journal, node, event.fate);
      case "discarded":
        return this.#discard(journal, node);
      case "backtracked":
        return this.#backtrack(journal, node);
      case "improved":
        return journal.set(this, "best", event.cost);
      case "goal-found":
        return this.#solve(journal, node);
      default:
        return this.#finish(journal, event.result);
    }
  }

  /** @param {Journal} journal @param {SearchNode} node */
  #inspect(journal, node) {
    if (node.h) journal.set(this, "estimates", true);
    if (node.f !== node.g + node.h) journal.set(this, "addsUp", false);
    if (node.side !== "start") journal.set(this, "twoSided", true);
  }

  /** @param {Journal} journal @param {SearchNode} node */
  #start(journal, node) {
    const at = this.tree.root(journal, node, node.side === "goal" ? text("watch.from-goal") : "");
    const place = { at, beyond: 0 };
    if (!this.order.isPath) this.frontier.add(journal, node, place, 0);
    journal.set(this, "waiting", this.waiting + 1);
    if (this.current === null) this.#moveTo(journal, node, place);
  }

  /** @param {Journal} journal @param {SearchNode} node @param {number} frontier */
  #expand(journal, node, frontier) {
    journal.set(this, "expanded", this.expanded + 1);
    if (this.boards) journal.put(this.boards, keyOf(node), (this.boards.get(keyOf(node)) ?? 0) + 1);
    journal.set(this, "deepest", Math.max(this.deepest, node.g));
    journal.set(this, "waiting", frontier);
    const entry = this.order.isPath ? undefined : this.frontier.remove(journal, node.number);
    const place = this.#placeExpanded(journal, node, entry);
    if (this.order.isPath) this.frontier.add(journal, node, place, this.expanded);
    if (place !== null && place.beyond === 0)
      this.tree.expand(journal, place.at, this.expanded, this.step);
    this.#moveTo(journal, node, place);
  }

  /**
   * Return the place of an expanded board; a root that is expanded again begins a new round.
   * @param {Journal} journal
   * @param {SearchNode} node
   * @param {Entry | undefined} entry
   * @returns {Place | null}
   */
  #placeExpanded(journal, node, entry) {
    const known = this.tree.byNumber.get(node.number);
    if (known !== undefined && (node.parent !== null || !this.tree.nodes[known].ordinals.length)) {
      if (node.parent === null && this.round) {
        journal.set(this.tree.nodes[known], "caption", this.#roundCaption());
      }
      return { at: known, beyond: 0 };
    }
    if (known !== undefined && node.side === "start") return this.#newRound(journal, node);
    return entry?.place ?? this.#below(node.parent);
  }

  #roundCaption() {
    const { round, bound } = this;
    return this.order.isPath && round ? text("watch.round", { round, bound: Number(bound) }) : "";
  }

  /** @param {Journal} journal @param {SearchNode} node */
  #newRound(journal, node) {
    // Earlier rounds are dropped once they fill half of the tree.
    if (this.tree.nodes.length > MOST_NODES / 2) {
      journal.set(this, "tree", new SearchTree());
      journal.set(this, "isTrimmed", true);
    }
    return { at: this.tree.root(journal, node, this.#roundCaption()), beyond: 0 };
  }

  /**
   * Reduce a full tree to the current path: a depth-first search has finished all the rest.
   * @param {Journal} journal
   */
  #trim(journal) {
    const path = this.order.isPath ? [...this.frontier.entries].reverse() : [];
    if (!path.length || path.length > MOST_NODES / 2 || this.frontier.lost) return;
    const [old, tree] = [this.tree, new SearchTree()];
    let at = -1;
    for (const entry of path) {
      const known = old.nodes[old.byNumber.get(entry.node.number) ?? -1];
      at =
        at < 0
          ? tree.root(journal, entry.node, this.#roundCaption())
          : tree.add(journal, entry.node, at, "enqueued");
      for (const ordinal of known?.ordinals.slice(-1) ?? [])
        tree.expand(journal, at, ordinal, known.step);
      journal.set(entry, "place", { at, beyond: 0 });
    }
    journal.set(this, "tree", tree);
    journal.set(this, "place", this.current && this.#placeOf(this.current));
    journal.set(this, "isTrimmed", true);
  }

  /**
   * Return the place below the node of this number; null if that is unknown.
   * @param {number | null} number
   * @returns {Place | null}
   */
  #below(number) {
    if (number === null) return null;
    const at = this.tree.byNumber.get(number);
    if (at !== undefined) return { at, beyond: 1 };
    const parentPlace =
      this.frontier.byNumber.get(number)?.place ??
      (this.current?.number === number ? this.place : null);
    return parentPlace && { at: parentPlace.at, beyond: parentPlace.beyond + 1 };
  }

  /** @param {Journal} journal @param {SearchNode} node @param {string} fate */
  #generate(journal, node, fate) {
    if (fate === "pruned") return this.#prune(journal, node);
    journal.set(this, "generated", this.generated + 1);
    if (this.tree.nodes.length >= MOST_NODES) this.#trim(journal);
    const parent = this.tree.byNumber.get(node.parent ?? -1);
    const at = parent === undefined ? -1 : this.tree.add(journal, node, parent, fate);
    if (at >= 0 && this.tree.nodes[at].status !== "expanded")
      journal.set(this.tree.nodes[at], "step", this.step);
    const place = at >= 0 ? { at, beyond: 0 } : this.#below(node.parent);
    if (["enqueued", "reopened", "updated"].includes(fate)) {
      journal.set(this, "waiting", this.waiting + 1);
      if (!this.order.isPath) this.frontier.add(journal, node, place, this.expanded);
    } else if (fate === "cut" || fate === "limit") journal.set(this, "cutOff", this.cutOff + 1);
    else journal.set(this, "discarded", this.discarded + 1);
  }

  /** @param {Journal} journal @param {SearchNode} node */
  #prune(journal, node) {
    journal.set(this, "pruned", this.pruned + 1);
    journal.set(this, "waiting", this.waiting - 1);
    this.frontier.remove(journal, node.number);
    this.tree.mark(journal, this.tree.byNumber.get(node.number) ?? -1, "pruned");
  }

  /** @param {Journal} journal @param {SearchNode} node */
  #discard(journal, node) {
    journal.set(this, "discarded", this.discarded + 1);
    journal.set(this, "deepest", Math.max(this.deepest, node.g));
    journal.set(this, "waiting", this.waiting - 1);
    const entry = this.frontier.remove(journal, node.number);
    this.tree.mark(journal, this.tree.byNumber.get(node.number) ?? -1, "duplicate");
    if (this.order.isPath) return;
    const at = this.tree.byNumber.get(node.number);
    this.#moveTo(journal, node, at === undefined ? (entry?.place ?? null) : { at, beyond: 0 });
  }

  /** @param {Journal} journal @param {SearchNode} node */
  #backtrack(journal, node) {
    if (this.order.putsBack) {
      this.frontier.add(journal, node, this.#placeOf(node), this.expanded);
    } else if (this.order.forgets) {
      const place = this.#placeOf(node);
      this.frontier.forget(journal, node.number);
      if (node.parent !== null) this.frontier.add(journal, node, place, this.expanded);
    } else {
      this.frontier.remove(journal, node.number);
    }
    journal.set(this, "waiting", this.frontier.entries.length + this.frontier.lost);
  }

  /**
   * Return the place of a node; `entry` is its entry in the frontier, if it has one.
   * @param {SearchNode} node
   * @param {Entry} [entry]
   * @returns {Place | null}
   */
  #placeOf(node, entry = undefined) {
    const at = this.tree.byNumber.get(node.number);
    return at === undefined ? (entry?.place ?? this.#below(node.parent)) : { at, beyond: 0 };
  }

  /** @param {Journal} journal @param {SearchNode} node */
  #solve(journal, node) {
    const entry = this.frontier.byNumber.get(node.number);
    const place = this.#placeOf(node, entry);
    if (entry) {
      this.frontier.remove(journal, node.number);
      journal.set(this, "waiting", this.waiting - 1);
    }
    this.#moveTo(journal, node, place);
    journal.set(this, "deepest", Math.max(this.deepest, node.g));
    for (const end of [place, ...this.#meetings(node)].filter((end) => end !== null)) {
      if (end.beyond === 0) {
        this.tree.mark(journal, end.at, "goal");
        journal.set(this.tree.nodes[end.at], "step", this.step);
      }
      this.tree.markPath(journal, end.at);
    }
  }

  /**
   * Return the places where the other side of a bidirectional search has this board.
   * @param {SearchNode} goal
   * @returns {Place[]}
   */
  #meetings(goal) {
    if (!this.twoSided) return [];
    const cells = goal.cells.join();
    return this.tree.nodes.flatMap(({ node, status }, at) =>
      node.side !== goal.side && status !== "duplicate" && node.cells.join() === cells
        ? [{ at, beyond: 0 }]
        : [],
    );
  }

  /** @param {Journal} journal @param {Result} result */
  #finish(journal, result) {
    journal.set(this, "result", result);
    if (result.cost !== null) journal.set(this, "best", result.cost);
    // A function of the user's own reports no goal.
    journal.set(this, "deepest", Math.max(this.deepest, result.stats?.max_depth ?? 0));
  }

  /** @param {Journal} journal @param {SearchNode} node @param {Place | null} place */
  #moveTo(journal, node, place) {
    journal.set(this, "current", node);
    journal.set(this, "place", place);
  }
}

// --- the frontier ------------------------------------------------------------------------------
//
// The boards that wait, in the order in which the search will dequeue them.
//
// Most searches dequeue the lowest priority; a beam goes level by level. A depth-first search has
// no frontier; here its frontier is the current path, the last board first.

/** The most entries that are kept; further ones are only counted. */
export const MOST_WAITING = 5000;

export class Frontier {
  /** @type {Entry[]} */
  entries = [];
  /** @type {Map<number, Entry>} */
  byNumber = new Map();
  /** The number of waiting boards that are not kept. */
  lost = 0;
  /** The key of the first of them: entries after it cannot be placed. @type {number[] | null} */
  horizon = null;
  #arrived = 0;
  #most;

  /** @param {Order} order */
  constructor(order, most = MOST_WAITING) {
    this.order = order;
    this.#most = most;
  }

  /**
   * Enqueue a node; `place` is its place in the tree, `ordinal` that of the expansion that generated it.
   * @param {Journal} journal
   * @param {SearchNode} node
   * @param {Place | null} place
   * @param {number} ordinal
   */
  add(journal, node, place, ordinal) {
    const entry = { node, place, key: this.#key(node, ordinal) };
    if (this.horizon && !isBelow(entry.key, this.horizon))
      return this.#countLost(journal, this.horizon);
    const at = this.order.isPath ? 0 : lowerBound(this.entries, entry.key);
    journal.insert(this.entries, at, entry);
    journal.put(this.byNumber, node.number, entry);
    if (this.entries.length <= this.#most) return undefined;
    const last = journal.remove(this.entries, this.entries.length - 1);
    journal.put(this.byNumber, last.node.number, undefined);
    // The last entry of a path is its start; nothing comes after it.
    return this.#countLost(journal, this.order.isPath ? null : last.key);
  }

  /** @param {Journal} journal @param {number[] | null} horizon */
  #countLost(journal, horizon) {
    journal.set(this, "lost", this.lost + 1);
    journal.set(this, "horizon", horizon);
  }

  /**
   * Remove a node; return its entry, undefined if it was not kept.
   * @param {Journal} journal
   * @param {number} number
   */
  remove(journal, number) {
    const entry = this.byNumber.get(number);
    if (entry === undefined) {
      this.#removeLost(journal);
      return undefined;
    }
    journal.put(this.byNumber, number, undefined);
    const at = this.order.isPath
      ? this.entries.indexOf(entry)
      : lowerBound(this.entries, entry.key);
    journal.remove(this.entries, at);
    return entry;
  }

  /** Count one fewer of those that are not kept. @param {Journal} journal */
  #removeLost(journal) {
    if (!this.lost) return;
    journal.set(this, "lost", this.lost - 1);
    if (!this.lost) journal.set(this, "horizon", null);
  }

  /**
   * Remove the children of a node: a recursive search keeps one path and its siblings.
   * @param {Journal} journal
   * @param {number} parent
   */
  forget(journal, parent) {
    for (const { node } of this.entries.filter((entry) => entry.node.parent === parent)) {
      this.remove(journal, node.number);
    }
  }

  /** @param {SearchNode} node @param {number} ordinal */
  #key(node, ordinal) {
    // Keys are unique, so that an entry is found by its key.
    this.#arrived += 1;
    const arrived = this.#arrived;
    const { byLevel, sortsSiblings, ties } = this.order;
    const tieBreak =
      ties === "lifo" ? [-arrived] : ties === "low-h" ? [node.h, arrived] : [arrived];
    const priority = byLevel ? [node.g, node.f] : [node.f];
    return sortsSiblings ? [...priority, ordinal, node.h, ...tieBreak] : [...priority, ...tieBreak];
  }
}

/**
 * Return the index of the first entry whose key is not below `key`.
 * @param {Entry[]} entries
 * @param {number[]} key
 */
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

/** @param {number[]} a @param {number[]} b */
function isBelow(a, b) {
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return a[at] < b[at];
  }
  return false;
}

// --- the tree ----------------------------------------------------------------------------------
//
// The growing search tree that the picture draws.
//
// Each round of a deepening search is a tree of its own, and so is each side of a bidirectional one.
// A board that is forgotten and generated again is one node with several ordinals, one for each
// expansion; its `step` is the one that expanded it last, or else generated it. When the tree is full,
// an expanded board beyond it is drawn as a guest below the nearest node of the tree.

/** The most nodes that are drawn. */
export const MOST_NODES = 2000;

/** The status of a node by the fate of its board. @type {Record<string, string>} */
export const STATUS = {
  enqueued: "waiting",
  reopened: "waiting",
  updated: "waiting",
  duplicate: "duplicate",
  parent: "duplicate",
  cut: "cut",
  limit: "cut",
  pruned: "pruned",
};

export class SearchTree {
  /** @type {Drawn[]} */
  nodes = [];
  /** Node number → index; in later rounds, of its latest copy. @type {Map<number, number>} */
  byNumber = new Map();
  /** @type {Map<string, number>} */
  #children = new Map();

  /**
   * Add a node below `parent` (-1 for a root), unless it exists or the tree is full; return its index.
   * @param {Journal} journal
   * @param {SearchNode} node
   * @param {number} parent
   * @param {string} fate
   */
  add(journal, node, parent, fate) {
    const known = this.byNumber.get(node.number);
    if (known !== undefined) {
      journal.set(this.nodes[known], "status", STATUS[fate]);
      return known;
    }
    const key = `${parent}|${node.cells.join()}`;
    const twin = parent < 0 ? undefined : this.#children.get(key);
    if (twin !== undefined) {
      journal.put(this.byNumber, node.number, twin);
      return twin;
    }
    if (this.nodes.length >= MOST_NODES) return -1;
    return this.#append(journal, node, parent, STATUS[fate], key);
  }

  /** @param {Journal} journal @param {SearchNode} node @param {string} [caption] */
  root(journal, node, caption = "") {
    if (this.nodes.length >= MOST_NODES) return -1;
    const at = this.#append(journal, node, -1, "waiting", `-1|${node.cells.join()}`);
    this.nodes[at].caption = caption;
    return at;
  }

  /**
   * Mark a node as expanded; `ordinal` is the number of the expansion, `step` that of its step.
   * @param {Journal} journal
   * @param {number} at
   * @param {number} ordinal
   * @param {number} step
   */
  expand(journal, at, ordinal, step) {
    journal.set(this.nodes[at], "status", "expanded");
    journal.set(this.nodes[at], "step", step);
    journal.set(this.nodes[at], "ordinals", [...this.nodes[at].ordinals, ordinal]);
  }

  /**
   * Set the status of a node.
   * @param {Journal} journal
   * @param {number} at
   * @param {string} status
   */
  mark(journal, at, status) {
    if (at >= 0) journal.set(this.nodes[at], "status", status);
  }

  /**
   * Mark the path from a node up to its root as the solution.
   * @param {Journal} journal
   * @param {number} at
   */
  markPath(journal, at) {
    for (const index of this.pathTo(at)) journal.set(this.nodes[index], "onPath", true);
  }

  /** Return the indices from a node up to its root. @param {number} at */
  pathTo(at) {
    const path = [];
    for (let index = at; index >= 0; index = this.nodes[index].parent) path.push(index);
    return path;
  }

  /**
   * @param {Journal} journal
   * @param {SearchNode} node
   * @param {number} parent
   * @param {string} status
   * @param {string} key
   */
  #append(journal, node, parent, status, key) {
    const at = this.nodes.length;
    const level = parent < 0 ? 0 : this.nodes[parent].level + 1;
    const drawn = {
      node,
      parent,
      level,
      status,
      ordinals: [],
      step: 0,
      onPath: false,
      caption: "",
    };
    journal.insert(this.nodes, at, drawn);
    journal.put(this.byNumber, node.number, at);
    journal.put(this.#children, key, at);
    return at;
  }
}

// --- the journal -------------------------------------------------------------------------------
//
// The changes of a step, so that it can be undone: a film is played both ways.

export class Journal {
  /** @type {(() => void)[]} */
  #undo = [];

  /** Set a field. @template T @param {T} object @param {keyof T} key @param {any} value */
  set(object, key, value) {
    const before = object[key];
    if (before === value) return;
    object[key] = value;
    this.#undo.push(() => {
      object[key] = before;
    });
  }

  /**
   * Set a key of a map; undefined deletes it.
   * @template K, V @param {Map<K, V>} map @param {K} key @param {V | undefined} value
   */
  put(map, key, value) {
    const had = map.has(key);
    const before = map.get(key);
    if (value === undefined) map.delete(key);
    else map.set(key, value);
    this.#undo.push(() => {
      if (had) map.set(key, /** @type {V} */ (before));
      else map.delete(key);
    });
  }

  /** @template T @param {T[]} array @param {number} at @param {T} item */
  insert(array, at, item) {
    array.splice(at, 0, item);
    this.#undo.push(() => {
      array.splice(at, 1);
    });
  }

  /** @template T @param {T[]} array @param {number} at */
  remove(array, at) {
    const [item] = array.splice(at, 1);
    this.#undo.push(() => {
      array.splice(at, 0, item);
    });
    return item;
  }

  /** Undo everything, the last change first. */
  undo() {
    while (this.#undo.length) this.#undo.pop()?.();
  }
}
