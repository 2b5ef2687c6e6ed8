// A quiz in a link, the score of a student, and the summary to hand in.
//
//     quiz=4,1,3/0,2,6/7,5,8|blank-last|single|astar(manhattan)|3.7;…
//
// A part of a quiz is a search of a board and the steps that are asked; a semicolon ends a part.

import { compact, expand } from "../page/state.js";

/** @typedef {{board: string, goal: string, metric: string, search: string, steps: number[]}} QuizPart */
/**
 * @typedef {{search: string, board: string, goal: string, step: number, prompt: string, answer: string,
 *   isRight: boolean, verdict: string}} Answer
 */

/** @type {("board" | "goal" | "metric" | "search")[]} */
const KEYS = ["board", "goal", "metric", "search"];

/**
 * Return the parts of a text; throw an Error whose message is a sentence if it is not a quiz.
 * @param {string} text
 * @returns {QuizPart[]}
 */
export function readQuiz(text) {
  const texts = text.split(";").filter(Boolean);
  const parts = texts.map(readPart).filter((part) => part !== null);
  if (!texts.length || parts.length < texts.length) {
    throw new Error(
      "The quiz in this link cannot be read: a part of it is missing. Ask for the link again.",
    );
  }
  return parts;
}

/** Return the text of a quiz. @param {QuizPart[]} parts */
export function writeQuiz(parts) {
  return parts
    .map(({ board, goal, metric, search, steps }) =>
      [compact(board), compact(goal), metric, search, steps.join(".")].map(escaped).join("|"),
    )
    .join(";");
}

/**
 * Return the questions of a quiz in order, each with its part and its step.
 * @param {QuizPart[]} parts
 */
export function quizQuestions(parts) {
  return parts.flatMap(({ steps, ...part }) => steps.map((step) => ({ ...part, step })));
}

/**
 * Return a quiz with one question more, or without it if it was there.
 * @param {QuizPart[]} parts
 * @param {Omit<QuizPart, "steps"> & {step: number}} question
 */
export function toggled(parts, { step, ...part }) {
  const isSame = (/** @type {QuizPart} */ other) => KEYS.every((key) => other[key] === part[key]);
  const known = parts.find(isSame);
  if (!known) return [...parts, { ...part, steps: [step] }];
  const steps = known.steps.includes(step)
    ? known.steps.filter((other) => other !== step)
    : [...known.steps, step].sort((a, b) => a - b);
  return parts
    .map((other) => (other === known ? { ...known, steps } : other))
    .filter((other) => other.steps.length);
}

/** The answers of a student. Only the first answer to a question counts. */
export class Score {
  /** @type {Answer[]} */
  answers = [];
  streak = 0;
  longest = 0;

  /** @param {Answer} answer */
  add(answer) {
    this.answers.push(answer);
    this.streak = answer.isRight ? this.streak + 1 : 0;
    this.longest = Math.max(this.longest, this.streak);
  }

  get right() {
    return this.answers.filter(({ isRight }) => isRight).length;
  }

  /** The score in words: `5 of 6 right, streak 3`. */
  get text() {
    if (!this.answers.length) return "no answers yet";
    return `${this.right} of ${this.answers.length} right, streak ${this.streak}`;
  }
}

/**
 * Return the summary of a score as plain text, which a student can hand in.
 * @param {Score} score
 * @param {{name: string, date: Date, total: number, link: string}} about `total` is the number of
 *   questions of a quiz, 0 without one
 */
export function summaryOf(score, { name, date, total, link }) {
  const { answers, right, longest } = score;
  const percent = answers.length ? Math.round((100 * right) / answers.length) : 0;
  const open = total - answers.length;
  const left =
    open > 0 ? ` ${open} of ${total} questions ${open === 1 ? "is" : "are"} not answered.` : "";
  const lines = [
    total ? "taquin: a quiz on searches" : "taquin: predictions of a search",
    `Name: ${name.trim() || "-"}`,
    `Date: ${date.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    `Score: ${right} of ${answers.length} right (${percent} %), longest streak ${longest}.${left}`,
    `Link: ${link}`,
  ];
  answers.forEach((answer, index) => {
    lines.push(
      "",
      `${index + 1}. ${answer.search}, board ${answer.board}, goal ${answer.goal}, step ${answer.step}`,
      `   Question: ${answer.prompt}`,
      `   Answer: ${answer.answer}`,
      `   ${answer.verdict}`,
    );
  });
  return `${lines.join("\n")}\n`;
}

/** @param {string} text @returns {QuizPart | null} */
function readPart(text) {
  const [board, goal, metric, search, steps = ""] = text.split("|").map(unescaped);
  const numbers = steps.split(".").map(Number);
  if (!board || !search || numbers.some((number) => !Number.isInteger(number) || number < 1))
    return null;
  return { board: expand(board), goal: expand(goal), metric, search, steps: numbers };
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[%|;]/g, encodeURIComponent);
}

/** @param {string} text */
function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
