// How many boards two searches store over their run: a chart beside a search that plays.

import { element, svgElement } from "../page/dom.js";
import { text } from "../page/messages.js";
import { NO_SEARCHES, titleOf, writeSearch } from "../search/searches.js";
import { filmOf, SearchFigure, storedBoards } from "./figure.js";

const [WIDTH, HEIGHT, EDGE] = [600, 200, 8];
/** A chart has at most about this many points. */
const MOST_POINTS = 300;

export class MemoryFigure {
  /** The searches with their points `[expanded, stored]`, of the present board. */
  #lines = [];
  #board = "";
  #films = [];

  constructor({ app, parts }) {
    this.app = app;
    this.parts = parts;
    this.searches = NO_SEARCHES;
    this.svg = svgElement("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      class: "memory",
    });
    this.legend = element("ul", { class: "legend" });
    this.figure = new SearchFigure({
      app,
      parts,
      onShow: (model, board) => this.#follow(model, board),
    });
    this.chart = element(
      "section",
      { class: "stack tight", "aria-label": text("learn.chart") },
      element("p", { class: "note" }, text("learn.chart-note")),
      this.svg,
      this.legend,
    );
    this.root = this.figure.root;
    this.figure.transport.root.before(this.chart);
    this.#draw(null);
  }

  remove() {
    this.#stop();
    this.figure.remove();
  }

  #stop() {
    this.#board = "";
    for (const film of this.#films) film.close();
    this.#films = [];
  }

  #follow(model, board) {
    if (board !== this.#board) this.#measure(board).catch(() => {});
    this.#draw(model);
  }

  /** Run both searches to their ends, one after the other, so that at most two searches run. */
  async #measure(board) {
    this.#stop();
    this.#board = board;
    this.#lines = [];
    this.searches = await this.app.searches();
    for (const name of this.parts.algorithms) {
      const search = writeSearch({ ...this.parts.search, name });
      const film = filmOf(this.app, board, search);
      this.#films.push(film);
      const points = [];
      const note = () => points.push([film.model.expanded, storedBoards(film.model)]);
      await film.seek(Infinity, () => {
        note();
        return board === this.#board;
      });
      if (board !== this.#board) return;
      note();
      this.#lines.push({ name, title: titleOf(search, this.searches), points });
      film.close();
      this.#draw(null);
    }
  }

  #draw(model) {
    const all = this.#lines.flatMap(({ points }) => points);
    const [right, top] = [0, 1].map((axis) => Math.max(1, ...all.map((point) => point[axis])));
    const at = ([x, y]) => [
      EDGE + (x / right) * (WIDTH - 2 * EDGE),
      HEIGHT - EDGE - (y / top) * (HEIGHT - 2 * EDGE),
    ];
    const lines = this.#lines.map(({ name, points }) => {
      const every = Math.ceil(points.length / MOST_POINTS);
      const shown = points.filter((_, index) => index % every === 0 || index === points.length - 1);
      return svgElement("polyline", { class: name, points: shown.map(at).join(" ") });
    });
    const axis = svgElement("path", {
      class: "axis",
      d: `M${EDGE} ${EDGE}V${HEIGHT - EDGE}H${WIDTH - EDGE}`,
    });
    const [cx, cy] = model && all.length ? at([model.expanded, storedBoards(model)]) : [-99, -99];
    this.svg.replaceChildren(axis, ...lines, svgElement("circle", { r: 5, cx, cy }));
    const items = this.#lines.map(({ name, title, points }) => {
      const numbers = { stored: Math.max(...points.map(([, y]) => y)), count: points.at(-1)[0] };
      return [name, text("learn.chart-line", { search: title, ...numbers })];
    });
    this.svg.setAttribute(
      "aria-label",
      [text("learn.chart"), ...items.map(([, words]) => words)].join(" "),
    );
    this.legend.replaceChildren(
      ...items.map(([name, words]) =>
        element("li", {}, element("span", { class: `key line ${name}` }), words),
      ),
    );
  }
}
