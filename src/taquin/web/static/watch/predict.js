// Predict: before each step of a watched search, the student says what happens next.
//
// The panel asks about the step after the current one (questions.js). An answer goes to that step, whose
// sentences say why. A quiz in the address (quiz.js) asks about chosen steps of chosen searches instead.

import { button, download, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { DEFAULTS, store, stored, writeHash } from "../page/state.js";
import { capitalised, counted } from "../page/words.js";
import { writeBoard } from "../puzzle/puzzle.js";
import { QuestionCard } from "./question-card.js";
import { choiceText, keyOf, promptOf, questionOf, verdictOf } from "./questions.js";
import { quizQuestions, readQuiz, Score, summaryOf, toggled, writeQuiz } from "./quiz.js";

export class Predict {
  #score = new Score();
  /** The verdicts on the answers about the present search, by the numbers of their steps. */
  #verdicts = new Map();
  /** The question on the screen: `{film, position, question, next, isFile}`. */
  #asked = null;
  #film = null;
  /** The quiz of the address: `{questions, at}`. */
  #quiz = null;

  /** The text of the quiz that was read last. */
  #quizText = "";

  /**
   * `go(step)` moves the film, `begin()` goes to the step before a question, `title()` names the search.
   * @param {{app: any, go: (step: number) => void, begin: () => void, title: () => string}} options
   */
  constructor({ app, go, begin, title }) {
    this.app = app;
    this.go = go;
    this.begin = begin;
    this.title = title;
    this.scoreText = element("p", { class: "note score", role: "status" });
    this.card = new QuestionCard({
      onAnswer: (keys) => this.#answer(keys),
      onSkip: () => this.#skip(),
      onNext: () => this.#goOn(),
    });
    this.more = new QuizPanel(app, this.#score);
    this.root = element(
      "section",
      { class: "card predict stack tight", "aria-label": "Predict", hidden: true },
      this.scoreText,
      this.card.root,
      this.more.root,
    );
  }

  /** Follow the address: read its quiz if it has another one, and show the panel or hide it. */
  update() {
    const { quiz = "" } = this.app.state.get();
    if (quiz !== this.#quizText) this.#readQuiz(quiz);
    this.root.hidden = !this.isOn;
  }

  get isOn() {
    return Boolean(this.#quiz || this.app.state.get().predict);
  }

  get isQuiz() {
    return this.#quiz !== null;
  }

  /** The step before the question of a quiz; null without a quiz. */
  get startStep() {
    const question = this.#quiz?.questions[this.#quiz.at];
    return question ? question.step - 1 : null;
  }

  /** Forget the verdicts on the search before. */
  restart() {
    this.#verdicts.clear();
    this.#asked = null;
  }

  /** Ask about the step after the current one; while a film plays, ask nothing. */
  async show(film, { goal, isPlaying, isFile }) {
    this.#film = film;
    if (!this.isOn) return;
    if (isPlaying) {
      this.#asked = null;
      this.#showStatement("Pause to predict the next step.");
      return;
    }
    const { position } = film;
    const next = await film.peek().catch(() => null);
    if (film !== this.#film || film.position !== position || !this.isOn) return;
    const question =
      next && !this.#verdicts.has(position + 1) ? questionOf(film.model, next) : null;
    this.#asked = { film, position, question, next, isFile };
    this.#showScore();
    if (this.#quiz && position < this.startStep) this.#showEarly(next);
    else if (this.#quiz && position > this.startStep) this.#showAnswered();
    else if (question) this.card.ask(question, film.model, goal);
    else this.#showNone(next, position);
    this.more.offer(question && !isFile && !this.#quiz ? this.#quizQuestion(position + 1) : null);
  }

  /** Return the verdict on the answer about a step, `{isRight, sentences}`; undefined if there is none. */
  verdictAt(step) {
    return this.isOn ? this.#verdicts.get(step) : undefined;
  }

  /** Answer with a board of the tree; return whether it is an answer. */
  pick(node) {
    const { question } = this.#asked ?? {};
    if (!this.isOn || question?.kind !== "dequeue") return false;
    const key = keyOf(node);
    if (!question.candidates.some((choice) => choice.key === key)) return false;
    this.#answer(new Set([key]));
    return true;
  }

  // --- the panel ------------------------------------------------------------------------------

  #showScore() {
    const { questions = [], at = 0 } = this.#quiz ?? {};
    const place =
      questions.length && at < questions.length
        ? `Question ${at + 1} of ${questions.length}: `
        : "";
    this.scoreText.textContent = capitalised(`${place}${this.#score.text}`);
    this.more.show(this.#quiz ? questions.length : 0);
  }

  #showNone(next, position) {
    if (!next) this.#showStatement("The search is over.", this.isQuiz);
    else if (this.#verdicts.has(position + 1))
      this.#showStatement("You have predicted this step.", true);
    else this.#showStatement("Nothing to predict here: the next step follows by itself.", true);
  }

  /** Before the step of a question of a quiz: the film is on its way, or the search ends too early. */
  #showEarly(next) {
    if (next) this.#showStatement("The search goes on to the question …");
    else this.#showStatement("This search ends before the step of the question.", true);
  }

  #showAnswered() {
    const { questions, at } = this.#quiz;
    const isLast = at + 1 >= questions.length;
    this.#showStatement(
      isLast
        ? `The quiz is over: ${this.#score.right} of ${questions.length} right.`
        : "Read why, then go on.",
      !isLast,
    );
    if (isLast) this.more.root.open = true;
  }

  /** Show a sentence instead of a question. */
  #showStatement(sentence, hasNext = false) {
    const next = text(this.#quiz ? "predict.next-question" : "predict.next-step");
    this.card.say(sentence, hasNext ? next : "");
  }

  // --- answers --------------------------------------------------------------------------------

  #answer(keys) {
    const { film, position, question, next } = this.#asked ?? {};
    if (!question || film.position !== position) return;
    const { model } = film;
    const isRight = question.isRight(keys);
    const sentences = verdictOf(question, keys, next, model);
    const chosen = question.candidates
      .filter(({ key }) => keys.has(key))
      .map((choice) => choiceText(choice, model));
    this.#record(position + 1, promptOf(question, model), {
      isRight,
      sentences,
      answer: chosen.join("; ") || "none",
    });
    this.go(position + 1);
  }

  #skip() {
    const { film, position, question } = this.#asked ?? {};
    if (!question || film.position !== position) return;
    // A quiz asks a question once.
    if (this.#quiz)
      this.#record(position + 1, promptOf(question, film.model), {
        isRight: false,
        sentences: ["Not answered."],
        answer: "none",
      });
    this.go(position + 1);
  }

  #record(step, prompt, { isRight, sentences, answer }) {
    const { film, isFile } = this.#asked;
    const { cells, columns } = film.model.tree.nodes[0].node;
    const goal = isFile ? "of the recording" : this.app.state.get().goal;
    this.#asked = null;
    this.#verdicts.set(step, { isRight, sentences });
    this.#score.add({
      search: this.title(),
      board: writeBoard(cells, columns),
      goal,
      step,
      prompt,
      answer,
      isRight,
      verdict: sentences.join(" "),
    });
  }

  #goOn() {
    if (!this.#quiz) return this.go(this.#film.position + 1);
    this.#quiz.at = Math.min(this.#quiz.at + 1, this.#quiz.questions.length - 1);
    return this.#openQuestion();
  }

  // --- quizzes --------------------------------------------------------------------------------

  #readQuiz(text) {
    this.#quizText = text;
    this.#quiz = null;
    if (!text) return;
    Object.assign(this.#score, new Score());
    try {
      this.#quiz = { questions: quizQuestions(readQuiz(text)), at: 0 };
    } catch (error) {
      this.app.notify(error.message, "bad");
      this.app.state.set({ quiz: null });
      return;
    }
    this.#openQuestion();
  }

  /** Put the search of the present question into the address, and go to the step before it. */
  #openQuestion() {
    const { step, ...puzzle } = this.#quiz.questions[this.#quiz.at];
    this.#verdicts.clear();
    this.app.state.set({ ...puzzle, step: step - 1 || null });
    this.begin();
  }

  #quizQuestion(step) {
    const { board, goal, metric, search } = this.app.state.get();
    return { board, goal, metric, search: search ?? this.#film.model.header.algorithm, step };
  }
}

// --- the quiz for others, and the summary to hand in -------------------------------------------

const KEY = "taquin-quiz";
const inThisTab = () => sessionStorage;
/** The quiz that is being made; it outlives the view, and a reload. */
let draft = keptDraft();

class QuizPanel {
  #offered = null;
  #total = 0;

  constructor(app, score) {
    this.app = app;
    this.score = score;
    this.add = button("Add this question", { class: "small" }, () => this.#toggle());
    this.link = element("input", { readonly: true, "aria-label": "Link to the quiz" });
    this.copyLink = button("Copy the link", { class: "small" }, () =>
      this.#copy(this.link.value, "The link to the quiz is copied."),
    );
    this.empty = button("Empty", { class: "quiet small" }, () => this.#keep([]));
    this.drafted = element("div", { class: "row" }, this.link, this.copyLink, this.empty);
    this.draftText = element("p", { class: "note" });
    this.maker = element(
      "div",
      { class: "stack tight" },
      element("h3", {}, "A quiz for others"),
      this.draftText,
      element("div", { class: "row" }, this.add),
      this.drafted,
    );
    this.name = element("input", { autocomplete: "name", oninput: () => this.#showSummary() });
    this.title = element("summary");
    this.summary = element("textarea", { readonly: true, rows: 6, "aria-label": "Summary" });
    this.root = element(
      "details",
      { class: "quiz-panel", ontoggle: () => this.#showSummary() },
      this.title,
      element(
        "div",
        { class: "stack tight" },
        element("label", { class: "field" }, "Your name", this.name),
        this.summary,
        element(
          "div",
          { class: "row" },
          button("Copy the summary", { class: "small" }, () =>
            this.#copy(this.#summaryText(), "The summary is copied."),
          ),
          button(
            "Save it",
            { icon: "save", class: "small", "aria-label": "Save the summary" },
            () =>
              download(
                new Blob([this.#summaryText()], { type: "text/plain" }),
                "taquin-predict.txt",
              ),
          ),
        ),
        this.maker,
      ),
    );
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
    const isIn = questions.some(
      (other) =>
        this.#offered && Object.keys(other).every((key) => other[key] === this.#offered[key]),
    );
    this.add.disabled = !this.#offered;
    this.add.querySelector("span").textContent = isIn
      ? "Remove this question"
      : "Add this question";
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
    return summaryOf(this.score, {
      name: this.name.value,
      date: new Date(),
      total: this.#total,
      link: this.app.state.link(),
    });
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
  const {
    steps: [step],
    ...puzzle
  } = parts[0];
  const hash = writeHash({
    ...DEFAULTS,
    ...puzzle,
    view: "watch",
    step: String(step - 1),
    quiz: writeQuiz(parts),
  });
  return `${window.location.href.split("#")[0]}${hash}`;
}
