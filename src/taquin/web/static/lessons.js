// The buttons Predict and Explain of Watch. Their modules are loaded when they are first switched on.

import { button, loadStyle } from "./dom.js";

export class Lessons {
  /** @type {import("./predict.js").Predict | null} */
  predict = null;
  /** @type {import("./explain-panel.js").Explain | null} */
  explain = null;
  #isRemoved = false;

  /**
   * `onLoad(lessons)` puts what was loaded into its place, `onChange()` is called when a lesson is
   * switched on or off; `go`, `begin` and `title` are for Predict.
   * @param {{app: any, go: (step: number) => void, begin: () => void, title: () => string,
   *   onLoad: (lessons: Lessons) => void, onChange: () => void, onError: (error: Error) => void}} options
   */
  constructor(options) {
    const { app, onError } = options;
    this.options = options;
    this.predictButton = button("Predict", { class: "quiet", "aria-pressed": "false", title: "Say before each step what happens next" }, () => {
      const { quiz, predict } = app.state.get();
      app.state.set(quiz ? { quiz: null, predict: null } : { predict: predict ? null : "1" });
    });
    this.explainButton = button("Explain", { class: "quiet", "aria-pressed": "false", title: "Show where the numbers come from, and the line of the search at work" },
      () => app.state.set({ explain: app.state.get().explain ? null : "1" }));
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (["predict", "quiz", "explain"].some((key) => state[key] !== before[key])) this.load().catch(onError);
    });
  }

  /** Load the lessons that the address asks for, and show which are on. */
  async load() {
    const { app, onLoad, onChange } = this.options;
    const { predict, quiz, explain } = app.state.get();
    const [predicting, explaining] = await Promise.all([
      (predict || quiz) && !this.predict ? import("./predict.js") : null,
      explain && !this.explain ? import("./explain-panel.js") : null,
      predict || quiz || explain ? loadStyle("predict.css") : null,
    ]);
    if (this.#isRemoved) return;
    if (predicting) this.predict ??= new predicting.Predict(this.options);
    if (explaining) this.explain ??= new explaining.Explain();
    if (predicting || explaining) onLoad(this);
    this.predict?.update();
    this.explain?.update(Boolean(app.state.get().explain));
    this.explainButton.setAttribute("aria-pressed", String(Boolean(app.state.get().explain)));
    this.predictButton.setAttribute("aria-pressed", String(this.isPredicting));
    this.predictButton.querySelector("span").textContent = this.predict?.isQuiz ? "Leave the quiz" : "Predict";
    onChange();
  }

  get isPredicting() {
    return Boolean(this.predict?.isOn);
  }

  remove() {
    this.#isRemoved = true;
    this.unsubscribe();
  }
}
