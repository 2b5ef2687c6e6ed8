// A question of Predict on the screen: its sentence, its boards or numbers to choose from, its buttons.

import { button, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { BoardView } from "../puzzle/board.js";
import { movedCells } from "../puzzle/puzzle.js";
import { numbersOf } from "../trace/trace-words.js";
import { hintOf, nameOfChoice, promptOf } from "./questions.js";

/** @import { Choice, Question } from "./questions.js" */

export class QuestionCard {
  #onAnswer;

  /**
   * `onAnswer(keys)` is called with the keys of the chosen answers, `onSkip()` for none, `onNext()` to go on.
   * @param {{onAnswer: (keys: Set<string>) => void, onSkip: () => void, onNext: () => void}} listeners
   */
  constructor({ onAnswer, onSkip, onNext }) {
    this.#onAnswer = onAnswer;
    this.prompt = element("h2", { class: "prompt", tabindex: -1 });
    this.hint = element("p", { class: "note" });
    this.subject = element("div", { class: "subject" });
    this.choices = element("ul", { class: "cards choices" });
    this.check = button(text("predict.check"), { class: "main" }, () => onAnswer(this.#ticked()));
    this.skip = button(text("predict.show-me"), { class: "quiet" }, onSkip);
    this.next = button(text("predict.next-step"), { class: "main" }, onNext);
    this.root = element(
      "div",
      { class: "question stack tight" },
      this.prompt,
      this.subject,
      this.hint,
      this.choices,
      element("div", { class: "row answer" }, this.check, this.next, this.skip),
    );
    this.#offer({ check: false, skip: false, next: false });
  }

  /**
   * Ask a question; the model is the one before the step, `goal` are the cells of the goal, or null.
   * @param {Question} question
   */
  ask(question, model, goal) {
    this.#say(promptOf(question, model), hintOf(question));
    const { subject, choices } = question;
    this.subject.replaceChildren(
      ...(subject ? [card(element("div"), { node: subject, model, goal }, "expanded")] : []),
    );
    this.choices.replaceChildren(
      ...choices.map((choice) => this.#choice(choice, question, { model, goal })),
    );
    this.choices.classList.toggle("texts", !choices[0].node);
    this.#offer({ check: question.isMany, skip: true, next: false });
  }

  /** Show a sentence instead of a question; `next` is the text of the button that goes on, if there is one. */
  say(sentence, next = "") {
    this.#say(sentence, "");
    this.subject.replaceChildren();
    this.choices.replaceChildren();
    if (next) this.next.querySelector("span").textContent = next;
    this.#offer({ check: false, skip: false, next: Boolean(next) });
  }

  #say(prompt, hint) {
    const hadFocus = this.root.contains(document.activeElement);
    this.prompt.textContent = prompt;
    this.hint.textContent = hint;
    // The button that was pressed is about to go.
    if (hadFocus) this.prompt.focus({ preventScroll: true });
  }

  #offer({ check, skip, next }) {
    this.check.hidden = !check;
    this.skip.hidden = !skip;
    this.next.hidden = !next;
  }

  /** @param {Choice} choice @param {Question} question */
  #choice({ key, node, text: name }, { isMany }, { model, goal }) {
    const answer = () => this.#onAnswer(new Set([key]));
    if (!node) return element("li", {}, button(name, {}, answer));
    const place = isMany
      ? element("label", {}, element("input", { type: "checkbox", value: key }))
      : element("button", { type: "button", onclick: answer });
    return element("li", {}, card(place, { node, model, goal }, "waiting"));
  }

  #ticked() {
    return new Set([...this.choices.querySelectorAll("input:checked")].map((box) => box.value));
  }
}

/** Fill a place with a board, its move and its numbers. */
function card(place, { node, model, goal }, status) {
  const board = element("span", { class: "mini" });
  const view = new BoardView(board, { label: text("predict.board"), goal });
  view.show(node.cells, { columns: node.columns, animate: false, moved: movedCells(node) });
  place.className = `mini-card ${status}`;
  place.append(
    element("span", { class: "head" }, nameOfChoice(node)),
    board,
    element("span", { class: "foot" }, numbersOf(node, model)),
  );
  return place;
}
