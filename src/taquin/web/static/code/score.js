// The score of a heuristic: A* with it on 20 fixed boards of 3×3, against A* with Manhattan, which has 100.
//
// The address holds the score (`score=137`), so that a link shares it with the code. Until the reader runs the code,
// the score is what the link claims.

import { button, element, table } from "../page/dom.js";
import { sentence, text } from "../page/messages.js";
import { smallBoard } from "../puzzle/board.js";

/** Return the score that an address claims; null for none. */
export function claimedScore({ score }) {
  return /^\d{1,5}$/.test(score ?? "") ? Number(score) : null;
}

export class ScoreCard {
  #steps = [];
  #isRunning = false;

  /** `onShare` copies the link with the score. */
  constructor({ onShare }) {
    this.onShare = onShare;
    this.root = element("section", {
      class: "card score stack tight",
      "aria-label": text("score.title"),
      hidden: true,
    });
  }

  /** Show a score that came with the link. */
  claim(score) {
    this.#fill(
      figure(score),
      element("p", { class: "sentence" }, text("score.claimed", { button: text("score.run") })),
      note(),
    );
  }

  begin() {
    this.#steps = [];
    this.#isRunning = true;
  }

  hide() {
    this.root.hidden = true;
  }

  /** Hide a score that is not complete. */
  stop() {
    this.root.hidden ||= this.#isRunning;
  }

  /** Show the progress: one more board is searched. */
  step(step) {
    this.#steps.push(step);
    const { number, of } = step;
    const running = text("score.running", { number, of });
    this.#fill(
      element("progress", { max: of, value: number, "aria-label": running }),
      element("p", { class: "note" }, running),
    );
  }

  /** Show the outcome. */
  show({ score, cut, longer, expanded, manhattan, overestimate }) {
    this.#isRunning = false;
    const isAdmissible = score !== null;
    const none = text(overestimate ? "score.overestimates" : "score.longer", { count: longer });
    this.#fill(
      isAdmissible && figure(score),
      element(
        "p",
        { class: isAdmissible ? "sentence" : "sentence bad" },
        isAdmissible ? text("score.compared", { expanded, manhattan }) : none,
      ),
      overestimate && smallBoard(overestimate, null, text("code.counterexample")),
      cut > 0 && element("p", { class: "note" }, text("score.cut", { count: cut })),
      note(),
      this.#table(),
      isAdmissible &&
        button(text("score.share"), { icon: "link", class: "quiet" }, () => this.onShare()),
    );
  }

  #table() {
    const columns = ["distance", "yours", "manhattan"];
    return element(
      "details",
      {},
      element("summary", {}, text("score.boards")),
      table(
        { class: "numbers" },
        columns.map((name) => text(`score.column_${name}`)),
        this.#steps.map(({ distance, expanded, manhattan }) =>
          [distance, expanded, manhattan].map((count) => text("score.number", { count })),
        ),
      ),
    );
  }

  #fill(...children) {
    const title = element("h2", {}, text("score.title"));
    this.root.replaceChildren(title, ...children.filter(Boolean));
    this.root.hidden = false;
  }
}

function figure(score) {
  const number = element("strong", {}, text("score.number", { count: score }));
  return element("p", { class: "score-figure" }, ...sentence("score.figure", { number }));
}

function note() {
  return element("p", { class: "note" }, text("score.meaning"));
}
