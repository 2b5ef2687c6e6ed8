import assert from "node:assert/strict";
import { test } from "node:test";
import { Film } from "../../../src/taquin/web/static/trace/film.js";
import { TraceModel } from "../../../src/taquin/web/static/trace/trace-model.js";
import { childrenOf, nodeOf } from "../../../src/taquin/web/static/trace/trace-steps.js";
import { verdictOf, keyOf, questionOf } from "../../../src/taquin/web/static/watch/questions.js";
import {
  Score,
  quizQuestions,
  readQuiz,
  summaryOf,
  toggled,
  writeQuiz,
} from "../../../src/taquin/web/static/watch/quiz.js";
import { sourceOf, traces } from "./traces.js";

const ALL = traces();
const LEAST = {
  bfs: ({ g }) => g,
  ucs: ({ g }) => g,
  greedy: ({ h }) => h,
  "capped-beam": ({ h }) => h,
  astar: ({ g, h }) => g + h,
  wastar: ({ g, h }) => g + 3 * h,
};
const KINDS = {
  bidirectional: ["side", "dequeue", "children"],
  beam: ["dropped", "dequeue", "children"],
  idastar: ["bound", "children"],
  ids: ["bound", "children"],
  dfs: ["children"],
  mm: ["children"],
  nbs: ["children"],
  arastar: ["children"],
  widastar: ["children"],
  focal: ["children"],
  potential: ["children"],
  peastar: ["children"],
  bts: ["children"],
  lrtastar: ["children"],
  "lss-lrtastar": ["children"],
  "hill-climbing": ["children"],
  annealing: ["children"],
};

/** Yield every step of a trace with its question and the model before it. */
function* asked({ header, steps }) {
  const model = new TraceModel(header);
  for (const step of steps) {
    yield { step, model, question: questionOf(model, step) };
    model.apply(step);
  }
}

/** Return the answer that the search itself gives. */
function truth(question, step) {
  const keys = question.kind === "dequeue" ? [keyOf(nodeOf(step))] : [...question.right];
  return new Set(keys);
}

test("what a search does is a right answer, and every search asks its kinds of questions", () => {
  for (const trace of ALL) {
    const kinds = new Set();
    for (const { step, question } of asked(trace)) {
      if (!question) continue;
      kinds.add(question.kind);
      assert.ok(question.isRight(truth(question, step)), `${trace.name} ${question.kind}`);
    }
    const name = trace.name.slice(3, -6);
    assert.deepEqual([...kinds].sort(), [...(KINDS[name] ?? ["dequeue", "children"])].sort(), name);
  }
});

test("any board of least priority may be dequeued, and no other", () => {
  for (const trace of ALL) {
    const rule = LEAST[trace.name.slice(3, -6)];
    if (!rule) continue;
    const waiting = new Map();
    for (const { step, question } of asked(trace)) {
      if (question?.kind === "dequeue") {
        const least = Math.min(...[...waiting.values()].map(rule));
        const right = [...waiting.values()].filter((node) => rule(node) === least).map(keyOf);
        assert.deepEqual([...question.right].sort(), right.sort(), trace.name);
      }
      for (const { name, node, fate } of step.events) {
        if (name === "started" || ["enqueued", "reopened", "updated"].includes(fate))
          waiting.set(node.number, node);
        if (["expanded", "discarded", "goal-found"].includes(name)) waiting.delete(node.number);
      }
    }
  }
});

test("a beam may drop any boards that leave the nearest ones", () => {
  const beam = ALL.find(({ name }) => name.includes(" beam"));
  for (const { step, question } of asked(beam)) {
    if (question?.kind !== "dropped") continue;
    const { choices } = question;
    const sorted = choices.map(({ node }) => node.h).sort((a, b) => a - b);
    const kept = sorted.slice(
      0,
      sorted.length - childrenOf(step).filter(({ fate }) => fate === "pruned").length,
    );
    for (let bits = 0; bits < 2 ** choices.length; bits += 1) {
      const isIn = (_, at) => Math.floor(bits / 2 ** at) % 2 === 1;
      const rest = choices
        .filter((choice, at) => !isIn(choice, at))
        .map(({ node }) => node.h)
        .sort((a, b) => a - b);
      const keys = new Set(choices.filter(isIn).map(({ key }) => key));
      assert.equal(question.isRight(keys), rest.join() === kept.join());
    }
  }
});

test("a wrong board is told apart by its numbers, and a tie with its rule", () => {
  const [astar] = ALL;
  const [, , { step, model, question }] = [...asked({ ...astar, steps: astar.steps.slice(0, 3) })];
  const model2 = new TraceModel(astar.header);
  for (const earlier of astar.steps.slice(0, 2)) model2.apply(earlier);
  assert.equal(model.step, 2);
  const worst = question.choices.find(({ node }) => node.f === 12);
  assert.deepEqual(verdictOf(question, new Set([worst.key]), step, model2), [
    "No: it has f = g + h = 1 + 11 = 12, and the frontier has a board with f = 10.",
    "2 boards tie at f = 10, so any of them is right.",
    "Here the one with the lowest h comes first.",
  ]);
});

test("a film shows the next step without going there, and two readers get each step once", async () => {
  const counts = { begun: 0, given: 0, closed: 0 };
  const film = new Film(sourceOf(ALL[0], counts));
  await film.seek(3);
  const [peeked] = await Promise.all([film.peek(), film.seek(5)]);
  assert.equal(peeked, ALL[0].steps[4]);
  assert.deepEqual([film.position, film.step, counts.given], [5, ALL[0].steps[5], 6]);
  await film.seek(1e9);
  assert.equal(await film.peek(), null);
});

test("a node of the tree knows the step that expanded it, or else generated it", () => {
  for (const { name, header, steps } of ALL) {
    const model = new TraceModel(header);
    for (const step of steps) model.apply(step);
    for (const drawn of model.tree.nodes) {
      const { step } = drawn;
      const involved = steps[step].events.flatMap(({ node }) => (node ? [node.cells.join()] : []));
      assert.ok(involved.includes(drawn.node.cells.join()), `${name}: step ${step}`);
      if (drawn.status === "expanded")
        assert.deepEqual(nodeOf(steps[step]).cells, drawn.node.cells, name);
    }
  }
});

test("a quiz is written into a link and read again, whatever the names of tiles are", () => {
  const quiz = [
    {
      board: "4 1 3 / 0 2 6 / 7 5 8",
      goal: "blank-last",
      metric: "single",
      search: "astar(manhattan)",
      steps: [3, 7],
    },
    {
      board: "a|b 50% / 0 ä",
      goal: "a|b 50% / ä 0",
      metric: "multi",
      search: "beam(manhattan, width=3)",
      steps: [1],
    },
  ];
  assert.deepEqual(readQuiz(writeQuiz(quiz)), quiz);
  assert.deepEqual(
    quizQuestions(quiz).map(({ step }) => step),
    [3, 7, 1],
  );
  for (const broken of [
    "",
    "x",
    "1,0|blank-last|single|bfs|",
    "1,0|blank-last|single|bfs|0",
    "1,0|blank-last|single|bfs|a",
  ]) {
    assert.throws(() => readQuiz(broken), /cannot be read/);
  }
});

test("a question is added to a quiz in order, and removed again", () => {
  const search = { board: "1 0", goal: "0 1", metric: "single", search: "bfs" };
  const quiz = [5, 2].reduce((parts, step) => toggled(parts, { ...search, step }), []);
  assert.deepEqual(quiz, [{ ...search, steps: [2, 5] }]);
  assert.deepEqual(
    [2, 5].reduce((parts, step) => toggled(parts, { ...search, step }), quiz),
    [],
  );
});

test("the summary has the score, the longest streak and every answer", () => {
  const score = new Score();
  const answer = {
    search: "A*",
    board: "1 0",
    goal: "0 1",
    step: 1,
    prompt: "Which?",
    key: "",
    answer: "1 left",
    sentences: ["Right."],
  };
  for (const isRight of [true, true, false, true]) score.add({ ...answer, isRight });
  assert.equal(score.text, "3 of 4 right, streak 1");
  const text = summaryOf(score, {
    name: " Ada ",
    date: new Date(0),
    total: 5,
    link: "http://x/#watch",
  });
  assert.match(text, /^Name: Ada$/m);
  assert.match(
    text,
    /^Score: 3 of 4 right \(75 %\), longest streak 2\. 1 of 5 questions is not answered\.$/m,
  );
  assert.equal(text.match(/^\d\. A\*, board 1 0, goal 0 1, step 1$/gm).length, 4);
});
