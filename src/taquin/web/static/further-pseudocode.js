// The pseudocode of searches that have a loop of their own, in lines as in `pseudocode.js`.

const KNOWN = "known already: discard it";

/** Return the pseudocode of a search from both ends. */
function fromBothEnds(choice) {
  return [
    ["start", 0, "a frontier at the start, a frontier at the goal"],
    ["loop", 0, "repeat until no pair of waiting boards can beat the best meeting:"],
    ["dequeue", 1, choice],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, KNOWN],
    ["enqueue", 2, "otherwise: put it into the frontier of its side"],
    ["improved", 2, "if the other side has it: a solution is known"],
    ["goal", 0, "done: join the paths of the best meeting"],
  ];
}

/** Return the pseudocode of a search that expands one board at a time from one frontier. */
function bestFirst(choice, ...more) {
  return [
    ["start", 0, "put the start into the frontier"],
    ["loop", 0, "while the frontier has boards:"],
    ["dequeue", 1, choice],
    ["discard", 1, "if a shorter path to it was found: discard it"],
    ["goal", 1, "if it is the goal: done"],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, KNOWN],
    ["enqueue", 2, "otherwise: put it into the frontier"],
    ...more,
    ["end", 0, "the frontier is empty: no solution"],
  ];
}

/** Return the pseudocode of a search that goes depth-first within rising bounds. */
function deepening(first, next) {
  return [
    ["start", 0, `bound ← ${first}`],
    ["round", 0, "repeat: visit the start"],
    ["raise", 1, `bound ← ${next}`],
    ["visit", 0, "to visit a board:"],
    ["goal", 1, "if it is the goal: done"],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, "it undoes the last move: discard it"],
    ["cut", 2, "its f is beyond the bound: cut it off"],
    ["enqueue", 2, "otherwise: visit it"],
    ["backtrack", 1, "go back to its parent"],
  ];
}

/** Return the pseudocode of an agent that plans, learns and walks. */
function realTime(plan) {
  return [
    ["start", 0, "stand at the start"],
    ["goal", 0, "while the present board is not the goal:"],
    ["dequeue", 1, plan],
    ["expand", 2, "for each of its children:"],
    ["duplicate", 3, "planned already: discard it"],
    ["enqueue", 3, "f ← g + the estimate learnt so far"],
    ["discard", 2, "a shorter path to it was found: discard it"],
    ["learn", 1, "raise the estimates of the expanded boards from those around them"],
    ["prune", 1, "walk to the board with the least f; drop the others"],
  ];
}

/** Return the pseudocode of a walk with one present board. */
function walking(...choice) {
  return [
    ["start", 0, "stand at the start"],
    ["goal", 0, "while the present board is not the goal:"],
    ["expand", 1, "look at its children:"],
    ["enqueue", 2, choice[0]],
    ["prune", 2, choice[1]],
    ["end", 0, "after too many tries: give up"],
  ];
}

/** @type {Record<string, any[]>} */
export const FURTHER_LINES = {
  mm: fromBothEnds("dequeue the board with the least max(g + h, 2 · g) of both sides"),
  nbs: fromBothEnds("dequeue the pair with the least max(f, f, g + g + 1), one board of each side"),
  arastar: bestFirst(
    "dequeue the board with the least f = g + w · h",
    ["improved", 1, "no waiting board has less f than the best solution costs: the round ends"],
    ["lower", 1, "lower w, and go on with the boards that wait or were put off"],
  ),
  widastar: deepening("w · h of the start", "the least f = g + w · h that was cut off"),
  focal: bestFirst("of the boards with f ≤ w · the least f: dequeue the one with the least h"),
  potential: bestFirst("of the boards with f ≤ w · the least f: dequeue the one with the greatest (w · least f − g) / h"),
  peastar: bestFirst(
    "dequeue the board with the least value F",
    ["cut", 2, "its f is above F: leave it out"],
    ["backtrack", 1, "if any was left out: F ← their least f, and back into the frontier"],
  ),
  bts: deepening("h of the start", "one that takes twice the work or more, at most 8 times"),
  lrtastar: realTime("expand the present board"),
  "lss-lrtastar": realTime("expand the boards around it by A*, as many as the lookahead allows"),
  "hill-climbing": walking("go to the child with the least h, if that is less; otherwise make random moves", "drop the other children"),
  annealing: walking("go to a random child: always if h is not more, else the more rarely the colder it is", "otherwise drop it and stay"),
};
