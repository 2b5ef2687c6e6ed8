// Explain, in Watch: the numbers of the board as sums, and the pseudocode with the lines that a step runs.

import { element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { explained, linesAt, pseudocode } from "./explain.js";

export class Explain {
  isOn = false;
  #algorithm = null;
  /** The element of each line by its id. */
  #lines = new Map();

  constructor() {
    this.sums = element("div", { class: "sums" });
    this.code = element("ol", { class: "pseudocode", "aria-label": text("explain.title") });
  }

  /** Show the panel or hide it. */
  update(isOn) {
    this.isOn = isOn;
    this.sums.hidden = !isOn;
    this.code.hidden = !isOn;
  }

  /** Show a step; return the marks for the tiles of its board, or null. */
  show(step, model, goal) {
    if (!this.isOn) return null;
    this.#showLines(model.header.algorithm ?? "", linesAt(step));
    if (!model.current) return null;
    const { marks, lines } = explained(model, goal);
    this.sums.replaceChildren(...lines.map((line) => element("p", {}, line)));
    return marks;
  }

  #showLines(algorithm, ids) {
    if (algorithm !== this.#algorithm) this.#draw(algorithm);
    const main = ids.find((id) => this.#lines.has(id));
    for (const [id, line] of this.#lines) {
      line.classList.toggle("at-work", ids.includes(id));
      if (id === main) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }

  #draw(algorithm) {
    this.#algorithm = algorithm;
    this.#lines = new Map(
      pseudocode(algorithm).map(({ id, indent, text: line }) => [
        id,
        element("li", { class: `indent-${indent}` }, line),
      ]),
    );
    this.code.replaceChildren(...this.#lines.values());
  }
}
