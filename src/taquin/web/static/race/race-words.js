// The result of a race, in sentences.

import { counted, listed, seconds, thousands } from "../page/words.js";

const ORDINALS = ["", "1st", "2nd", "3rd", "4th"];

/** Return the status of a runner, or its result. */
export function statusOf(runner) {
  if (!runner.done) return "searching …";
  if (runner.outcome !== "solved") {
    return (
      { unsolvable: "proved that there is no solution", limit: "gave up at a limit" }[
        runner.outcome
      ] ?? "stopped"
    );
  }
  const place = ORDINALS[runner.place] ? `${ORDINALS[runner.place]}: ` : "";
  const proven = runner.optimal ? ", a shortest solution" : "";
  return `${place}${counted(runner.cost, "move")}${proven}`;
}

/** Return who won and by how much, and whose solution is best; `nameOf` names a runner. */
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

function isSolved({ outcome }) {
  return outcome === "solved";
}

function winnerSentence(solved, by, nameOf) {
  const [first] = solved;
  const tied = solved.filter(({ spent }) => spent === first.spent);
  const effort =
    by === "time"
      ? `in ${seconds(first.spent)} of searching`
      : `with ${counted(first.expanded, "expansion")}`;
  if (tied.length > 1) return `${listed(tied.map(nameOf))} finished together, ${effort}.`;
  const last = solved.at(-1);
  const times = last.spent / Math.max(first.spent, 1e-9);
  const ahead =
    solved.length === 1
      ? ""
      : times >= 1.5
        ? `; ${nameOf(last)} needed ${times >= 10 ? thousands(Math.round(times)) : times.toFixed(1)} times as much`
        : `, just before ${nameOf(solved[1])}`;
  return `${nameOf(first)} was first, ${effort}${ahead}.`;
}

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

function failedSentence(runners, nameOf) {
  const failed = runners.filter((runner) => !isSolved(runner));
  return failed.length ? `${listed(failed.map(nameOf))} found none within the limits.` : "";
}
