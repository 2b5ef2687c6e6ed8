// A card for a new board, with its size, its difficulty and its seed; and the lists for a size, rows × columns.

import { button, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { NO_GAME } from "../page/state.js";
import { isReady } from "../python/side.js";
import { BLANK, FILLER, fold, fromRows, GOAL_NAMES, namedGoal, writeBoard } from "./puzzle.js";
import { canShuffle, shuffled, walked } from "./shuffle.js";

const MOST_SEED = 1_000_000;
/** The largest boards whose distances the server knows from a table, in cells. */
const TABLED = 9;
/** Random moves of a larger easy board. */
const EASY_MOVES = 14;
/** Parts of a typical distance, which is three moves for each cell. */
const LEVELS = { easy: 0.3, medium: 0.55, hard: 0.85 };

/** The last choices; every card shares them. */
const chosen = { level: "easy", exactly: 10 };

/** Return `{card, show(game, state), shuffle(goal), stop()}`. */
export function newBoardCard(app) {
  let game = null;
  let isSeedTyped = false;
  /** Whether a size was chosen since a board was last asked for. */
  let isSizeChosen = false;
  let pending = new AbortController();

  // Only the button makes a board: choosing rows, then columns, would make an unwanted one in between.
  const sizes = sizeSelects((rows, columns) => {
    isSizeChosen = true;
    nameButton(rows, columns);
  });
  const level = element(
    "select",
    { onchange: () => choose(level.value) },
    ...["easy", "medium", "hard", "any", "exactly"].map((name) =>
      element("option", { value: name }, text(`puzzle.level-${name}`)),
    ),
  );
  const exactly = element("input", {
    type: "number",
    min: "1",
    max: "999",
    value: String(chosen.exactly),
    "aria-label": text("puzzle.movesFromGoal"),
    onchange: () => shuffle(),
  });
  const seed = element("input", {
    type: "number",
    min: "0",
    "aria-label": text("puzzle.seedHelp"),
    placeholder: text("puzzle.anySeed"),
    oninput: () => {
      isSeedTyped = true;
    },
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      isSeedTyped = seed.value !== "";
      main.focus();
      shuffle();
    },
  });
  const attributes = { icon: "shuffle", class: "main", title: text("puzzle.shuffleHelp") };
  const main = button(text("puzzle.shuffle"), attributes, () => shuffle());
  const seedField = element("label", { class: "field seed" }, text("puzzle.seed"), seed);
  const levelField = element("label", { class: "field" }, text("puzzle.difficulty"), level);
  const card = element(
    "section",
    { class: "card new-board", "aria-label": text("puzzle.newBoard") },
    sizes.field,
    levelField,
    element("div", { class: "field exactly" }, element("span", {}, text("puzzle.moves")), exactly),
    seedField,
    main,
  );
  choose(chosen.level, false);

  function nameButton(rows, columns) {
    const isOther = game && (rows !== game.rows || columns !== game.columns);
    // The size is a name here: its numbers are not counted.
    const size = { rows: String(rows), columns: String(columns) };
    main.lastElementChild.textContent = isOther
      ? text("puzzle.shuffleSize", size)
      : text("puzzle.shuffle");
  }

  function choose(name, isNew = true) {
    chosen.level = name;
    level.value = name;
    card.classList.toggle("is-exact", name === "exactly");
    if (isNew && name !== "exactly") shuffle();
  }

  /** Make a board, or ask Python for one; a newer request cancels an older one. */
  async function shuffle(goal = app.state.get().goal) {
    pending.abort();
    const controller = new AbortController();
    pending = controller;
    card.classList.add("is-waiting");
    try {
      const request = requestFor(goal);
      const answer =
        boardAtOnce(request) ?? (await scramble(app.api, request.body, controller.signal));
      if (!controller.signal.aborted) use(answer, request.goal);
    } catch (error) {
      if (controller.signal.aborted) return;
      app.notify(error.message, "bad");
      show(game, app.state.get());
    } finally {
      if (pending === controller) card.classList.remove("is-waiting");
    }
  }

  function use({ board, seed: usedSeed, distance }, goal) {
    const { cells, columns } = fromRows(board);
    const next = writeBoard(cells, columns);
    app.state.set({ board: next, goal, ...NO_GAME, seed: usedSeed, fewest: distance });
    app.announce(text("puzzle.new"));
  }

  /** Return the body of the request, and the goal for the address. */
  function requestFor(goal) {
    chosen.exactly = Number(exactly.value) || 1;
    isSizeChosen = false;
    const [rows, columns] = sizes.value();
    const isSameSize = rows === game.rows && columns === game.columns;
    const isNamed = GOAL_NAMES.includes(goal);
    const name = isNamed || isSameSize ? goal : "blank-last";
    const body = { rows, columns, goal: name, metric: game.metric };
    body.seed = isSeedTyped ? Number(seed.value) : randomSeed();
    const isAnySeed = !isSeedTyped;
    isSeedTyped = false;
    if (isSameSize && isNamed) body.goal = writeBoard(namedGoal(name, game), columns);
    else if (isSameSize) body.board = fold(game.cells, columns);
    const level = difficulty(rows * columns);
    if (body.board && level.distance && hasFreeTiles(game)) Object.assign(body, walkInstead(level));
    else Object.assign(body, level);
    const grid = isSameSize ? game : { rows, columns, cells: Array(rows * columns).fill(BLANK) };
    const target = isSameSize && !isNamed ? game.goal : namedGoal(name, grid);
    return { goal: name, body, isAnySeed, target, labels: isSameSize ? game.cells : target };
  }

  function show(next, state) {
    game = next;
    // Do not overwrite a size that was chosen while the board was requested, or a seed that is being typed.
    if (!isSizeChosen) sizes.show(game.rows, game.columns);
    nameButton(...sizes.value());
    const isTyping = isSeedTyped || document.activeElement === seed;
    if (!isTyping) seed.value = state.seed ?? "";
  }

  return { card, show, shuffle, stop: () => pending.abort() };
}

/** Return the fields of a request for the chosen difficulty. */
function difficulty(cells) {
  if (chosen.level === "any") return {};
  if (chosen.level === "exactly") return { distance: chosen.exactly };
  const typical = cells <= 4 ? 6 : 3 * cells;
  if (cells <= TABLED) return { distance: Math.round(LEVELS[chosen.level] * typical) };
  return { easy: { moves: EASY_MOVES }, medium: { moves: 3 * cells }, hard: {} }[chosen.level];
}

/** Return whether a board has named tiles that its goal does not place. */
function hasFreeTiles({ cells, goal }) {
  const placed = [...goal, FILLER];
  return cells.some((label) => !placed.includes(label));
}

/** Return random moves instead of a distance: at a distance, the server makes free tiles fillers. */
function walkInstead({ distance }) {
  if (chosen.level !== "exactly") return { moves: distance };
  throw new Error(text("puzzle.noExact"));
}

/** Return the answer to a request that needs no Python; null if it does. */
function boardAtOnce({ body, isAnySeed, target, labels }) {
  const { columns, metric, moves, distance, seed } = body;
  if (metric !== "single" || !canShuffle(labels, target, columns)) return null;
  if (distance !== undefined) {
    // While Python loads, a level is made by as many random moves. No seed stands for such a board.
    if (isReady() || chosen.level === "exactly" || !isAnySeed) return null;
    return { board: fold(walked(target, columns, distance, seed), columns), seed: null };
  }
  const cells =
    moves === undefined ? shuffled(target, columns, seed) : walked(target, columns, moves, seed);
  return { board: fold(cells, columns), seed };
}

/** Return the server's board; a level that it cannot make at a distance is made by random moves. */
async function scramble(api, body, signal) {
  try {
    return await api.post("/api/scramble", body, signal);
  } catch (error) {
    const isLevel = chosen.level !== "exactly" && body.distance !== undefined;
    if (!isLevel || signal.aborted) throw error;
    const { distance, ...rest } = body;
    return api.post("/api/scramble", { ...rest, moves: distance }, signal);
  }
}

function randomSeed() {
  return Math.floor(Math.random() * MOST_SEED);
}

// --- the size ----------------------------------------------------------------------------------

const SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Return `{field, show(rows, columns), value()}`; `onChange(rows, columns)` is called for a choice. */
export function sizeSelects(onChange) {
  const value = () => [Number(rows.value), Number(columns.value)];
  const list = (name) => {
    const options = SIZES.map((number) => element("option", { value: number }, String(number)));
    const onchange = () => onChange(...value());
    return element("select", { "aria-label": name, onchange }, ...options);
  };
  const [rows, columns] = [list(text("puzzle.rows")), list(text("puzzle.columns"))];
  const times = element("span", { "aria-hidden": "true" }, "×");
  const field = element(
    "div",
    { class: "field", role: "group", "aria-label": text("puzzle.size") },
    element("span", {}, text("puzzle.size")),
    element("div", { class: "times" }, rows, times, columns),
  );
  return {
    field,
    value,
    show(rowCount, columnCount) {
      select(rows, rowCount);
      select(columns, columnCount);
    },
  };
}

/** Select a number; a number that is not in the list (from a pasted board) is added. */
function select(list, number) {
  if (![...list.options].some((option) => Number(option.value) === number)) {
    list.append(element("option", { value: number }, String(number)));
  }
  list.value = number;
}
