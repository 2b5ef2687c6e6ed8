// The search tree as it grows: what the picture draws.
//
// Rounds of a deepening search and the two sides of a bidirectional one are trees of their own. A
// board that is forgotten and made again is one node with several turns. When the tree is full,
// whoever is expanded beyond it hangs as a guest below the nearest node that is drawn.

/** Nodes that are drawn at most. */
export const MOST_NODES = 2000;

const STANDING = {
  enqueued: "waiting",
  reopened: "waiting",
  duplicate: "duplicate",
  parent: "duplicate",
  cut: "cut",
  pruned: "pruned",
};

export class SearchTree {
  nodes = [];
  /** Node number → index; in later rounds, of its latest copy. */
  byNumber = new Map();
  #children = new Map();

  /** Make a node below `parent` (-1 for a root), unless it is there or the tree is full. */
  make(journal, node, parent, fate) {
    const known = this.byNumber.get(node.number);
    if (known !== undefined) {
      journal.set(this.nodes[known], "standing", STANDING[fate]);
      return known;
    }
    const key = `${parent}|${node.cells.join()}`;
    const twin = parent < 0 ? undefined : this.#children.get(key);
    if (twin !== undefined) {
      journal.put(this.byNumber, node.number, twin);
      return twin;
    }
    if (this.nodes.length >= MOST_NODES) return -1;
    return this.#add(journal, node, parent, STANDING[fate], key);
  }

  root(journal, node, caption = "") {
    if (this.nodes.length >= MOST_NODES) return -1;
    const at = this.#add(journal, node, -1, "waiting", `-1|${node.cells.join()}`);
    this.nodes[at].caption = caption;
    return at;
  }

  expand(journal, at, turn) {
    journal.set(this.nodes[at], "standing", "expanded");
    journal.set(this.nodes[at], "turns", [...this.nodes[at].turns, turn]);
  }

  /** Say of a node what became of it. */
  mark(journal, at, standing) {
    if (at >= 0) journal.set(this.nodes[at], "standing", standing);
  }

  /** Mark the way from a node up to its root as part of the solution. */
  markPath(journal, at) {
    for (const each of this.pathTo(at)) journal.set(this.nodes[each], "onPath", true);
  }

  /** Return the indices from a node up to its root. */
  pathTo(at) {
    const path = [];
    for (let each = at; each >= 0; each = this.nodes[each].parent) path.push(each);
    return path;
  }

  #add(journal, node, parent, standing, key) {
    const at = this.nodes.length;
    const level = parent < 0 ? 0 : this.nodes[parent].level + 1;
    const drawn = { node, parent, level, standing, turns: [], onPath: false, caption: "" };
    journal.insert(this.nodes, at, drawn);
    journal.put(this.byNumber, node.number, at);
    journal.put(this.#children, key, at);
    return at;
  }
}
