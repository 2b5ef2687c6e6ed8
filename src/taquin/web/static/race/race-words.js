// The result of a race, in sentences.

import { counted, listed, seconds, thousands } from "../page/words.js";

/**
 * @typedef {{done: boolean, outcome: string, cost: number, optimal: boolean, place: number, spent: number,
 *   expanded: number}} Runner
 * @typedef {(runner: Runner) => string} NameOf
 */

const ORDINALS = ["", "1st", "2nd", "3rd", "4th"];

/** Return the status of a runner, or its result. @param {Partial<Runner>} runner */
export function statusOf({ done, outcome, place = 0, cost = 0, optimal }) {
  if (!done) return "searching …";
  if (outcome === "unsolvable") return "proved that there is no solution";
  if (outcome === "limit") return "gave up at a limit";
  if (outcome !== "solved") return "stopped";
  const rank = ORDINALS[place] ? `${ORDINALS[place]}: ` : "";
  return `${rank}${counted(cost, "move")}${optimal ? ", a shortest solution" : ""}`;
}

/**
 * Return who won and by how much, and whose solution is best; `nameOf` names a runner.
 * @param {{by: string, runners: Runner[]}} race
 * @param {NameOf} nameOf
 */
export function verdictOf({ by, runners }, nameOf) {
  const solved = runners.filter(isSolved).sort((a, b) => a.spent - b.spent);
  if (!solved.length) {
    const proven = runners.find(({ outcome }) => outcome === "unsolvable");
    if (proven) return `There is no solution; ${nameOf(proven)} proved it.`;
    return "None of them found a solution within the limits.";
  }
  return [
    winnerSentence(solved, by, nameOf),
    bestSentence(solved, nameOf),
    failedSentence(runners, nameOf),
  ]
    .filter(Boolean)
    .join(" ");
}

/** @param {Runner} runner */
function isSolved({ outcome }) {
  return outcome === "solved";
}

/** @param {Runner[]} solved @param {string} by @param {NameOf} nameOf */
function winnerSentence(solved, by, nameOf) {
  const [first] = solved;
  const tied = solved.filter(({ spent }) => spent === first.spent);
  const effort =
    by === "time"
      ? `in ${seconds(first.spent)} of searching`
      : `with ${counted(first.expanded, "expansion")}`;
  if (tied.length > 1) return `${listed(tied.map(nameOf))} finished together, ${effort}.`;
  const last = solved[solved.length - 1];
  const times = last.spent / Math.max(first.spent, 1e-9);
  const ahead =
    solved.length === 1
      ? ""
      : times >= 1.5
        ? `; ${nameOf(last)} needed ${times >= 10 ? thousands(Math.round(times)) : times.toFixed(1)} times as much`
        : `, just before ${nameOf(solved[1])}`;
  return `${nameOf(first)} was first, ${effort}${ahead}.`;
}

/** @param {Runner[]} solved @param {NameOf} nameOf */
function bestSentence(solved, nameOf) {
  const least = Math.min(...solved.map(({ cost }) => cost));
  const isProven = solved.some(({ optimal }) => optimal);
  const moves = counted(least, "move");
  if (solved.length === 1)
    return `Its solution has ${moves}${isProven ? ", and none is shorter" : ""}.`;
  const best = isProven
    ? `No solution is shorter than ${moves}`
    : `The shortest solution found has ${moves}`;
  const longer = solved
    .filter(({ cost }) => cost > least)
    .map((runner) => `${nameOf(runner)} found one of ${runner.cost}`);
  return longer.length ? `${best}; ${listed(longer)}.` : `${best}: all of them found one.`;
}

/** @param {Runner[]} runners @param {NameOf} nameOf */
function failedSentence(runners, nameOf) {
  const failed = runners.filter((runner) => !isSolved(runner));
  return failed.length ? `${listed(failed.map(nameOf))} found none within the limits.` : "";
}
