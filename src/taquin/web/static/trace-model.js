// A search at a step: the board it is at, what waits, the tree, and how much was done.
//
// Steps are applied one after the other; each leaves a journal that takes it back.

import { Frontier, orderOf } from "./frontier.js";
import { Journal } from "./journal.js";
import { MOST_NODES, SearchTree } from "./search-tree.js";

export class TraceModel {
  /** The board of the step, and where it stands in the tree: `{at, beyond}`, null when unknown. */
  current = null;
  place = null;
  bound = null;
  round = 0;
  best = null;
  result = null;
  /** What waits, as the search itself counts it. */
  waiting = 0;
  expanded = 0;
  generated = 0;
  thrownAway = 0;
  cutOff = 0;
  pruned = 0;
  deepest = 0;
  twoSided = false;
  /** Whether the search judges boards by an estimate. */
  estimates = false;
  /** Whether the priority is depth + estimate for every board seen. */
  addsUp = true;
  tree = new SearchTree();
  /** Whether branches that were done with are no longer in the tree. */
  leftOut = false;

  constructor(header) {
    this.header = header;
    this.order = orderOf(header.algorithm ?? "");
    this.frontier = new Frontier(this.order);
  }

  /** Do a step; return the journal that takes it back. */
  apply(step) {
    const journal = new Journal();
    for (const event of step.events) this.#take(journal, event);
    return journal;
  }

  /** Return the indices of the drawn nodes from the current board up to its root. */
  path() {
    return this.place === null ? [] : this.tree.pathTo(this.place.at);
  }

  #take(journal, event) {
    const { node } = event;
    if (node) this.#judge(journal, node);
    switch (event.name) {
      case "started": return this.#start(journal, node);
      case "bound-raised":
        journal.set(this, "bound", event.bound);
        return journal.set(this, "round", event.round);
      case "expanded": return this.#expand(journal, event);
      case "generated": return this.#make(journal, node, event.fate);
      case "discarded": return this.#discard(journal, node);
      case "backtracked": return this.#leave(journal, node);
      case "improved": return journal.set(this, "best", event.cost);
      case "goal-found": return this.#solve(journal, node);
      default: return this.#finish(journal, event.result);
    }
  }

  #judge(journal, node) {
    if (node.h) journal.set(this, "estimates", true);
    if (node.f !== node.g + node.h) journal.set(this, "addsUp", false);
    if (node.side !== "start") journal.set(this, "twoSided", true);
  }

  #start(journal, node) {
    const at = this.tree.root(journal, node, node.side === "goal" ? "from the goal" : "");
    const place = { at, beyond: 0 };
    if (!this.order.isPath) this.frontier.add(journal, node, place, 0);
    journal.set(this, "waiting", this.waiting + 1);
    if (this.current === null) this.#stand(journal, node, place);
  }

  #expand(journal, { node, frontier }) {
    journal.set(this, "expanded", this.expanded + 1);
    journal.set(this, "deepest", Math.max(this.deepest, node.g));
    journal.set(this, "waiting", frontier);
    const waited = this.order.isPath ? undefined : this.frontier.take(journal, node.number);
    const place = this.#placeOf(journal, node, waited);
    if (this.order.isPath) this.frontier.add(journal, node, place, this.expanded);
    if (place !== null && place.beyond === 0) this.tree.expand(journal, place.at, this.expanded);
    this.#stand(journal, node, place);
  }

  /** Return where the tree shows a board that is taken: a root that is taken again is a new one. */
  #placeOf(journal, node, waited) {
    const known = this.tree.byNumber.get(node.number);
    if (known !== undefined && (node.parent !== null || !this.tree.nodes[known].turns.length)) {
      if (node.parent === null && this.round) {
        journal.set(this.tree.nodes[known], "caption", this.#roundName());
      }
      return { at: known, beyond: 0 };
    }
    if (known !== undefined && node.side === "start") return this.#newRound(journal, node);
    return waited?.place ?? this.#below(node.parent);
  }

  #roundName() {
    return this.order.isPath && this.round ? `round ${this.round}, bound ${this.bound}` : "";
  }

  #newRound(journal, node) {
    // The rounds before make room as soon as they are many.
    if (this.tree.nodes.length > MOST_NODES / 2) {
      journal.set(this, "tree", new SearchTree());
      journal.set(this, "leftOut", true);
    }
    return { at: this.tree.root(journal, node, this.#roundName()), beyond: 0 };
  }

  /** Let a full tree go on with the path alone: a depth-first search is done with all the rest. */
  #makeRoom(journal) {
    const path = this.order.isPath ? [...this.frontier.entries].reverse() : [];
    if (!path.length || path.length > MOST_NODES / 2 || this.frontier.lost) return;
    const [old, tree] = [this.tree, new SearchTree()];
    let at = -1;
    for (const entry of path) {
      const known = old.nodes[old.byNumber.get(entry.node.number)];
      at = at < 0 ? tree.root(journal, entry.node, this.#roundName()) : tree.make(journal, entry.node, at, "enqueued");
      for (const turn of known?.turns.slice(-1) ?? []) tree.expand(journal, at, turn);
      journal.set(entry, "place", { at, beyond: 0 });
    }
    journal.set(this, "tree", tree);
    journal.set(this, "place", this.#placeLeft(this.current));
    journal.set(this, "leftOut", true);
  }

  /** Return the place below the node of this number; null when nothing is known of it. */
  #below(number) {
    const at = this.tree.byNumber.get(number);
    if (at !== undefined) return { at, beyond: 1 };
    const above = this.frontier.byNumber.get(number)?.place
      ?? (this.current?.number === number ? this.place : null);
    return above && { at: above.at, beyond: above.beyond + 1 };
  }

  #make(journal, node, fate) {
    if (fate === "pruned") return this.#prune(journal, node);
    journal.set(this, "generated", this.generated + 1);
    if (this.tree.nodes.length >= MOST_NODES) this.#makeRoom(journal);
    const parent = this.tree.byNumber.get(node.parent);
    const at = parent === undefined ? -1 : this.tree.make(journal, node, parent, fate);
    const place = at >= 0 ? { at, beyond: 0 } : this.#below(node.parent);
    if (fate === "enqueued" || fate === "reopened") {
      journal.set(this, "waiting", this.waiting + 1);
      if (!this.order.isPath) this.frontier.add(journal, node, place, this.expanded);
    } else if (fate === "cut") journal.set(this, "cutOff", this.cutOff + 1);
    else journal.set(this, "thrownAway", this.thrownAway + 1);
  }

  #prune(journal, node) {
    journal.set(this, "pruned", this.pruned + 1);
    journal.set(this, "waiting", this.waiting - 1);
    this.frontier.take(journal, node.number);
    this.tree.mark(journal, this.tree.byNumber.get(node.number) ?? -1, "pruned");
  }

  #discard(journal, node) {
    journal.set(this, "thrownAway", this.thrownAway + 1);
    journal.set(this, "waiting", this.waiting - 1);
    const waited = this.frontier.take(journal, node.number);
    this.tree.mark(journal, this.tree.byNumber.get(node.number) ?? -1, "duplicate");
    if (this.order.isPath) return;
    const at = this.tree.byNumber.get(node.number);
    this.#stand(journal, node, at === undefined ? waited?.place ?? null : { at, beyond: 0 });
  }

  #leave(journal, node) {
    if (this.order.forgets) {
      const place = this.#placeLeft(node);
      this.frontier.forget(journal, node.number);
      if (node.parent !== null) this.frontier.add(journal, node, place, this.expanded);
    } else {
      this.frontier.take(journal, node.number);
    }
    journal.set(this, "waiting", this.frontier.entries.length + this.frontier.lost);
  }

  #placeLeft(node) {
    const at = this.tree.byNumber.get(node.number);
    return at === undefined ? this.#below(node.parent) : { at, beyond: 0 };
  }

  #solve(journal, node) {
    const waited = this.frontier.byNumber.get(node.number);
    const at = this.tree.byNumber.get(node.number);
    const place = at === undefined ? waited?.place ?? this.#below(node.parent) : { at, beyond: 0 };
    if (waited) {
      this.frontier.take(journal, node.number);
      journal.set(this, "waiting", this.waiting - 1);
    }
    this.#stand(journal, node, place);
    const ends = place === null ? [] : [place];
    for (const end of [...ends, ...this.#meetings(node)]) {
      if (end.beyond === 0) this.tree.mark(journal, end.at, "goal");
      this.tree.markPath(journal, end.at);
    }
  }

  /** Return where the other side of a bidirectional search holds the board where they meet. */
  #meetings(goal) {
    if (!this.twoSided) return [];
    const cells = goal.cells.join();
    return this.tree.nodes.flatMap(({ node, standing }, at) => (
      node.side !== goal.side && standing !== "duplicate" && node.cells.join() === cells
        ? [{ at, beyond: 0 }] : []
    ));
  }

  #finish(journal, result) {
    journal.set(this, "result", result);
    if (result.cost !== null) journal.set(this, "best", result.cost);
  }

  #stand(journal, node, place) {
    journal.set(this, "current", node);
    journal.set(this, "place", place);
  }
}
