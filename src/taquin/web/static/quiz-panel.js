// Below the questions of Predict: a quiz for others, and the summary to hand in.

import { button, download, element } from "./dom.js";
import { quizQuestions, readQuiz, summaryOf, toggled, writeQuiz } from "./quiz.js";
import { DEFAULTS, writeHash } from "./state.js";
import { store, stored } from "./storage.js";
import { counted } from "./words.js";

const KEY = "taquin-quiz";
const inThisTab = () => sessionStorage;
/** The quiz that is being made; it outlives the view, and a reload. */
let draft = keptDraft();

export class QuizPanel {
  #offered = null;
  #total = 0;

  constructor(app, score) {
    this.app = app;
    this.score = score;
    this.add = button("Add this question", { class: "small" }, () => this.#toggle());
    this.link = element("input", { readonly: true, "aria-label": "Link to the quiz" });
    this.copyLink = button("Copy the link", { class: "small" }, () => this.#copy(this.link.value, "The link to the quiz is copied."));
    this.empty = button("Empty", { class: "quiet small" }, () => this.#keep([]));
    this.drafted = element("div", { class: "row" }, this.link, this.copyLink, this.empty);
    this.draftText = element("p", { class: "note" });
    this.maker = element("div", { class: "stack tight" }, element("h3", {}, "A quiz for others"), this.draftText,
      element("div", { class: "row" }, this.add), this.drafted);
    this.name = element("input", { autocomplete: "name", oninput: () => this.#showSummary() });
    this.title = element("summary");
    this.summary = element("textarea", { readonly: true, rows: 6, "aria-label": "Summary" });
    this.root = element("details", { class: "quiz-panel", ontoggle: () => this.#showSummary() },
      this.title,
      element("div", { class: "stack tight" },
        element("label", { class: "field" }, "Your name", this.name), this.summary,
        element("div", { class: "row" },
          button("Copy the summary", { class: "small" }, () => this.#copy(this.#summaryText(), "The summary is copied.")),
          button("Save it", { icon: "save", class: "small", "aria-label": "Save the summary" },
            () => download(new Blob([this.#summaryText()], { type: "text/plain" }), "taquin-predict.txt"))),
        this.maker));
    this.#showDraft();
    this.show(0);
  }

  /** Offer a question, `{board, goal, metric, search, step}`, for the quiz; null offers none. */
  offer(question) {
    this.#offered = question;
    this.#showDraft();
  }

  /** Update the summary; `total` is the number of questions of the quiz that is asked, 0 without one. */
  show(total) {
    this.#total = total;
    this.maker.hidden = total > 0;
    this.title.textContent = total ? "Summary" : "Summary and quiz";
    if (this.root.open) this.#showSummary();
  }

  #toggle() {
    this.#keep(toggled(draft, this.#offered));
  }

  #keep(parts) {
    draft = parts;
    store(KEY, writeQuiz(parts) || null, inThisTab);
    this.#showDraft();
  }

  #showDraft() {
    const questions = quizQuestions(draft);
    const isIn = questions.some((other) => this.#offered && Object.keys(other).every((key) => other[key] === this.#offered[key]));
    this.add.disabled = !this.#offered;
    this.add.querySelector("span").textContent = isIn ? "Remove this question" : "Add this question";
    this.drafted.hidden = !questions.length;
    this.draftText.textContent = questions.length
      ? `The quiz has ${counted(questions.length, "question")}. Add more from any step of any search.`
      : "Collect questions from any step of any search, then share the link.";
    if (questions.length) this.link.value = linkOf(draft);
  }

  #showSummary() {
    this.summary.value = this.#summaryText();
  }

  #summaryText() {
    return summaryOf(this.score, { name: this.name.value, date: new Date(), total: this.#total, link: this.app.state.link() });
  }

  async #copy(text, sentence) {
    try {
      await navigator.clipboard.writeText(text);
      this.app.notify(sentence);
    } catch {
      this.app.notify("This browser does not let the page copy: select the text instead.", "bad");
    }
  }
}

function keptDraft() {
  const text = stored(KEY, inThisTab);
  return text ? readQuiz(text) : [];
}

/** Return the address of a quiz. */
function linkOf(parts) {
  const { steps: [step], ...puzzle } = parts[0];
  const hash = writeHash({ ...DEFAULTS, ...puzzle, view: "watch", step: String(step - 1), quiz: writeQuiz(parts) });
  return `${window.location.href.split("#")[0]}${hash}`;
}
