// The growing search tree that the picture draws.
//
// Each round of a deepening search is a tree of its own, and so is each side of a bidirectional one.
// A board that is forgotten and generated again is one node with several ordinals, one for each
// expansion; its `step` is the one that expanded it last, or else generated it. When the tree is full,
// an expanded board beyond it is drawn as a guest below the nearest node of the tree.

/** The most nodes that are drawn. */
export const MOST_NODES = 2000;

/** The status of a node by the fate of its board. */
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
  nodes = [];
  /** Node number → index; in later rounds, of its latest copy. */
  byNumber = new Map();
  #children = new Map();

  /** Add a node below `parent` (-1 for a root), unless it exists or the tree is full; return its index. */
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

  root(journal, node, caption = "") {
    if (this.nodes.length >= MOST_NODES) return -1;
    const at = this.#append(journal, node, -1, "waiting", `-1|${node.cells.join()}`);
    this.nodes[at].caption = caption;
    return at;
  }

  /** Mark a node as expanded; `ordinal` is the number of the expansion, `step` that of its step. */
  expand(journal, at, ordinal, step) {
    journal.set(this.nodes[at], "status", "expanded");
    journal.set(this.nodes[at], "step", step);
    journal.set(this.nodes[at], "ordinals", [...this.nodes[at].ordinals, ordinal]);
  }

  /** Set the status of a node. */
  mark(journal, at, status) {
    if (at >= 0) journal.set(this.nodes[at], "status", status);
  }

  /** Mark the path from a node up to its root as the solution. */
  markPath(journal, at) {
    for (const index of this.pathTo(at)) journal.set(this.nodes[index], "onPath", true);
  }

  /** Return the indices from a node up to its root. */
  pathTo(at) {
    const path = [];
    for (let index = at; index >= 0; index = this.nodes[index].parent) path.push(index);
    return path;
  }

  #append(journal, node, parent, status, key) {
    const at = this.nodes.length;
    const level = parent < 0 ? 0 : this.nodes[parent].level + 1;
    const drawn = { node, parent, level, status, ordinals: [], step: 0, onPath: false, caption: "" };
    journal.insert(this.nodes, at, drawn);
    journal.put(this.byNumber, node.number, at);
    journal.put(this.#children, key, at);
    return at;
  }
}
