// The search tree with its buttons, its legend, and a tooltip for the board under the pointer.

import { button, element } from "../page/dom.js";
import { counted, thousands } from "../page/words.js";
import { BoardView } from "../puzzle/board.js";
import { movedCells } from "../puzzle/puzzle.js";
import { MOST_NODES, STATUS } from "./trace-model.js";
import { childrenOf } from "./trace-steps.js";
import { describeNode, numbersOf } from "./trace-words.js";
import { TreePicture } from "./tree-picture.js";

const ZOOM = 1.4;

export class TreePanel {
  #shown = null;
  #legendKey = "";
  /**
   * Called with the node of the tree that was clicked.
   * @type {(drawn: any) => void}
   */
  onPick = () => {};

  constructor() {
    this.canvas = element("canvas", {
      class: "tree",
      role: "img",
      tabindex: 0,
      "aria-label": "Search tree",
    });
    this.tip = element("div", { class: "tip", hidden: true });
    this.legend = element("ul", { class: "legend", "aria-label": "Colours" });
    this.note = element("p", { class: "note" });
    this.root = element(
      "section",
      { class: "tree-panel", "aria-label": "The search tree" },
      element("div", { class: "tree-place" }, this.canvas, this.tip),
      element("div", { class: "tree-foot" }, this.legend, this.#tools()),
      this.note,
    );
    this.picture = new TreePicture(this.canvas);
    this.picture.onPick = (drawn) => this.onPick(drawn);
    this.picture.onPoint = (node, at) => this.#point(node, at);
    this.picture.onFollow = (follows) => this.follow.setAttribute("aria-pressed", String(follows));
  }

  /** Show the tree at a step. */
  show(step, model, { glide = true } = {}) {
    this.#shown = { step, model };
    this.picture.show(model, guestsOf(step), (node) => numbersOf(node, model), { glide });
  }

  /** Update the legend, the note, and the description for screen readers. */
  describe(model) {
    this.#showLegend(model);
    this.note.textContent = noteOf(model);
    const here = model.current ? `; the current board is at depth ${model.current.g}` : "";
    this.canvas.setAttribute(
      "aria-label",
      `Search tree with ${counted(model.tree.nodes.length, "board")}, ` +
        `${thousands(model.expanded)} expanded${here}.`,
    );
  }

  remove() {
    this.picture.remove();
  }

  #tools() {
    const zoomButton = (title, iconName, factor) =>
      button("", { icon: iconName, class: "round", "aria-label": title, title }, () =>
        this.picture.zoom(factor, undefined, { glide: true }),
      );
    this.discarded = button(
      "Discarded",
      { class: "quiet", "aria-pressed": "true", title: "Show the boards that were discarded" },
      () => this.#toggleDiscarded(),
    );
    this.follow = button(
      "Follow",
      { class: "quiet", "aria-pressed": "true", title: "Keep the current board in view (f)" },
      () => this.picture.follow(),
    );
    return element(
      "div",
      { class: "row tree-tools" },
      this.discarded,
      this.follow,
      button("Whole tree", { class: "quiet", title: "Show the whole tree (0)" }, () =>
        this.picture.fit(),
      ),
      zoomButton("Zoom in (+)", "plus", ZOOM),
      zoomButton("Zoom out (−)", "minus", 1 / ZOOM),
    );
  }

  #toggleDiscarded() {
    this.picture.hidesDiscarded = !this.picture.hidesDiscarded;
    this.discarded.setAttribute("aria-pressed", String(!this.picture.hidesDiscarded));
    if (this.#shown) this.show(this.#shown.step, this.#shown.model);
  }

  #showLegend(model) {
    const { nodes } = model.tree;
    const looks = new Set(nodes.map((drawn) => this.picture.lookOf(drawn)));
    const kinds = Object.keys(LEGEND).filter((kind) => looks.has(kind));
    const isSolved = nodes.some(({ onPath }) => onPath);
    const key = `${kinds.join()} ${isSolved}`;
    if (key === this.#legendKey) return;
    this.#legendKey = key;
    const item = (kind, text) => element("li", {}, element("span", { class: `key ${kind}` }), text);
    const items = kinds.map((kind) => item(kind, LEGEND[kind](model, looks)));
    items.push(item("here", "the current path"));
    if (isSolved) items.push(item("way", "the solution"));
    this.legend.replaceChildren(...items);
  }

  #point(drawn, at) {
    this.tip.hidden = !drawn;
    this.canvas.classList.toggle("on-node", Boolean(drawn));
    if (!drawn) return;
    const { node } = drawn;
    const place = element("div", { class: "mini" });
    new BoardView(place, { label: "" }).show(node.cells, {
      columns: node.columns,
      animate: false,
      moved: movedCells(node),
    });
    this.tip.replaceChildren(
      place,
      ...describeNode(drawn, this.#shown.model).map((line) => element("p", {}, line)),
    );
    const { width, height } = this.canvas.getBoundingClientRect();
    const [left, top] = [at[0] + 16, at[1] + 16];
    this.tip.style.left = `${Math.min(left, width - this.tip.offsetWidth - 4)}px`;
    this.tip.style.top = `${top + this.tip.offsetHeight > height ? at[1] - this.tip.offsetHeight - 12 : top}px`;
  }
}

/** Return a note on what the tree does not show. */
function noteOf({ tree, place, isTrimmed }) {
  if (isTrimmed) return "Branches that the search finished long ago are left out of the tree.";
  if (tree.nodes.length < MOST_NODES) return "";
  const first = `The tree shows the first ${thousands(tree.nodes.length)} boards`;
  if (place === null) return `${first}; the one being expanded is not one of them.`;
  if (place.beyond === 0) return `${first}.`;
  return `${first}; the one being expanded is ${counted(place.beyond, "move")} below the nearest one drawn.`;
}

const LEGEND = {
  expanded: (_model, looks) =>
    looks.has("only") ? "expanded by both" : "expanded, with its number",
  only: () => "expanded by this search only",
  waiting: (model) => (model.order.isPath ? "followed" : "in the frontier"),
  duplicate: () => "duplicate",
  cut: () => "cut off by the bound",
  pruned: () => "dropped by the beam",
  goal: (model) => (model.twoSided ? "where the two sides meet" : "solved"),
};

/** Return the children of a guest, each with its status. */
function guestsOf(step) {
  const head = step.events[0].node;
  return childrenOf(step)
    .filter(({ node, fate }) => fate !== "pruned" && node.parent === head?.number)
    .map(({ node, fate }) => ({ node, status: STATUS[fate] }));
}
