// You against a search: afterwards your moves beside those of a best solution, with the detours marked.

import { element } from "../page/dom.js";
import { sentence, text } from "../page/messages.js";
import { PythonError } from "../page/said.js";
import { counted, seconds } from "../page/words.js";
import { FILLER, line, slide } from "../puzzle/puzzle.js";
import { requestBody } from "./moves-left.js";

export const ASTAR = "astar(manhattan)";
/** The largest boards that A* solves while nobody waits, and the largest whose fewest moves a search proves, in cells. */
export const ASTAR_CELLS = 9;
const EXACT_CELLS = 16;
const ARROWS = { up: "↑", down: "↓", left: "←", right: "→" };

/** Return the moves that the metric counts: with `single`, a slide of three tiles is three of them. */
export function unitMoves({ done, metric }) {
  if (metric === "multi") return done;
  return done.flatMap(({ direction, count }) => Array(count).fill({ direction, count: 1 }));
}

/**
 * Return the distance of each of `count + 1` boards of a game. Those at both ends are given; `ask(index)` returns that of
 * another, null if it is not known, and then there is no answer. A move changes the distance by one at most, so a part
 * with a straight descent or ascent needs no question.
 * @param {number} count
 * @param {number} first
 * @param {(index: number) => Promise<number | null>} ask
 * @returns {Promise<number[] | null>}
 */
export async function distancesAlong(count, first, ask) {
  const distances = Array(count + 1).fill(0);
  distances[0] = first;
  /** @type {(from: number, to: number) => Promise<boolean>} */
  const fill = async (from, to) => {
    const change = distances[to] - distances[from];
    if (Math.abs(change) === to - from) {
      const step = Math.sign(change);
      for (let at = from + 1; at < to; at += 1) distances[at] = distances[at - 1] + step;
      return true;
    }
    if (to - from < 2) return true;
    const middle = Math.floor((from + to) / 2);
    const answer = await ask(middle);
    if (answer === null) return false;
    distances[middle] = answer;
    return (await fill(from, middle)) && fill(middle, to);
  };
  return (await fill(0, count)) ? distances : null;
}

/** Return which moves were detours: after them the goal was no nearer. @param {number[]} distances */
export function detoursOf(distances) {
  return distances.slice(1).map((distance, index) => distance >= distances[index]);
}

/**
 * Return `{root, show(start, done, isWon), stop()}`. `start` is the puzzle of the first board, null if nobody plays
 * against a search; `done` are the moves made.
 */
export function versusCard(app) {
  const words = element("div", { class: "stack", role: "status" });
  // Screen readers would read long lists aloud at once, if they were part of the status.
  const lists = element("div", { class: "stack" });
  const root = element(
    "section",
    { class: "card stack", "aria-labelledby": "versus-title", hidden: true },
    element("h2", { id: "versus-title" }, text("play.versus")),
    words,
    lists,
  );
  let controller = new AbortController();
  /** The search of the board that is played, by the text of its question. */
  let rival = { question: "", answer: null };

  function stop() {
    controller.abort();
    controller = new AbortController();
  }

  async function show(start, done, isWon) {
    stop();
    root.hidden = !start;
    if (!start) return;
    const { signal } = controller;
    const question = rivalOf(start);
    try {
      const key = JSON.stringify(question);
      if (rival.question !== key) {
        const { isAStar } = rivalKind(start);
        fill(paragraph(isAStar ? "play.versus-waiting" : "play.versus-waiting-other"));
        rival = { question: key, answer: await solved(app.api, question, signal) };
      }
      if (signal.aborted) return;
      if (isWon) await compare(start, done, rival.answer, signal);
      else fill(...introduction(rival.answer, start));
    } catch (error) {
      if (signal.aborted) return;
      rival = { question: "", answer: null };
      fill(element("p", {}, error.message));
    }
  }

  function fill(...parts) {
    words.replaceChildren(...parts);
    lists.replaceChildren();
  }

  async function compare(start, done, answer, signal) {
    if (!answer.moves) return fill(...introduction(answer, start));
    const mine = unitMoves({ done, metric: start.metric });
    const boards = boardsAlong(start, mine);
    const best = answer.moves.map(({ direction, tiles }) => ({
      direction,
      count: tiles?.length ?? 1,
    }));
    const verdict = paragraph(...verdictOf(mine.length, best.length, answer.optimal));
    const fillAll = (about, detours = []) => {
      fill(verdict, about);
      lists.append(
        moveList(text("play.your-moves", { count: mine.length }), start, mine, detours),
        moveList(text("play.best-moves", { count: best.length }), start, best, []),
      );
    };
    if (!answer.optimal) return fillAll(paragraph("play.no-detours-known"));
    fillAll(paragraph("play.comparing"));
    const distances = await distancesAlong(mine.length, best.length, async (index) => {
      const body = requestBody({ ...start, cells: boards[index] });
      const { left } = await app.api.post("/api/left", { ...body, hint: true }, signal);
      return left;
    });
    if (signal.aborted) return;
    if (!distances) return fillAll(paragraph("play.no-detours-known"));
    const detours = detoursOf(distances);
    const count = detours.filter(Boolean).length;
    const about = count ? paragraph("play.detours", { count }) : paragraph("play.no-detours");
    fillAll(about, detours);
  }

  return { root, show, stop };
}

function paragraph(name, parameters = {}) {
  return element("p", {}, text(name, parameters));
}

/** Return whether A* itself is the rival, and whether any search proves the fewest moves in time. */
function rivalKind({ cells }) {
  return { isAStar: cells.length <= ASTAR_CELLS, isExact: cells.length <= EXACT_CELLS };
}

/** Return the request for the solution of the rival. */
function rivalOf(start) {
  const { isAStar, isExact } = rivalKind(start);
  if (isAStar) return { ...requestBody(start), search: ASTAR };
  return { ...requestBody(start), ...(isExact ? { optimal: true, seconds: 30 } : { anytime: 2 }) };
}

async function solved(api, question, signal) {
  for await (const { event, data } of api.stream("/api/solve", question, signal)) {
    if (event === "error") throw new PythonError(data);
    if (event === "result") return data;
  }
  return { moves: null };
}

/** Return what the rival found, before and while you play. */
function introduction({ moves, optimal, algorithm, stats, seconds: time }, start) {
  if (!moves) return [paragraph("play.versus-none")];
  const found = counted(moves.length, "move");
  const facts = { moves: found, time: seconds(time) };
  if (rivalKind(start).isAStar) {
    return [
      paragraph("play.versus-astar", { ...facts, count: stats.expanded }),
      paragraph("play.versus-goal"),
    ];
  }
  const name = element("code", {}, algorithm);
  const about = sentence("play.versus-other", { ...facts, search: name });
  return [
    element("p", {}, ...about),
    paragraph(optimal ? "play.versus-goal" : "play.versus-not-optimal"),
  ];
}

function verdictOf(mine, best, isOptimal) {
  if (mine === best) return [isOptimal ? "play.draw" : "play.draw-unproven", { count: mine }];
  return mine < best
    ? ["play.beaten", { mine: counted(mine, "move"), best }]
    : ["play.not-beaten", { best: counted(best, "move"), mine, fewer: mine - best }];
}

/** Return the cells before the first move and after each. */
function boardsAlong(start, moves) {
  const boards = [start.cells];
  for (const move of moves) boards.push(slide({ ...start, cells: boards.at(-1) }, move));
  return boards;
}

function moveList(title, start, moves, detours) {
  const boards = boardsAlong(start, moves);
  const items = moves.map((move, index) => {
    const before = { ...start, cells: boards[index] };
    const path = line(before, move.direction).slice(0, move.count);
    const tiles = path.map((cell) => (before.cells[cell] === FILLER ? "•" : before.cells[cell]));
    const isDetour = detours[index];
    return element(
      "li",
      { class: isDetour ? "detour" : null },
      `${tiles.join(" ")}${ARROWS[move.direction]}`,
      isDetour && element("span", { class: "visually-hidden" }, ` ${text("play.detour")}`),
    );
  });
  return element(
    "div",
    {},
    element("h3", {}, title),
    element("ol", { class: "move-list", "aria-label": title }, ...items),
  );
}
