// What came of a race, in plain sentences.

import { counted, listed, seconds, thousands } from "./words.js";

const ORDINALS = ["", "1st", "2nd", "3rd", "4th"];

/** Say how a runner is doing, or how it ended. */
export function statusOf(runner) {
  if (!runner.done) return "searching …";
  if (runner.outcome !== "solved") {
    return { unsolvable: "proved that there is no solution", limit: "gave up at a limit" }[runner.outcome] ?? "stopped";
  }
  const place = ORDINALS[runner.place] ? `${ORDINALS[runner.place]}: ` : "";
  const proven = runner.optimal ? ", a shortest solution" : "";
  return `${place}${counted(runner.cost, "move")}${proven}`;
}

/** Say who won and by how much, and whose solution is best; `nameOf` names a runner. */
export function verdictOf({ by, runners }, nameOf) {
  const solved = runners.filter((each) => each.outcome === "solved").sort((one, other) => one.spent - other.spent);
  if (!solved.length) {
    const proven = runners.find((each) => each.outcome === "unsolvable");
    if (proven) return `There is no solution; ${nameOf(proven)} proved it.`;
    return "None of them found a solution within the limits.";
  }
  return [winning(solved, by, nameOf), quality(solved, nameOf), failing(runners, nameOf)].filter(Boolean).join(" ");
}

function winning(solved, by, nameOf) {
  const [first] = solved;
  const equals = solved.filter((each) => each.spent === first.spent);
  const spent = by === "time" ? `in ${seconds(first.spent)} of searching` : `with ${counted(first.expanded, "expansion")}`;
  if (equals.length > 1) return `${listed(equals.map(nameOf))} finished together, ${spent}.`;
  const last = solved.at(-1);
  const times = last.spent / Math.max(first.spent, 1e-9);
  const ahead = solved.length === 1 ? "" : times >= 1.5
    ? `; ${nameOf(last)} needed ${times >= 10 ? thousands(Math.round(times)) : times.toFixed(1)} times as much`
    : `, just before ${nameOf(solved[1])}`;
  return `${nameOf(first)} was first, ${spent}${ahead}.`;
}

function quality(solved, nameOf) {
  const least = Math.min(...solved.map((each) => each.cost));
  const isProven = solved.some((each) => each.optimal);
  const moves = counted(least, "move");
  if (solved.length === 1) return `Its solution has ${moves}${isProven ? ", and none is shorter" : ""}.`;
  const best = isProven ? `No solution is shorter than ${moves}` : `The shortest solution found has ${moves}`;
  const longer = solved.filter((each) => each.cost > least)
    .map((each) => `${nameOf(each)} found one of ${each.cost}`);
  return longer.length ? `${best}; ${listed(longer)}.` : `${best}: all of them found one.`;
}

function failing(runners, nameOf) {
  const failed = runners.filter((each) => each.outcome !== "solved");
  return failed.length ? `${listed(failed.map(nameOf))} found none within the limits.` : "";
}
