// Predict: before each step of a watched search, the student says what happens next.
//
// The panel asks about the step after the current one (questions.js). An answer goes to that step, whose
// sentences say why. A quiz in the address (quiz.js) asks about chosen steps of chosen searches instead.
// The answers outlive a reload of this tab.

import { button, download, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { DEFAULTS, store, stored, writeHash } from "../page/state.js";
import { writeBoard } from "../puzzle/puzzle.js";
import { QuestionCard } from "./question-card.js";
import { choiceText, keyOf, promptOf, questionOf, verdictOf } from "./questions.js";
import { quizQuestions, readQuiz, Score, summaryOf, toggled, writeQuiz } from "./quiz.js";

const [ANSWERS, DRAFT] = ["taquin-answers", "taquin-quiz"];
const inThisTab = () => sessionStorage;
/** The most steps without a question that are passed on the way to the first one. */
const MOST_PASSED = 5;

export class Predict {
  #score;
  /** The question on the screen: `{film, position, question, next, isFile}`. */
  #asked = null;
  #film = null;
  /** The steps passed before the first question about this film; null once there was one. */
  #passed = 0;
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
      hasTree: true,
    });
    this.more = new QuizPanel(app, { score: () => this.#score, reset: () => this.#reset() });
    this.root = element(
      "section",
      { class: "card predict stack tight", "aria-label": text("predict.title"), hidden: true },
      this.scoreText,
      this.card.root,
      this.more.root,
    );
    this.#score = new Score(restored("").answers);
  }

  /** Follow the address: read its quiz if it has another one, and show the panel or hide it. */
  update() {
    const { quiz = "" } = this.app.state.get();
    if (quiz !== this.#quizText) {
      const { at, answers } = restored(quiz);
      if (quiz) this.#score = new Score(answers);
      this.#readQuiz(quiz, at);
    }
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

  /** Begin with another film. */
  restart() {
    this.#passed = 0;
    this.#asked = null;
  }

  /** Ask about the step after the current one; while a film plays, ask nothing. */
  async show(film, { goal, isPlaying, isFile }) {
    this.#film = film;
    if (!this.isOn) return;
    if (isPlaying) {
      this.#asked = null;
      this.#showStatement(text("predict.pause"));
      return;
    }
    const { position } = film;
    const next = await film.peek().catch(() => null);
    if (film !== this.#film || film.position !== position || !this.isOn) return;
    const isAnswered = Boolean(this.#answerAt(position + 1));
    const question = next && !isAnswered ? questionOf(film.model, next) : null;
    if (next && !isAnswered && this.#passes(question)) {
      this.go(position + 1);
      return;
    }
    this.#asked = { film, position, question, next, isFile };
    this.#showScore();
    if (this.#quiz && position < this.startStep) this.#showEarly(next);
    else if (this.#quiz && (isAnswered || position > this.startStep)) this.#showAnswered();
    else if (question) this.card.ask(question, film.model, goal);
    else this.#showNone(next, isAnswered);
    this.more.offer(question && !isFile && !this.#quiz ? this.#quizQuestion(position + 1) : null);
  }

  /** Return the verdict on the answer about a step, `{isRight, sentences}`; undefined if there is none. */
  verdictAt(step) {
    return this.isOn ? this.#answerAt(step) : undefined;
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

  /** Return whether to pass a step on the way to the first question, whose right answer is not “none”. */
  #passes(question) {
    if (this.#quiz || this.#passed === null) return false;
    this.#passed += 1;
    const isFound = question?.right.size || this.#passed > MOST_PASSED;
    if (isFound) this.#passed = null;
    return !isFound;
  }

  // --- the panel ------------------------------------------------------------------------------

  #showScore() {
    const { questions = [], at = 0 } = this.#quiz ?? {};
    const [total, number] = [questions.length, at + 1];
    this.scoreText.textContent = total
      ? text("predict.score-place", { number, total, score: this.#score.text })
      : this.#score.text;
    this.more.show(total);
  }

  #showNone(next, isAnswered) {
    if (!next) this.#showStatement(text("predict.over"), this.isQuiz);
    else this.#showStatement(text(isAnswered ? "predict.predicted" : "predict.none-here"), true);
  }

  /** Before the step of a question of a quiz: the film is on its way, or the search ends too early. */
  #showEarly(next) {
    if (next) this.#showStatement(text("predict.on-its-way"));
    else this.#showStatement(text("predict.too-early"), true);
  }

  #showAnswered() {
    const { questions, at } = this.#quiz;
    const count = questions.length;
    if (at + 1 < count) return this.#showStatement(text("predict.read-why"), true);
    this.#showStatement(text("predict.quiz-over", { right: this.#score.right, count }));
    this.more.root.open = true;
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
    const chosen = question.candidates
      .filter(({ key }) => keys.has(key))
      .map((choice) => choiceText(choice, model));
    this.#record({
      isRight: question.isRight(keys),
      sentences: verdictOf(question, keys, next, model),
      answer: chosen.join("; ") || text("predict.none"),
    });
    this.go(position + 1);
  }

  #skip() {
    const { film, position, question } = this.#asked ?? {};
    if (!question || film.position !== position) return;
    // A quiz asks a question once.
    if (this.#quiz)
      this.#record({
        isRight: false,
        sentences: [text("predict.not-answered")],
        answer: text("predict.none"),
      });
    this.go(position + 1);
  }

  #record(answer) {
    const { film, position, question, isFile } = this.#asked;
    const { cells, columns } = film.model.tree.nodes[0].node;
    this.#score.add({
      key: this.#key(),
      search: this.title(),
      board: writeBoard(cells, columns),
      goal: isFile ? text("predict.recorded-goal") : this.app.state.get().goal,
      step: position + 1,
      prompt: promptOf(question, film.model),
      ...answer,
    });
    this.#asked = null;
    this.#keep();
  }

  /** Return what tells the search on the screen from others. */
  #key() {
    const { board, goal, metric, search, code } = this.app.state.get();
    return JSON.stringify([this.title(), board, goal, metric, search, code]);
  }

  #answerAt(step) {
    return this.#score.find(this.#key(), step);
  }

  #keep() {
    const { answers } = this.#score;
    const kept = { quiz: this.#quizText, at: this.#quiz?.at ?? 0, answers };
    store(ANSWERS, JSON.stringify(kept), inThisTab);
  }

  #goOn() {
    if (!this.#quiz) return this.go(this.#film.position + 1);
    this.#quiz.at = Math.min(this.#quiz.at + 1, this.#quiz.questions.length - 1);
    this.#keep();
    return this.#openQuestion();
  }

  /** Forget all answers. */
  #reset() {
    this.#score = new Score();
    this.#passed = 0;
    if (this.#quiz) this.#quiz.at = 0;
    this.#keep();
    if (this.#quiz) this.#openQuestion();
    else this.begin();
  }

  // --- quizzes --------------------------------------------------------------------------------

  #readQuiz(quiz, at) {
    this.#quizText = quiz;
    this.#quiz = null;
    if (!quiz) return;
    try {
      this.#quiz = { questions: quizQuestions(readQuiz(quiz)), at };
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
    this.app.state.set({ ...puzzle, step: step - 1 || null });
    this.begin();
  }

  #quizQuestion(step) {
    const { board, goal, metric, search } = this.app.state.get();
    return { board, goal, metric, search: search ?? this.#film.model.header.algorithm, step };
  }
}

/** Return what this tab keeps of a quiz, "" for none: the answers, and the question that is asked. */
function restored(quiz) {
  const kept = JSON.parse(stored(ANSWERS, inThisTab) ?? "null");
  return kept?.quiz === quiz ? kept : { at: 0, answers: [] };
}

// --- the quiz for others, and the summary to hand in -------------------------------------------

/** The quiz that is being made; it outlives the view, and a reload. */
let draft = keptDraft();

class QuizPanel {
  #offered = null;
  #total = 0;

  /** `score()` returns the score, `reset()` forgets it. */
  constructor(app, { score, reset }) {
    this.app = app;
    this.score = score;
    this.add = button(text("predict.add"), { class: "small" }, () => this.#toggle());
    this.link = element("input", { readonly: true, "aria-label": text("predict.link") });
    this.copyLink = button(text("predict.copy-link"), { class: "small" }, () =>
      this.#copy(this.link.value, text("predict.link-copied")),
    );
    this.empty = button(text("predict.empty"), { class: "quiet small" }, () => this.#keep([]));
    this.drafted = element("div", { class: "row" }, this.link, this.copyLink, this.empty);
    this.draftText = element("p", { class: "note" });
    this.maker = element(
      "div",
      { class: "stack tight" },
      element("h3", {}, text("predict.for-others")),
      this.draftText,
      element("div", { class: "row" }, this.add),
      this.drafted,
    );
    this.name = element("input", { autocomplete: "name", oninput: () => this.#showSummary() });
    this.title = element("summary");
    this.summary = element("textarea", {
      readonly: true,
      rows: 6,
      "aria-label": text("predict.summary"),
    });
    this.root = element(
      "details",
      { class: "quiz-panel", ontoggle: () => this.#showSummary() },
      this.title,
      element(
        "div",
        { class: "stack tight" },
        element("label", { class: "field" }, text("predict.your-name"), this.name),
        this.summary,
        element(
          "div",
          { class: "row" },
          button(text("predict.copy-summary"), { class: "small" }, () =>
            this.#copy(this.#summaryText(), text("predict.summary-copied")),
          ),
          button(
            text("predict.save"),
            { icon: "save", class: "small", "aria-label": text("predict.save-summary") },
            () =>
              download(
                new Blob([this.#summaryText()], { type: "text/plain" }),
                `${text("predict.file")}.txt`,
              ),
          ),
          button(text("predict.again"), { class: "quiet small" }, reset),
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
    this.title.textContent = text(total ? "predict.summary" : "predict.summary-and-quiz");
    if (this.root.open) this.#showSummary();
  }

  #toggle() {
    this.#keep(toggled(draft, this.#offered));
  }

  #keep(parts) {
    draft = parts;
    store(DRAFT, writeQuiz(parts) || null, inThisTab);
    this.#showDraft();
  }

  #showDraft() {
    const questions = quizQuestions(draft);
    const isIn = questions.some(
      (other) =>
        this.#offered && Object.keys(other).every((key) => other[key] === this.#offered[key]),
    );
    this.add.disabled = !this.#offered;
    this.add.querySelector("span").textContent = text(isIn ? "predict.remove" : "predict.add");
    this.drafted.hidden = !questions.length;
    this.draftText.textContent = questions.length
      ? text("predict.draft", { count: questions.length })
      : text("predict.draft-empty");
    if (questions.length) this.link.value = linkOf(draft);
  }

  #showSummary() {
    this.summary.value = this.#summaryText();
  }

  #summaryText() {
    return summaryOf(this.score(), {
      name: this.name.value,
      date: new Date(),
      total: this.#total,
      link: this.app.state.link(),
    });
  }

  #copy(words, sentence) {
    return this.app.copy(words, sentence, text("predict.no-copy"), "bad");
  }
}

function keptDraft() {
  const quiz = stored(DRAFT, inThisTab);
  return quiz ? readQuiz(quiz) : [];
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
