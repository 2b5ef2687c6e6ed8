// The search tree with its buttons, its legend, and a tooltip for the board under the pointer.

import { button, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { counted } from "../page/words.js";
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
      "aria-label": text("watch.picture"),
    });
    this.tip = element("div", { class: "tip", hidden: true });
    this.legend = element("ul", { class: "legend", "aria-label": text("watch.colours") });
    this.note = element("p", { class: "note" });
    this.root = element(
      "section",
      { class: "tree-panel", "aria-label": text("watch.tree") },
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
    const { current, expanded } = model;
    const boards = counted(model.tree.nodes.length, "board");
    this.canvas.setAttribute(
      "aria-label",
      current
        ? text("watch.picture-at", { boards, expanded, depth: current.g })
        : text("watch.picture-of", { boards, expanded }),
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
      text("watch.discarded"),
      { class: "quiet", "aria-pressed": "true", title: text("watch.discarded-title") },
      () => this.#toggleDiscarded(),
    );
    this.follow = button(
      text("watch.follow"),
      { class: "quiet", "aria-pressed": "true", title: text("watch.follow-title") },
      () => this.picture.follow(),
    );
    return element(
      "div",
      { class: "row tree-tools" },
      this.discarded,
      this.follow,
      button(text("watch.whole"), { class: "quiet", title: text("watch.whole-title") }, () =>
        this.picture.fit(),
      ),
      zoomButton(text("watch.zoom-in"), "plus", ZOOM),
      zoomButton(text("watch.zoom-out"), "minus", 1 / ZOOM),
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
    const item = (kind, name) => element("li", {}, element("span", { class: `key ${kind}` }), name);
    const items = kinds.map((kind) => item(kind, LEGEND[kind](model, looks)));
    items.push(item("here", text("watch.key-here")));
    if (isSolved) items.push(item("way", text("watch.key-way")));
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
  const count = tree.nodes.length;
  if (isTrimmed) return text("watch.trimmed");
  if (count < MOST_NODES) return "";
  if (place === null) return text("watch.tree-without", { count });
  if (place.beyond === 0) return text("watch.tree-full", { count });
  return text("watch.tree-below", { count, moves: counted(place.beyond, "move") });
}

const LEGEND = {
  expanded: (_model, looks) => text(looks.has("only") ? "watch.key-both" : "watch.key-expanded"),
  only: () => text("watch.key-only"),
  waiting: (model) => text(model.order.isPath ? "watch.key-followed" : "watch.key-waiting"),
  duplicate: () => text("watch.key-duplicate"),
  cut: () => text("watch.key-cut"),
  pruned: () => text("watch.key-pruned"),
  goal: (model) => text(model.twoSided ? "watch.key-meet" : "watch.key-goal"),
};

/** Return the children of a guest, each with its status. */
function guestsOf(step) {
  const head = step.events[0].node;
  return childrenOf(step)
    .filter(({ node, fate }) => fate !== "pruned" && node.parent === head?.number)
    .map(({ node, fate }) => ({ node, status: STATUS[fate] }));
}
