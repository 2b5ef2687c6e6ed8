// The search tree with what belongs to it: buttons, a legend, and what a pointer shows.

import { BoardView } from "./board.js";
import { button, element } from "./dom.js";
import { MOST_NODES } from "./search-tree.js";
import { childrenOf } from "./trace-steps.js";
import { numbersOf, toldOf } from "./trace-words.js";
import { movedCells } from "./tree-paint.js";
import { TreePicture } from "./tree-picture.js";
import { counted, thousands } from "./words.js";

const NEARER = 1.4;

export class TreePanel {
  #shown = null;
  #legendKey = "";

  constructor() {
    this.canvas = element("canvas", { class: "tree", role: "img", tabindex: 0, "aria-label": "Search tree" });
    this.tip = element("div", { class: "tip", hidden: true });
    this.legend = element("ul", { class: "legend", "aria-label": "Colours" });
    this.note = element("p", { class: "note" });
    this.root = element("section", { class: "tree-panel", "aria-label": "The search tree" },
      element("div", { class: "tree-place" }, this.canvas, this.#tools(), this.tip), this.legend, this.note);
    this.picture = new TreePicture(this.canvas);
    this.picture.onPoint = (node, at) => this.#point(node, at);
    this.picture.onFollow = (follows) => this.follow.setAttribute("aria-pressed", String(follows));
  }

  /** Show the tree at a step. */
  show(step, model, { glide = true } = {}) {
    this.#shown = { step, model };
    this.picture.show(model, guests(step), (node) => numbersOf(node, model), { glide });
  }

  /** Say in words what the tree shows. */
  tell(model) {
    this.#showLegend(model);
    this.note.textContent = noteOf(model);
    const here = model.current ? `; the current board is at depth ${model.current.g}` : "";
    this.canvas.setAttribute("aria-label", `Search tree with ${counted(model.tree.nodes.length, "board")}, `
      + `${thousands(model.expanded)} expanded${here}.`);
  }

  remove() {
    this.picture.remove();
  }

  #tools() {
    const tool = (words, sign, factor) => button("", { sign, class: "round", "aria-label": words, title: words },
      () => this.picture.zoom(factor, undefined, { glide: true }));
    this.thrown = button("Thrown away", { class: "quiet", "aria-pressed": "true", title: "Show the boards that were thrown away" }, () => this.#turnThrown());
    this.follow = button("Follow", { class: "quiet", "aria-pressed": "true", title: "Keep the current board in view (f)" }, () => this.picture.follow());
    return element("div", { class: "row tree-tools" }, this.thrown, this.follow,
      button("Whole tree", { class: "quiet", title: "Show all of it (0)" }, () => this.picture.fit()),
      tool("Nearer (+)", "plus", NEARER), tool("Farther (−)", "minus", 1 / NEARER));
  }

  #turnThrown() {
    this.picture.hidesThrown = !this.picture.hidesThrown;
    this.thrown.setAttribute("aria-pressed", String(!this.picture.hidesThrown));
    if (this.#shown) this.show(this.#shown.step, this.#shown.model);
  }

  #showLegend(model) {
    const { nodes } = model.tree;
    const kinds = Object.keys(LEGEND).filter((kind) => nodes.some((each) => each.standing === kind));
    const isSolved = nodes.some((each) => each.onPath);
    const key = `${kinds.join()} ${isSolved}`;
    if (key === this.#legendKey) return;
    this.#legendKey = key;
    const item = (kind, words) => element("li", {}, element("span", { class: `key ${kind}` }), words);
    const items = kinds.map((kind) => item(kind, LEGEND[kind](model)));
    items.push(item("here", "the current path"));
    if (isSolved) items.push(item("way", "the solution"));
    this.legend.replaceChildren(...items);
  }

  #point(drawn, at) {
    this.tip.hidden = !drawn;
    if (!drawn) return;
    const { node } = drawn;
    const place = element("div", { class: "mini" });
    new BoardView(place, { label: "" }).show(node.cells, { columns: node.columns, animate: false, moved: movedCells(node) });
    this.tip.replaceChildren(place, ...toldOf(drawn, this.#shown.model).map((line) => element("p", {}, line)));
    const { width, height } = this.canvas.getBoundingClientRect();
    const [left, top] = [at[0] + 16, at[1] + 16];
    this.tip.style.left = `${Math.min(left, width - this.tip.offsetWidth - 4)}px`;
    this.tip.style.top = `${top + this.tip.offsetHeight > height ? at[1] - this.tip.offsetHeight - 12 : top}px`;
  }
}

/** Say what of the search the tree does not show. */
function noteOf({ tree, place, leftOut }) {
  if (leftOut) return "Branches that the search was done with long ago are left out of the tree.";
  if (tree.nodes.length < MOST_NODES) return "";
  const first = `The tree shows the first ${thousands(tree.nodes.length)} boards`;
  if (place === null) return `${first}; the one being expanded is none of them.`;
  if (place.beyond === 0) return `${first}.`;
  return `${first}; the one being expanded lies ${counted(place.beyond, "move")} below the nearest one drawn.`;
}

const LEGEND = {
  expanded: () => "expanded, with its turn",
  waiting: (model) => (model.order.isPath ? "followed" : "waiting"),
  duplicate: () => "thrown away: known already",
  cut: () => "cut off by the bound",
  pruned: () => "dropped by the beam",
  goal: (model) => (model.twoSided ? "where the two sides meet" : "solved"),
};

/** Return the boards that hang below a guest, as the tree shows them. */
function guests(step) {
  const standings = { enqueued: "waiting", reopened: "waiting", parent: "duplicate" };
  const head = step.events[0].node;
  return childrenOf(step)
    .filter(({ node, fate }) => fate !== "pruned" && node.parent === head?.number)
    .map(({ node, fate }) => ({ node, standing: standings[fate] ?? fate }));
}
