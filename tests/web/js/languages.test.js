// What is said of every step of every search is said in every language, wholly.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { useMessages } from "../../../src/taquin/web/static/page/messages.js";
import { listed, moveName, value } from "../../../src/taquin/web/static/page/words.js";
import { TraceModel } from "../../../src/taquin/web/static/trace/trace-model.js";
import { childrenOf } from "../../../src/taquin/web/static/trace/trace-steps.js";
import {
  describeNode,
  fateName,
  fateReason,
  sentencesOf,
} from "../../../src/taquin/web/static/trace/trace-words.js";
import { explained, pseudocode } from "../../../src/taquin/web/static/watch/explain.js";
import {
  choiceText,
  hintOf,
  promptOf,
  questionOf,
  verdictOf,
} from "../../../src/taquin/web/static/watch/questions.js";
import { Score, summaryOf } from "../../../src/taquin/web/static/watch/quiz.js";
import { traces } from "./traces.js";

const ALL = traces();
/** The steps at the start and at the end of a search that are put into words. */
const [FIRST, LAST] = [30, 3];
/** Words of the commentary that are in no sentence of the other languages. */
const ENGLISH =
  /\b(the|this|of|is|are|it|its|and|with|board|boards|move|moves|bound|goal|found|search|left|right|up|down|kept)\b/i;
const BROKEN = /undefined|null|NaN|[{}]/;

function speak(language) {
  const file = new URL(`../../../src/taquin/web/static/messages/${language}.json`, import.meta.url);
  useMessages(JSON.parse(readFileSync(file, "utf8")), language);
}

/** Return everything that is said of a trace, without the reasons that Python gives, of so many first steps. */
function saidOf({ header, steps }, first = FIRST) {
  const model = new TraceModel(header);
  const said = pseudocode(header.algorithm).map(({ text }) => text);
  const wordsOf = (reason, sentences) =>
    reason ? sentences.map((sentence) => sentence.replace(reason, "…")) : sentences;
  for (const [at, step] of steps.entries()) {
    if (at >= first && at < steps.length - LAST) {
      model.apply(step);
      continue;
    }
    const question = questionOf(model, step);
    if (question) {
      const { choices, right } = question;
      const answers = [right, new Set(), ...choices.map(({ key }) => new Set([key]))];
      if (question.kind === "dequeue") answers.splice(0, 2);
      said.push(promptOf(question, model), hintOf(question, true), hintOf(question, false));
      said.push(...answers.flatMap((keys) => verdictOf(question, keys, step, model)));
      said.push(...choices.map((choice) => choiceText(choice, model)));
    }
    model.apply(step);
    said.push(...wordsOf(model.result?.reason, sentencesOf(step, model)));
    if (model.current) said.push(...explained(model, header.puzzle.goal.cells).lines);
    for (const child of childrenOf(step))
      said.push(fateName(child.fate, model), fateReason(child, model));
  }
  for (const drawn of model.tree.nodes.slice(0, FIRST)) said.push(...describeNode(drawn, model));
  const score = new Score();
  score.add({
    key: "",
    search: "A*",
    board: "1 0",
    goal: "0 1",
    step: 1,
    prompt: "?",
    answer: "1",
    isRight: false,
    sentences: [],
  });
  const about = { name: "Ada", date: new Date(0), link: "x" };
  said.push(score.text, summaryOf(score, { ...about, total: 0 }));
  said.push(summaryOf(score, { ...about, total: 3 }));
  return said;
}

/** Whether a text has only numbers and letters such as f, g and h. */
function isFormula(text) {
  return !/\p{L}{2}/u.test(text.replaceAll("max", ""));
}

test("every sentence is whole in every language, and none is left in English", (t) => {
  t.after(() => speak("en"));
  speak("en");
  for (const trace of ALL)
    for (const sentence of saidOf(trace, 120)) assert.doesNotMatch(sentence, BROKEN, trace.name);
  const english = ALL.map((trace) => saidOf(trace));
  for (const language of ["de", "fr"]) {
    speak(language);
    for (const [index, trace] of ALL.entries()) {
      const said = saidOf(trace);
      assert.equal(said.length, english[index].length);
      for (const [at, sentence] of said.entries()) {
        const where = `${language}, ${trace.name}: ${sentence}`;
        assert.doesNotMatch(sentence, BROKEN, where);
        assert.ok(isFormula(sentence) || sentence !== english[index][at], where);
        assert.doesNotMatch(sentence, ENGLISH, where);
      }
    }
  }
});

test("numbers, moves and lists are written as the language writes them", (t) => {
  t.after(() => speak("en"));
  const move = { tiles: [8, "."], direction: "left" };
  const seen = ["en", "de", "fr"].map((language) => {
    speak(language);
    return [value(1234.5), moveName(move), listed(["a", "b", "c"])];
  });
  assert.deepEqual(seen, [
    ["1,234.5", "8 filler left", "a, b and c"],
    ["1.234,5", "8 Füllstein nach links", "a, b und c"],
    ["1\u202f234,5", "8 remplissage vers la gauche", "a, b et c"],
  ]);
});
