// The daily board: one for each date, the same for everyone; and the streak of days on which it was solved.
//
//     dailyBoard("2026-11-18")        {rows: 3, columns: 3, cells: [5, 0, 8, …]}
//
// A day is a text like this one. Its board depends on nothing else, so the functions that make it must never change:
// results of one day could not be compared any more.

import { tileDistances } from "../puzzle/puzzle.js";
import { dealt, generator } from "../puzzle/shuffle.js";

/** @import { Board } from "../puzzle/puzzle.js" */
/** @typedef {{last: string, count: number}} Streak the last day that was solved in time, and how many in a row */

const DAY_MS = 86_400_000;
/** Rows and columns, Sunday first; of all these sizes Python knows the fewest moves within seconds. */
const SIZES = [
  [4, 4],
  [3, 3],
  [3, 3],
  [3, 3],
  [3, 4],
  [3, 4],
  [4, 4],
];
/** The least Manhattan distance for each cell: nearer boards are dealt again. */
const LEAST_PER_CELL = 1.5;

/** Return the day of a clock, in its own time zone. */
export function today(now = new Date()) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Return whether a text is a day of the calendar. @param {string} text */
export function isDay(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && dayOf(numberOf(text)) === text;
}

/** Return the board of a day; its goal is the named one with the blank last. @param {string} day @returns {Board} */
export function dailyBoard(day) {
  const random = generator(Math.imul(numberOf(day), 0x9e3779b1));
  const [rows, columns] = SIZES[new Date(day).getUTCDay()];
  const sorted = [...Array(rows * columns).keys()];
  const goal = [...sorted.slice(1), 0];
  for (;;) {
    const cells = dealt(sorted, goal, columns, random);
    let distance = 0;
    for (const steps of tileDistances({ cells, columns }, goal)) distance += steps ?? 0;
    if (distance >= LEAST_PER_CELL * cells.length) return { rows, columns, cells };
  }
}

/**
 * Return the streak after the board of a day was solved: only the board of today counts, and only once.
 * @param {Streak} streak
 * @param {string} day
 * @param {string} now
 */
export function streakAfter(streak, day, now) {
  if (day !== now || streak.last === now) return streak;
  return { last: now, count: runningStreak(streak, now) + 1 };
}

/** Return how many days the streak has; a missed day ends it. @param {Streak} streak @param {string} now */
export function runningStreak({ last, count }, now) {
  return last === now || last === dayOf(numberOf(now) - 1) ? count : 0;
}

/** Read a streak as this browser stores it. @param {string | null} text @returns {Streak} */
export function readStreak(text) {
  const [last = "", count = "0"] = (text ?? "").split(" ");
  return { last, count: Number(count) || 0 };
}

/** @param {Streak} streak */
export function writeStreak({ last, count }) {
  return `${last} ${count}`;
}

/** Return the number of a day since 1970; NaN for another text. @param {string} day */
function numberOf(day) {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/** @param {number} number */
function dayOf(number) {
  return Number.isNaN(number) ? "" : new Date(number * DAY_MS).toISOString().slice(0, 10);
}
