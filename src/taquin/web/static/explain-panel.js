// Explain, in Watch: the numbers of the board as sums, and the pseudocode with the lines at work.

import { button, element } from "./dom.js";
import { explained } from "./explain.js";
import { linesAt, pseudocode } from "./pseudocode.js";

export class Explain {
  #algorithm = null;
  /** The element of each line by its id. */
  #lines = new Map();

  /** `onChange()` is called when Explain is switched on or off. */
  constructor(app, onChange) {
    this.app = app;
    this.button = button("Explain", { class: "quiet", title: "Show where the numbers come from, and the line of the search at work" },
      () => app.state.set({ explain: this.isOn ? null : "1" }));
    this.sums = element("div", { class: "sums", hidden: true });
    this.code = element("ol", { class: "pseudocode", "aria-label": "The search as pseudocode", hidden: true });
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (state.explain === before.explain) return;
      this.#showMode();
      onChange();
    });
    this.#showMode();
  }

  get isOn() {
    return Boolean(this.app.state.get().explain);
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

  remove() {
    this.unsubscribe();
  }

  #showMode() {
    this.button.setAttribute("aria-pressed", String(this.isOn));
    this.sums.hidden = !this.isOn;
    this.code.hidden = !this.isOn;
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
    this.#lines = new Map(pseudocode(algorithm).map(({ id, indent, text }) => (
      [id, element("li", { class: `indent-${indent}` }, text)]
    )));
    this.code.replaceChildren(...this.#lines.values());
  }
}
