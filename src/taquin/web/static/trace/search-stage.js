// A step of a search beside the tree: the board, its children, the frontier.

import { isProjected } from "../page/appearance.js";
import { element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { moveName, thousands, value } from "../page/words.js";
import { BoardView } from "../puzzle/board.js";
import { movedCells } from "../puzzle/puzzle.js";
import { term } from "../search/terms.js";
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
    this.childrenHead = element("h2");
    this.waitingHead = element("h2");
    this.waitingNote = element("p", { class: "note" });
    this.counters = element("dl", { class: "counters" });
    this.now = element(
      "section",
      { class: "now", "aria-label": text("watch.now") },
      this.boardPlace,
      element("div", { class: "stack tight" }, this.numbers, this.counters),
    );
    // It scrolls in a low window; the tabindex lets keys scroll it.
    this.root = element(
      "div",
      {
        class: "search-stage stack",
        role: "region",
        "aria-label": text("watch.step"),
        tabindex: 0,
      },
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
      ? text("watch.children", { count: children.length })
      : text("watch.no-children");
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
            : text("watch.from-above"),
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
          [text("watch.g"), value(node.g), "g"],
          [text("watch.h"), value(node.h), "h"],
          [text("watch.f"), value(node.f), "f"],
        ]
      : [[text("watch.g-alone"), value(node.g), "g"]];
    fill(this.numbers, figures);
  }

  #draw(node, goal) {
    this.board ??= new BoardView(this.boardPlace, { label: text("watch.board") });
    Object.assign(this.board.options, { goal, marks: this.marks });
    this.board.show(node.cells, { columns: node.columns, animate: false, moved: movedCells(node) });
  }

  #showWaiting(model, goal) {
    const { entries, lost } = model.frontier;
    const { isPath } = model.order;
    this.waitingHead.textContent = isPath ? text("watch.path") : text("watch.frontier");
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
      notes.push(isPath ? text("watch.path-empty") : text("watch.frontier-empty"));
    if (lost && entries.length)
      notes.push(text("watch.frontier-first", { kept: entries.length, count: lost }));
    else if (lost) notes.push(text("watch.frontier-lost", { count: lost }));
    if (model.order.ties === "heap") notes.push(text("watch.heap"));
    this.waitingNote.textContent = notes.join(" ");
  }

  #showCounters(model) {
    fill(this.counters, [
      countExpanded(model),
      [text("watch.count-generated"), thousands(model.generated)],
      countWaiting(model),
      [text("watch.count-discarded"), thousands(model.discarded)],
      ...(model.cutOff ? [[text("watch.count-cut"), thousands(model.cutOff)]] : []),
      ...(model.pruned ? [[text("watch.count-dropped"), thousands(model.pruned)]] : []),
      [text("watch.count-deepest"), thousands(model.deepest)],
      ...(model.best === null ? [] : [[text("watch.count-best"), thousands(model.best)]]),
    ]);
  }
}

/** Return the counter of expansions for `fill`. */
export function countExpanded(model) {
  return [text("watch.count-expanded"), thousands(model.expanded), "expanded"];
}

/** Return the size of the frontier, or of the path of a depth-first search, for `fill`. */
export function countWaiting({ order, frontier, waiting }) {
  return order.isPath
    ? [text("watch.count-path"), thousands(frontier.entries.length + frontier.lost)]
    : [text("watch.count-frontier"), thousands(waiting), "frontier"];
}

/** Fill a list of names and values, reusing its elements; a third word is the term that explains the name. */
export function fill(list, pairs) {
  while (list.children.length > pairs.length) list.lastChild.remove();
  while (list.children.length < pairs.length)
    list.append(element("div", {}, element("dt"), element("dd")));
  pairs.forEach(([name, number, explained], index) => {
    const [head, description] = list.children[index].children;
    if (head.textContent !== name) head.replaceChildren(explained ? term(explained, name) : name);
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
    this.rest.textContent = more ? text("watch.more", { count: more }) : "";
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
    card.board.options.label = text("watch.card");
    card.board.show(node.cells, { columns: node.columns, animate: false, moved: movedCells(node) });
    for (const [place, words] of [
      [card.head, head],
      [card.foot, foot],
      [card.word, word],
      [card.note, note],
    ]) {
      if (place.textContent !== words) place.textContent = words;
      place.hidden = !words;
    }
  }
}
