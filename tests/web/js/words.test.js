import assert from "node:assert/strict";
import { saidAsText } from "../../../src/taquin/web/static/page/messages.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { seconds } from "../../../src/taquin/web/static/page/words.js";
import {
  earlyWarning,
  statusOf,
  verdictOf,
} from "../../../src/taquin/web/static/race/race-words.js";
import {
  orderOf,
  readSearch,
  titleOf,
  writeSearch,
} from "../../../src/taquin/web/static/search/searches.js";
import { boardsOf, describeBest } from "../../../src/taquin/web/static/solve/solution.js";
import { TraceModel } from "../../../src/taquin/web/static/trace/trace-model.js";
import { childrenOf, nodeOf } from "../../../src/taquin/web/static/trace/trace-steps.js";
import { fateReason, sentencesOf } from "../../../src/taquin/web/static/trace/trace-words.js";
import { stepsOf, traces } from "./traces.js";

const SEARCHES = JSON.parse(readFileSync(join(process.env.TAQUIN_TRACES, "searches.json"), "utf8"));

test("the text of a search is read into its parts and written again", () => {
  for (const text of SEARCHES)
    assert.equal(writeSearch(readSearch(text)), text.replaceAll("_", "-"));
});

test("a heuristic made of others stays whole", () => {
  const text = "astar(max(manhattan, patterns([1 2], [3 4])), weight=2)";
  assert.deepEqual(readSearch(text), {
    name: "astar",
    heuristic: "max(manhattan, patterns([1 2], [3 4]))",
    options: { weight: "2" },
  });
});

test("a search is called by the titles of the catalogue", () => {
  const catalogue = {
    algorithms: [{ name: "wastar", title: "Weighted A*" }],
    heuristics: [{ name: "manhattan", title: "Manhattan" }],
  };
  assert.equal(
    titleOf("wastar(manhattan, weight=3)", catalogue),
    "Weighted A* (Manhattan, weight 3)",
  );
});

test("the deepest board of every search is the one that its counters name", () => {
  for (const { name, header, steps } of traces()) {
    const model = new TraceModel(header);
    const goal = steps.findIndex(({ kind }) => kind === "goal");
    for (const step of steps) {
      model.apply(step);
      if (model.result) assert.equal(model.deepest, model.result.stats.max_depth, name);
      assert.ok(model.deepest >= (model.current?.g ?? 0), name);
    }
    assert.ok(goal < 0 || model.deepest >= nodeOf(steps[goal]).g, name);
  }
});

/** Call `check(step, model, said, before)` for every step of the traces whose names match. */
function forEachStep(pattern, check) {
  for (const { name, header, steps } of traces().filter((trace) => pattern.test(trace.name))) {
    const model = new TraceModel(header);
    for (const step of steps) {
      const before = model.frontier.entries.map(({ node }) => node);
      model.apply(step);
      check(step, model, sentencesOf(step, model).join(" "), before, name);
    }
  }
}

test("a search without an estimate proves nothing by one", () => {
  forEachStep(/ (bfs|ucs|ids|dfs|bidirectional)\./, (_step, _model, said) =>
    assert.doesNotMatch(said, /ruled out|promises/),
  );
  forEachStep(/ (astar|idastar|rbfs)\./, (step, _model, said) => {
    if (step.kind === "goal") assert.match(said, /ruled out by its estimate/);
  });
});

/** Return the steps of a search of the user's own that finds the goal after two moves. */
function ownSteps(result) {
  const node = (number, depth, h = 0) => ({
    number,
    parent: number ? number - 1 : null,
    board: [
      [1, 0],
      [3, 2],
    ],
    move: null,
    depth,
    h,
    f: depth + h,
  });
  return stepsOf([
    { event: "started", node: node(0, 0) },
    { event: "expanded", node: node(0, 0), frontier: 0, closed: 0 },
    { event: "generated", node: node(1, 1), fate: "enqueued" },
    { event: "goal-found", node: node(1, 1) },
    {
      event: "finished",
      result: {
        outcome: "solved",
        cost: 1,
        lower_bound: 1,
        optimal: true,
        reason: "",
        assumes: "",
        stats: { max_depth: 1 },
        ...result,
      },
    },
  ]);
}

/** Return everything that is said of a search of the user's own, and the model at its end. */
function saidOf(algorithm, result = {}) {
  const model = new TraceModel({ algorithm });
  const said = ownSteps(result).map((step) => {
    model.apply(step);
    return sentencesOf(step, model).join(" ");
  });
  return { said: said.join(" "), model };
}

test("a search of one's own without a heuristic estimates nothing", () => {
  const { said, model } = saidOf("mine.py:mine");
  assert.match(said, /^The search starts at this board\. Expand the board that the search chose/);
  assert.doesNotMatch(said, /needed|priority/);
  assert.equal(model.deepest, 1);
});

test("user code proves nothing: a solution is checked, or optimal under an assumption", () => {
  const search = "astar(mine.py:lie)";
  assert.match(saidOf(search).said, /No solution is shorter \(checked\)\.$/);
  const longer = {
    optimal: false,
    reason: "8 moves longer than the optimum; mine.py:lie is not admissible (63 > 31 here)",
  };
  assert.match(
    saidOf(search, longer).said,
    /It is 8 moves longer than the optimum; mine\.py:lie is not admissible \(63 > 31 here\)\.$/,
  );
  const assumed = { optimal: false, assumes: "mine.py:lie is admissible" };
  assert.match(saidOf(search, assumed).said, /It is optimal if mine\.py:lie is admissible\.$/);
});

test("a board that others tie with is the best of none: the sentence names the rule that chose it", () => {
  const rules = {
    fifo: "it was enqueued first",
    lifo: "it was enqueued last",
    "low-h": "its estimate is the least",
  };
  let ties = 0;
  forEachStep(/ (astar|wastar|greedy|ucs)\./, (step, model, said, before, name) => {
    if (step.kind !== "expand") return;
    const tied = before.filter(({ f }) => f === nodeOf(step).f).length;
    if (tied > 1)
      assert.ok(
        said.includes(`Of the ${tied} boards`) && said.includes(rules[model.order.ties]),
        `${name}: ${said}`,
      );
    else assert.doesNotMatch(said, /Of the \d+ boards/);
    ties += tied > 1;
  });
  assert.ok(ties > 100);
});

test("the side of a bidirectional search is said to be smaller only where it is", () => {
  let equal = 0;
  forEachStep(/bidirectional/, (step, _model, said, before) => {
    if (step.kind !== "round") return assert.doesNotMatch(said, /smaller frontier/);
    const [start, goal] = ["start", "goal"].map(
      (side) => before.filter((node) => node.side === side).length,
    );
    equal += start === goal;
    if (start === goal) return assert.match(said, /Both frontiers have/);
    return assert.match(
      said,
      new RegExp(
        `from the ${start < goal ? "start" : "goal"} has the smaller frontier \\(${Math.min(start, goal)} against ${Math.max(start, goal)}\\)`,
      ),
    );
  });
  assert.ok(equal);
});

test("one board that is dropped looks, several look", () => {
  const said = [];
  forEachStep(/ beam\./, (_step, _model, sentence) => said.push(sentence));
  assert.doesNotMatch(said.join(" "), /the 1 board that look /);
  assert.match(said.join(" "), /the 1 board that looks farthest is dropped/);
});

test("only a search with a bound speaks of one", () => {
  forEachStep(/ dfs\./, (step, model) => {
    for (const child of childrenOf(step)) {
      assert.equal(
        /bound/.test(fateReason(child, model)),
        model.bound !== null && child.fate !== "duplicate",
      );
    }
  });
});

const solved = (name, expanded, cost, more = {}) => ({
  name,
  done: true,
  outcome: "solved",
  expanded,
  spent: expanded,
  cost,
  optimal: false,
  ...more,
});
const nameOf = ({ name }) => name;

test("a race says who was first, by how much, and whose solution is longer", () => {
  const runners = [solved("A*", 76, 14, { optimal: true }), solved("Greedy", 228, 36)];
  assert.equal(
    verdictOf({ by: "expansions", runners }, null, nameOf),
    "A* was first, with 76 expansions. Greedy needed 3 times as much. " +
      "No solution is shorter than 14 moves. Greedy found one of 36 moves.",
  );
});

test("a solution is called optimal or not only where that is proven", () => {
  const [first, running] = [
    solved("Greedy", 20, 36),
    { name: "BFS", done: false, outcome: null, expanded: 30, spent: 30, cost: null },
  ];
  const runners = [first, running];
  assert.deepEqual(statusOf(first, runners, null), ["1st: 36 moves", "not proven optimal"]);
  assert.equal(earlyWarning(runners, null, nameOf), "");
  assert.deepEqual(statusOf(first, runners, 36), ["1st: 36 moves", "a shortest solution"]);
  assert.deepEqual(statusOf(first, runners, 14), ["1st: 36 moves", "not optimal: 14 are enough"]);
  assert.equal(
    earlyWarning(runners, 14, nameOf),
    "Greedy is first, but with 36 moves: not optimal.",
  );
  const shorter = [first, solved("Beam", 25, 30)];
  assert.equal(statusOf(first, shorter, null)[1], "not optimal: 30 are enough");
  const behind = [first, { ...running, spent: 10 }];
  assert.equal(statusOf(first, behind, null)[0], "36 moves");
});

test("a race without a winner says so", () => {
  const lost = { name: "DFS", done: true, outcome: "limit", expanded: 9, spent: 9, cost: null };
  const verdict = (runners) => verdictOf({ by: "expansions", runners }, null, nameOf);
  assert.match(verdict([lost, lost]), /^None of them/);
  const proven = { ...lost, name: "BFS", outcome: "unsolvable" };
  assert.match(verdict([lost, proven]), /BFS proved it/);
});

test("no time is said to be nothing", () => {
  assert.deepEqual([0.000012, 0.25, 3.14, 61].map(seconds), [
    "12 µs",
    "250 ms",
    "3.1 s",
    "1 min 1 s",
  ]);
});

test("runners with the same count finish together", () => {
  const runners = [solved("A", 5, 3), solved("B", 5, 3)];
  assert.match(
    verdictOf({ by: "expansions", runners }, null, nameOf),
    /^A and B finished together/,
  );
  assert.equal(statusOf(runners[1], runners, null)[0], "1st: 3 moves");
});

test("the boards of a solution end at its goal", () => {
  const { result } = traces()
    .map(({ steps }) => steps.at(-1).events.at(-1))
    .find((each) => each.result?.moves);
  const start = result.start;
  const puzzle = { rows: start.length, columns: start[0].length, cells: start.flat() };
  const boards = boardsOf(puzzle, result.moves);
  assert.equal(boards.length, result.cost + 1);
  assert.deepEqual(boards.at(-1), result.puzzle.goal.cells);
});

test("the gap of the best so far is told in per cent, rounded up", () => {
  assert.equal(
    describeBest({ cost: 62, lower_bound: 50, gap: 0.24 }),
    "Best so far: 62 moves; a shortest has at least 50, so it is within 24 % of it.",
  );
  assert.equal(
    describeBest({ cost: 50, lower_bound: 50, gap: 0 }),
    "Best so far: 50 moves, and none is shorter.",
  );
});

test("a message of Python is written from its code, with messages in it; else it is as it is", () => {
  const large = {
    sentence: "zu groß",
    code: "too-large",
    parameters: { rows: 40, columns: 40, count: 1200 },
  };
  assert.equal(saidAsText(large), "The board has 40×40 cells; at most 1,200 are possible here.");
  const crash = { sentence: "it crashed", code: "crashed", parameters: { name: "SIGSEGV" } };
  const told = { sentence: "aus", code: "broken", parameters: { reason: crash } };
  assert.equal(saidAsText(told), "The search was ended: it crashed.");
  const unknown = { sentence: "a fault", code: "of-tomorrow", parameters: {} };
  const error = { error: "x", code: "unreadable", parameters: { detail: unknown } };
  assert.equal(saidAsText(error), "This cannot be read: a fault");
  assert.equal(saidAsText({ error: "a fault" }), "a fault");
});

function openingOf(algorithm) {
  const node = { number: 0, h: 5, g: 0, f: 5, side: "start" };
  return sentencesOf(
    { kind: "start", events: [{ event: "started", node }] },
    { order: orderOf(algorithm) },
  ).join(" ");
}

test("an estimate that never exceeds the truth is a bound, any other a guess", () => {
  assert.match(openingOf("astar(manhattan, weight=2)"), /at least 5 moves are needed/);
  assert.match(openingOf("idastar(patterns(large))"), /at least 5 moves are needed/);
  assert.match(
    openingOf("astar(max(manhattan, patterns([1 2 3], [4 5 6])))"),
    /at least 5 moves are needed/,
  );
  assert.match(openingOf("astar(max(manhattan, mine.py:guess))"), /about 5 moves are needed/);
  assert.match(openingOf("astar(manhattan-agent)"), /about 5 moves are needed/);
  assert.match(openingOf("greedy(mine.py:guess)"), /about 5 moves are needed/);
});

test("long solutions and their bounds have their thousands apart alike", () => {
  assert.equal(
    describeBest({ cost: 23292, lower_bound: 5230, gap: 3.46 }),
    "Best so far: 23,292 moves; a shortest has at least 5,230, so it is within 346 % of it.",
  );
});
