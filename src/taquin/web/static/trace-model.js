// The state of a search at a step: the current board, the frontier, the tree, and the counters.
//
// Steps are applied in order; each leaves a journal that undoes it.

import { Frontier, orderOf } from "./frontier.js";
import { Journal } from "./journal.js";
import { MOST_NODES, SearchTree } from "./search-tree.js";

/** Return the board of a node as a text that compares. */
export function keyOf(node) {
  return node.cells.join();
}

export class TraceModel {
  /**
   * The current board, and its place in the tree: `{at, beyond}` is `beyond` levels below the node
   * with the index `at`; null if unknown.
   */
  current = null;
  place = null;
  /** The number of the step that was applied last. */
  step = -1;
  bound = null;
  round = 0;
  best = null;
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

  /** The boards that were expanded, as keys, each with how often; null unless they are kept. */
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

  /** Apply a step; return the journal that undoes it. */
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

  #apply(journal, event) {
    const { node } = event;
    if (node) this.#inspect(journal, node);
    switch (event.name) {
      case "started": return this.#start(journal, node);
      case "bound-raised":
        journal.set(this, "bound", event.bound);
        return journal.set(this, "round", event.round);
      case "expanded": return this.#expand(journal, event);
      case "generated": return this.#generate(journal, node, event.fate);
      case "discarded": return this.#discard(journal, node);
      case "backtracked": return this.#backtrack(journal, node);
      case "improved": return journal.set(this, "best", event.cost);
      case "goal-found": return this.#solve(journal, node);
      default: return this.#finish(journal, event.result);
    }
  }

  #inspect(journal, node) {
    if (node.h) journal.set(this, "estimates", true);
    if (node.f !== node.g + node.h) journal.set(this, "addsUp", false);
    if (node.side !== "start") journal.set(this, "twoSided", true);
  }

  #start(journal, node) {
    const at = this.tree.root(journal, node, node.side === "goal" ? "from the goal" : "");
    const place = { at, beyond: 0 };
    if (!this.order.isPath) this.frontier.add(journal, node, place, 0);
    journal.set(this, "waiting", this.waiting + 1);
    if (this.current === null) this.#moveTo(journal, node, place);
  }

  #expand(journal, { node, frontier }) {
    journal.set(this, "expanded", this.expanded + 1);
    if (this.boards) journal.put(this.boards, keyOf(node), (this.boards.get(keyOf(node)) ?? 0) + 1);
    journal.set(this, "deepest", Math.max(this.deepest, node.g));
    journal.set(this, "waiting", frontier);
    const entry = this.order.isPath ? undefined : this.frontier.remove(journal, node.number);
    const place = this.#placeExpanded(journal, node, entry);
    if (this.order.isPath) this.frontier.add(journal, node, place, this.expanded);
    if (place !== null && place.beyond === 0) this.tree.expand(journal, place.at, this.expanded, this.step);
    this.#moveTo(journal, node, place);
  }

  /** Return the place of an expanded board; a root that is expanded again begins a new round. */
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
    return this.order.isPath && this.round ? `round ${this.round}, bound ${this.bound}` : "";
  }

  #newRound(journal, node) {
    // Earlier rounds are dropped once they fill half of the tree.
    if (this.tree.nodes.length > MOST_NODES / 2) {
      journal.set(this, "tree", new SearchTree());
      journal.set(this, "isTrimmed", true);
    }
    return { at: this.tree.root(journal, node, this.#roundCaption()), beyond: 0 };
  }

  /** Reduce a full tree to the current path: a depth-first search has finished all the rest. */
  #trim(journal) {
    const path = this.order.isPath ? [...this.frontier.entries].reverse() : [];
    if (!path.length || path.length > MOST_NODES / 2 || this.frontier.lost) return;
    const [old, tree] = [this.tree, new SearchTree()];
    let at = -1;
    for (const entry of path) {
      const known = old.nodes[old.byNumber.get(entry.node.number)];
      at = at < 0 ? tree.root(journal, entry.node, this.#roundCaption()) : tree.add(journal, entry.node, at, "enqueued");
      for (const ordinal of known?.ordinals.slice(-1) ?? []) tree.expand(journal, at, ordinal, known.step);
      journal.set(entry, "place", { at, beyond: 0 });
    }
    journal.set(this, "tree", tree);
    journal.set(this, "place", this.#placeOf(this.current));
    journal.set(this, "isTrimmed", true);
  }

  /** Return the place below the node of this number; null if that is unknown. */
  #below(number) {
    const at = this.tree.byNumber.get(number);
    if (at !== undefined) return { at, beyond: 1 };
    const parentPlace = this.frontier.byNumber.get(number)?.place
      ?? (this.current?.number === number ? this.place : null);
    return parentPlace && { at: parentPlace.at, beyond: parentPlace.beyond + 1 };
  }

  #generate(journal, node, fate) {
    if (fate === "pruned") return this.#prune(journal, node);
    journal.set(this, "generated", this.generated + 1);
    if (this.tree.nodes.length >= MOST_NODES) this.#trim(journal);
    const parent = this.tree.byNumber.get(node.parent);
    const at = parent === undefined ? -1 : this.tree.add(journal, node, parent, fate);
    if (at >= 0 && this.tree.nodes[at].status !== "expanded") journal.set(this.tree.nodes[at], "step", this.step);
    const place = at >= 0 ? { at, beyond: 0 } : this.#below(node.parent);
    if (["enqueued", "reopened", "updated"].includes(fate)) {
      journal.set(this, "waiting", this.waiting + 1);
      if (!this.order.isPath) this.frontier.add(journal, node, place, this.expanded);
    } else if (fate === "cut" || fate === "limit") journal.set(this, "cutOff", this.cutOff + 1);
    else journal.set(this, "discarded", this.discarded + 1);
  }

  #prune(journal, node) {
    journal.set(this, "pruned", this.pruned + 1);
    journal.set(this, "waiting", this.waiting - 1);
    this.frontier.remove(journal, node.number);
    this.tree.mark(journal, this.tree.byNumber.get(node.number) ?? -1, "pruned");
  }

  #discard(journal, node) {
    journal.set(this, "discarded", this.discarded + 1);
    journal.set(this, "deepest", Math.max(this.deepest, node.g));
    journal.set(this, "waiting", this.waiting - 1);
    const entry = this.frontier.remove(journal, node.number);
    this.tree.mark(journal, this.tree.byNumber.get(node.number) ?? -1, "duplicate");
    if (this.order.isPath) return;
    const at = this.tree.byNumber.get(node.number);
    this.#moveTo(journal, node, at === undefined ? entry?.place ?? null : { at, beyond: 0 });
  }

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

  /** Return the place of a node; `entry` is its entry in the frontier, if it has one. */
  #placeOf(node, entry = undefined) {
    const at = this.tree.byNumber.get(node.number);
    return at === undefined ? entry?.place ?? this.#below(node.parent) : { at, beyond: 0 };
  }

  #solve(journal, node) {
    const entry = this.frontier.byNumber.get(node.number);
    const place = this.#placeOf(node, entry);
    if (entry) {
      this.frontier.remove(journal, node.number);
      journal.set(this, "waiting", this.waiting - 1);
    }
    this.#moveTo(journal, node, place);
    journal.set(this, "deepest", Math.max(this.deepest, node.g));
    for (const end of [place, ...this.#meetings(node)].filter(Boolean)) {
      if (end.beyond === 0) {
        this.tree.mark(journal, end.at, "goal");
        journal.set(this.tree.nodes[end.at], "step", this.step);
      }
      this.tree.markPath(journal, end.at);
    }
  }

  /** Return the places where the other side of a bidirectional search has this board. */
  #meetings(goal) {
    if (!this.twoSided) return [];
    const cells = goal.cells.join();
    return this.tree.nodes.flatMap(({ node, status }, at) => (
      node.side !== goal.side && status !== "duplicate" && node.cells.join() === cells
        ? [{ at, beyond: 0 }] : []
    ));
  }

  #finish(journal, result) {
    journal.set(this, "result", result);
    if (result.cost !== null) journal.set(this, "best", result.cost);
    // A function of the user's own reports no goal.
    journal.set(this, "deepest", Math.max(this.deepest, result.stats?.max_depth ?? 0));
  }

  #moveTo(journal, node, place) {
    journal.set(this, "current", node);
    journal.set(this, "place", place);
  }
}
