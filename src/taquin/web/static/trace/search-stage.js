// A step of a search beside the tree: the board, its children, the frontier.

import { isProjected } from "../page/appearance.js";
import { element } from "../page/dom.js";
import { moveName, thousands, value } from "../page/words.js";
import { BoardView } from "../puzzle/board.js";
import { movedCells } from "../puzzle/puzzle.js";
import { STATUS } from "./trace-model.js";
import { childrenOf } from "./trace-steps.js";
import { fateName, fateReason, numbersOf } from "./trace-words.js";

const MOST_CHILDREN = 12;
/** Boards of the frontier that are shown, and that a projector shows. */
const [MOST_WAITING, MOST_PROJECTED] = [5, 12];

export class SearchStage {
  /** @type {BoardView | undefined} */
  board;
  /** Numbers for the corners of the tiles of the current board, or null. */
  marks = null;

  constructor() {
    this.boardPlace = element("div", { class: "now-board" });
    this.numbers = element("dl", { class: "figures small" });
    this.children = new CardRow("children");
    this.waiting = new CardRow("waiting");
    this.childrenHead = element("h2", {}, "Its children");
    this.waitingHead = element("h2", {}, "The frontier");
    this.waitingNote = element("p", { class: "note" });
    this.counters = element("dl", { class: "counters" });
    this.now = element(
      "section",
      { class: "now", "aria-label": "The board being expanded" },
      this.boardPlace,
      element("div", { class: "stack tight" }, this.numbers, this.counters),
    );
    // It scrolls in a low window; the tabindex lets keys scroll it.
    this.root = element(
      "div",
      { class: "search-stage stack", role: "region", "aria-label": "The step", tabindex: 0 },
      this.now,
      element("section", { class: "stack tight generated" }, this.childrenHead, this.children.root),
      element(
        "section",
        { class: "stack tight after-tree" },
        this.waitingHead,
        this.waiting.root,
        this.waitingNote,
      ),
    );
  }

  /** Show a board without a step. */
  showBoard(cells, columns, goal) {
    this.#draw({ cells, columns, move: null }, goal);
    for (const row of [this.children, this.waiting]) row.show([], goal, 0);
    for (const part of [
      this.numbers,
      this.counters,
      this.waitingNote,
      this.waitingHead,
      this.childrenHead,
    ])
      part.replaceChildren();
  }

  /** Show a step; `goal` are the cells of the goal, or null. */
  show(step, model, goal) {
    this.#showCurrent(model, goal);
    const children = childrenOf(step).filter(
      ({ fate }) => fate !== "pruned" || model.order.byLevel,
    );
    const shown = children.slice(0, MOST_CHILDREN);
    const more = children.length - shown.length;
    this.childrenHead.textContent = children.length
      ? `Boards generated (${thousands(children.length)})`
      : "No boards generated";
    this.children.show(
      shown.map((child) => ({
        node: child.node,
        status: STATUS[child.fate],
        head: child.node.move ? moveName(child.node.move) : "",
        foot: unbroken(numbersOf(child.node, model)),
        word: fateName(child.fate, model),
        note:
          child.node.parent === model.current?.number
            ? fateReason(child, model)
            : "generated from a board farther up",
      })),
      goal,
      more,
    );
    this.#showWaiting(model, goal);
    this.#showCounters(model);
  }

  #showCurrent(model, goal) {
    const node = model.current;
    if (!node) return;
    this.#draw(node, goal);
    const figures = model.estimates
      ? [
          ["g, so far", value(node.g)],
          ["h, estimate", value(node.h)],
          ["f, priority", value(node.f)],
        ]
      : [["g, moves made", value(node.g)]];
    fill(this.numbers, figures);
  }

  #draw(node, goal) {
    this.board ??= new BoardView(this.boardPlace, { label: "The board" });
    Object.assign(this.board.options, { goal, marks: this.marks });
    this.board.show(node.cells, { columns: node.columns, animate: false, moved: movedCells(node) });
  }

  #showWaiting(model, goal) {
    const { entries, lost } = model.frontier;
    const { isPath } = model.order;
    this.waitingHead.textContent = isPath
      ? "The path, from its end"
      : "The frontier, the next first";
    const most = isProjected() ? MOST_PROJECTED : MOST_WAITING;
    this.waiting.show(
      entries
        .slice(0, most)
        .map(({ node }) => ({
          node,
          status: isPath ? "expanded" : "waiting",
          head: "",
          foot: unbroken(numbersOf(node, model)),
          word: "",
          note: "",
        })),
      goal,
      Math.max(0, entries.length - most),
    );
    const notes = [];
    if (!entries.length && !lost)
      notes.push(isPath ? "The path is empty." : "The frontier is empty.");
    if (lost && entries.length)
      notes.push(
        `The page keeps the first ${thousands(entries.length)} of these; ${thousands(lost)} more are only counted.`,
      );
    else if (lost)
      notes.push(`The frontier has ${thousands(lost)} boards: too many for the page to keep.`);
    if (model.order.ties === "heap") notes.push("The order of a heap among equals is not shown.");
    this.waitingNote.textContent = notes.join(" ");
  }

  #showCounters(model) {
    fill(
      this.counters,
      [
        ["expanded", model.expanded],
        ["generated", model.generated],
        [
          model.order.isPath ? "on path" : "frontier",
          model.order.isPath ? model.frontier.entries.length + model.frontier.lost : model.waiting,
        ],
        ["discarded", model.discarded],
        ...(model.cutOff ? [["cut off", model.cutOff]] : []),
        ...(model.pruned ? [["dropped", model.pruned]] : []),
        ["deepest", model.deepest],
        ...(model.best === null ? [] : [["best", model.best]]),
      ].map(([name, number]) => [name, thousands(number)]),
    );
  }
}

/** Fill a list of terms and their values, reusing its elements. */
export function fill(list, pairs) {
  while (list.children.length > pairs.length) list.lastChild.remove();
  while (list.children.length < pairs.length)
    list.append(element("div", {}, element("dt"), element("dd")));
  pairs.forEach(([name, number], index) => {
    const [term, description] = list.children[index].children;
    if (term.textContent !== name) term.textContent = name;
    if (description.textContent !== String(number)) description.textContent = number;
  });
}

/** Return a text that breaks into lines only after a comma or an equals sign. */
function unbroken(numbers) {
  return numbers.replaceAll(/(?<![,=]) /g, "\u00a0");
}

/** A row of small boards, which reuses its elements from step to step. */
class CardRow {
  #cards = [];

  constructor(name) {
    this.rest = element("li", { class: "rest note" });
    this.root = element("ul", { class: `cards ${name}` }, this.rest);
  }

  show(cards, goal, more) {
    while (this.#cards.length < cards.length) this.#cards.push(this.#createCard());
    this.#cards.forEach((card, index) => {
      card.root.hidden = index >= cards.length;
      if (index < cards.length) this.#fill(card, cards[index], goal);
    });
    this.rest.hidden = !more;
    this.rest.textContent = more ? `and ${thousands(more)} more` : "";
  }

  #createCard() {
    const [head, foot, word, note] = ["head", "foot", "word", "why"].map((name) =>
      element("span", { class: name }),
    );
    const place = element("div", { class: "mini" });
    const root = element("li", { class: "mini-card" }, head, place, foot, word, note);
    this.rest.before(root);
    return { root, head, foot, word, note, board: new BoardView(place, { label: "" }) };
  }

  #fill(card, { node, status, head, foot, word, note }, goal) {
    card.root.className = `mini-card ${status}`;
    card.board.options.goal = goal;
    card.board.options.label = "Board";
    card.board.show(node.cells, { columns: node.columns, animate: false, moved: movedCells(node) });
    for (const [place, text] of [
      [card.head, head],
      [card.foot, foot],
      [card.word, word],
      [card.note, note],
    ]) {
      if (place.textContent !== text) place.textContent = text;
      place.hidden = !text;
    }
  }
}
