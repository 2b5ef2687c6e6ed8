// The result of a race, in sentences. A solution is called optimal or not only where that is proven.

import { text } from "../page/messages.js";
import { counted, listed, seconds, thousands } from "../page/words.js";

/**
 * @typedef {{done: boolean, outcome: string | null, cost: number | null, optimal?: boolean | null, spent: number,
 *   expanded: number}} Runner
 * @typedef {(runner: Runner) => string} NameOf
 * @typedef {"optimal" | "longer" | "unproven"} Quality of a solution
 */

/**
 * Return the place of a runner that found a solution; null while another may still be ahead of it.
 * @param {Runner} runner
 * @param {Runner[]} runners
 */
export function placeOf(runner, runners) {
  if (!isSolved(runner)) return null;
  if (runners.some(({ done, spent }) => !done && spent < runner.spent)) return null;
  return 1 + runners.filter((other) => isSolved(other) && other.spent < runner.spent).length;
}

/**
 * Return the least cost that is proven to be possible; `known` is that of a shortest solution, if it is known.
 * @param {Runner[]} runners
 * @param {number | null} known
 */
function leastOf(runners, known) {
  return Math.min(known ?? Infinity, ...runners.filter(isSolved).map(costOf));
}

/**
 * Return what is proven about a solution; `known` is the cost of a shortest one, or null.
 * @param {Runner} runner
 * @param {Runner[]} runners
 * @param {number | null} known
 * @returns {Quality}
 */
export function qualityOf(runner, runners, known) {
  const cost = costOf(runner);
  if (cost > leastOf(runners, known)) return "longer";
  const isProven = runners.some((other) => isSolved(other) && other.optimal && other.cost === cost);
  return isProven || cost === known ? "optimal" : "unproven";
}

/**
 * Return the status of a runner, or its result and what is proven about that, as two lines.
 * @param {Runner} runner
 * @param {Runner[]} runners
 * @param {number | null} known
 */
export function statusOf(runner, runners, known) {
  const { done, outcome } = runner;
  if (!done) return [text("race.searching")];
  if (outcome === "unsolvable") return [text("race.status-unsolvable")];
  if (outcome === "limit") return [text("race.status-limit")];
  if (!isSolved(runner)) return [text("race.status-stopped")];
  const place = placeOf(runner, runners);
  const count = costOf(runner);
  const first = place
    ? text("race.placed", { place: text(`race.place-${place}`), count })
    : text("race.solved", { count });
  const quality = qualityOf(runner, runners, known);
  if (quality === "optimal") return [first, text("race.optimal")];
  if (quality === "unproven") return [first, text("race.unproven")];
  return [first, text("race.not-optimal", { count: leastOf(runners, known) })];
}

/**
 * Return a warning once the first to finish is known to have a longer solution than necessary; else "".
 * @param {Runner[]} runners
 * @param {number | null} known
 * @param {NameOf} nameOf
 */
export function earlyWarning(runners, known, nameOf) {
  const first = runners.find((runner) => placeOf(runner, runners) === 1);
  if (!first || qualityOf(first, runners, known) !== "longer") return "";
  return text("race.early", { name: nameOf(first), count: costOf(first) });
}

/**
 * Return who won and by how much, and whose solution is best; `nameOf` names a runner.
 * @param {{by: string, runners: Runner[]}} race
 * @param {number | null} known
 * @param {NameOf} nameOf
 */
export function verdictOf({ by, runners }, known, nameOf) {
  const solved = runners.filter(isSolved).sort((a, b) => a.spent - b.spent);
  if (!solved.length) {
    const prover = runners.find(({ outcome }) => outcome === "unsolvable");
    return prover ? text("race.proved", { name: nameOf(prover) }) : text("race.none");
  }
  const failed = runners.filter((runner) => !isSolved(runner));
  return [
    ...winnerSentences(solved, by, nameOf),
    ...bestSentences(solved, known, nameOf),
    ...(failed.length ? [text("race.failed", { names: listed(failed.map(nameOf)) })] : []),
  ].join(" ");
}

/** @param {Runner} runner */
function isSolved({ outcome }) {
  return outcome === "solved";
}

/** Return the cost of a solution. @param {Runner} runner */
function costOf({ cost }) {
  return cost ?? Infinity;
}

/** @param {Runner[]} solved @param {string} by @param {NameOf} nameOf */
function winnerSentences(solved, by, nameOf) {
  const [first, second] = solved;
  const tied = solved.filter(({ spent }) => spent === first.spent);
  const kind = by === "time" ? "time" : "expansions";
  const effort = kind === "time" ? seconds(first.spent) : counted(first.expanded, "expansion");
  if (tied.length > 1)
    return [text(`race.tied-${kind}`, { names: listed(tied.map(nameOf)), effort })];
  const told = [text(`race.first-${kind}`, { name: nameOf(first), effort })];
  const last = solved[solved.length - 1];
  const times = last.spent / Math.max(first.spent, 1e-9);
  if (times >= 1.5) {
    const rounded = thousands(times >= 10 ? Math.round(times) : Math.round(10 * times) / 10);
    told.push(text("race.slower", { name: nameOf(last), times: rounded }));
  } else if (second) told.push(text("race.close", { name: nameOf(second) }));
  return told;
}

/** @param {Runner[]} solved @param {number | null} known @param {NameOf} nameOf */
function bestSentences(solved, known, nameOf) {
  const least = Math.min(...solved.map(costOf));
  const best = solved.find(({ cost }) => cost === least) ?? solved[0];
  const quality = qualityOf(best, solved, known);
  if (solved.length === 1) {
    if (quality === "longer")
      return [text("race.its-longer", { count: least, least: known ?? least })];
    return [text(quality === "optimal" ? "race.its-shortest" : "race.its", { count: least })];
  }
  const longer = solved.filter((runner) => costOf(runner) > least);
  const shortest = quality === "optimal" ? "race.shortest" : "race.least";
  return [
    text(shortest, { count: least }),
    ...longer.map((runner) => text("race.longer", { name: nameOf(runner), count: costOf(runner) })),
    ...(longer.length ? [] : [text("race.all")]),
  ];
}
