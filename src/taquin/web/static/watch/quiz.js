// A quiz in a link, the score of a student, and the summary to hand in.
//
//     quiz=4,1,3/0,2,6/7,5,8|blank-last|single|astar(manhattan)|3.7;…
//
// A part of a quiz is a search of a board and the steps that are asked; a semicolon ends a part.

import { locale, text } from "../page/messages.js";
import { compact, expand } from "../page/state.js";

/** @typedef {{board: string, goal: string, metric: string, search: string, steps: number[]}} QuizPart */
/**
 * @typedef {{key: string, search: string, board: string, goal: string, step: number, prompt: string,
 *   answer: string, isRight: boolean, sentences: string[]}} Answer `key` tells searches apart, `sentences`
 *   say why
 */

/** @type {("board" | "goal" | "metric" | "search")[]} */
const KEYS = ["board", "goal", "metric", "search"];

/**
 * Return the parts of a text; throw an Error whose message is a sentence if it is not a quiz.
 * @param {string} quiz
 * @returns {QuizPart[]}
 */
export function readQuiz(quiz) {
  const texts = quiz.split(";").filter(Boolean);
  const parts = texts.map(readPart).filter((part) => part !== null);
  if (!texts.length || parts.length < texts.length) throw new Error(text("predict.unreadable"));
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
  /** @param {Answer[]} answers */
  constructor(answers = []) {
    this.answers = answers;
  }

  /** @param {Answer} answer */
  add(answer) {
    this.answers.push(answer);
  }

  /** Return the answer about a step of a search; undefined if there is none. @param {string} key @param {number} step */
  find(key, step) {
    return this.answers.find((answer) => answer.key === key && answer.step === step);
  }

  get right() {
    return this.answers.filter(({ isRight }) => isRight).length;
  }

  /** How many of the last answers are right, one after another. */
  get streak() {
    return this.answers.length - 1 - this.answers.findLastIndex(({ isRight }) => !isRight);
  }

  /** The score in words: `5 of 6 right, streak 3`. */
  get text() {
    const { answers, right, streak } = this;
    return answers.length
      ? text("predict.score", { right, count: answers.length, streak })
      : text("predict.score-none");
  }
}

/** Return the most right answers one after another. @param {Answer[]} answers */
function longestStreak(answers) {
  let [longest, streak] = [0, 0];
  for (const { isRight } of answers) {
    streak = isRight ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return longest;
}

/**
 * Return the summary of a score as plain text, which a student can hand in.
 * @param {Score} score
 * @param {{name: string, date: Date, total: number, link: string}} about `total` is the number of
 *   questions of a quiz, 0 without one
 */
export function summaryOf({ answers, right }, { name, date, total, link }) {
  const count = answers.length;
  const percent = count ? Math.round((100 * right) / count) : 0;
  const score = [
    text("predict.text-score", { right, count, percent, longest: longestStreak(answers) }),
  ];
  if (total > count) score.push(text("predict.text-open", { count: total - count, total }));
  const day = date.toLocaleString(locale(), {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const lines = [
    text(total ? "predict.text-quiz" : "predict.text-predictions"),
    text("predict.text-name", { name: name.trim() || "-" }),
    text("predict.text-date", { date: day }),
    score.join(" "),
    text("predict.text-link", { link }),
  ];
  answers.forEach(({ search, board, goal, step, prompt, answer, sentences }, index) => {
    lines.push(
      "",
      text("predict.text-step", { number: index + 1, search, board, goal, step }),
      `   ${text("predict.text-question", { prompt })}`,
      `   ${text("predict.text-answer", { answer })}`,
      `   ${sentences.join(" ")}`,
    );
  });
  return `${lines.join("\n")}\n`;
}

/** @param {string} part @returns {QuizPart | null} */
function readPart(part) {
  const [board, goal, metric, search, steps = ""] = part.split("|").map(unescaped);
  const numbers = steps.split(".").map(Number);
  if (!board || !search || numbers.some((number) => !Number.isInteger(number) || number < 1))
    return null;
  return { board: expand(board), goal: expand(goal), metric, search, steps: numbers };
}

/** @param {string} value */
function escaped(value) {
  return value.replace(/[%|;]/g, encodeURIComponent);
}

/** @param {string} value */
function unescaped(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
