// A short quiz about the steps of one search, for a page of text:
//
//     const source = () => searchSource((signal) => traced({ board, goal, metric, search }, app, signal), () => {});
//     const quiz = new StepQuiz({ film: new Film(source), goal: puzzle.goal, steps: [1, 5, 9] });
//     place.append(quiz.root);
//     quiz.begin();                // runs the search, and asks
//     quiz.remove();               // when the page is left
//
// `goal` are the cells of the goal, or null. Each number is the least step that a question may be about: the quiz
// asks about the next step that has a question with a right answer, so that a number need not be exact. With the
// film of a figure, pass `onStep(film)` to show the step of each question and of its answer; `onAnswered(count)` is
// told how many questions have been answered. The cards need `styles/watch.css` and `styles/predict.css`; the quiz
// loads them.

import { element, loadStyle } from "../page/dom.js";
import { text } from "../page/messages.js";
import { sentencesOf } from "../trace/trace-words.js";
import { QuestionCard } from "./question-card.js";
import { questionOf, verdictOf } from "./questions.js";

/** @import { Film } from "../trace/film.js" */

/** The most steps that are searched for a question. */
const FARTHEST = 200;

export class StepQuiz {
  #options;
  /** The question on the screen, and the step that it is about. */
  #asked = null;
  #at = 0;
  #right = 0;

  /**
   * @param {{film: Film, goal: any[] | null, steps: number[], onStep?: (film: Film) => void,
   *   onAnswered?: (count: number) => void}} options
   */
  constructor(options) {
    this.#options = options;
    this.count = element("p", { class: "note score" });
    this.verdict = element("p", { class: "sentence", role: "status" });
    this.card = new QuestionCard({
      onAnswer: (keys) => this.#run(this.#answer(keys)),
      onSkip: () => this.#run(this.#answer(null)),
      onNext: () => this.#run(this.#isOver ? this.#begin() : this.#ask()),
    });
    this.root = element(
      "section",
      { class: "predict step-quiz stack tight", "aria-label": text("predict.quiz") },
      this.count,
      this.verdict,
      this.card.root,
    );
  }

  /** Run the search, and ask the first question. */
  begin() {
    return this.#run(this.#begin());
  }

  remove() {
    this.#options.film.close();
  }

  async #begin() {
    await Promise.all(["watch", "predict"].map((name) => loadStyle(`styles/${name}.css`)));
    [this.#at, this.#right] = [0, 0];
    await this.#options.film.seek(0);
    await this.#ask();
  }

  /** Show what fails. @param {Promise<void>} task */
  async #run(task) {
    await task.catch((error) => {
      if (error.name !== "AbortError") this.#end(error.message);
    });
  }

  get #isOver() {
    return this.#at >= this.#options.steps.length;
  }

  async #ask() {
    const { film, goal, steps } = this.#options;
    this.#asked = await nextQuestion(film, Math.max(steps[this.#at] - 1, film.position));
    this.#show("");
    if (!this.#asked) return this.#end(text("predict.over"));
    this.count.textContent = text("predict.place", { number: this.#at + 1, count: steps.length });
    this.card.ask(this.#asked.question, film.model, goal);
    this.#options.onStep?.(film);
  }

  /** Show the verdict on an answer, or what happens where null was answered. */
  async #answer(keys) {
    if (!this.#asked) return;
    const { question, next } = this.#asked;
    const { film, steps } = this.#options;
    this.#asked = null;
    const isRight = keys !== null && question.isRight(keys);
    const verdict = keys ? verdictOf(question, keys, next, film.model) : [];
    await film.seek(film.position + 1);
    this.#right += Number(isRight);
    this.#at += 1;
    this.#options.onAnswered?.(this.#at);
    this.#options.onStep?.(film);
    this.#show([...verdict, ...sentencesOf(next, film.model)].join(" "), keys ? isRight : null);
    if (this.#isOver)
      this.#end(text("predict.quiz-over", { right: this.#right, count: steps.length }));
    else this.card.say(text("predict.read-why"), text("predict.next-question"));
  }

  /** @param {string} sentence @param {boolean | null} isRight */
  #show(sentence, isRight = null) {
    this.verdict.textContent = sentence;
    this.verdict.hidden = !sentence;
    this.verdict.classList.toggle("good", isRight === true);
    this.verdict.classList.toggle("bad", isRight === false);
  }

  #end(sentence) {
    this.#at = this.#options.steps.length;
    this.card.say(sentence, text("predict.again"));
  }
}

/**
 * Go to the first step from `position` on whose next step has a question with a right answer; return both,
 * or null if the search ends before.
 * @param {Film} film
 * @param {number} position
 */
async function nextQuestion(film, position) {
  for (let at = position; at < position + FARTHEST; at += 1) {
    await film.seek(at);
    const next = await film.peek();
    if (!next || film.position < at) return null;
    const question = questionOf(film.model, next);
    if (question?.right.size) return { question, next };
  }
  return null;
}
