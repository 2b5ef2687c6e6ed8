// A new board: its size, how hard it is, and the seed that makes it again.

import { button, element } from "./dom.js";
import { FILLER, GOAL_NAMES, fold, fromRows, namedGoal, writeBoard } from "./puzzle.js";
import { sizeSelects } from "./sizes.js";
import { NO_GAME } from "./state.js";

const MOST_SEED = 1_000_000;
/** Cells of a board of which the server knows every distance. */
const TABLED = 9;
/** Moves of an easy board that is larger: as many as are looked through in a moment. */
const EASY_MOVES = 14;
/** Shares of how far boards are from their goals, three moves a cell. */
const LEVELS = { easy: 0.3, medium: 0.55, hard: 0.85 };

/** What was chosen last, for as long as the page is open. */
const chosen = { level: "easy", exactly: 10 };

/** Return `{card, show(game, state), shuffle(goal), stop()}`. */
export function newBoardCard(app) {
  let game = null;
  let isSeedTyped = false;
  let turn = new AbortController();

  const sizes = sizeSelects(() => shuffle());
  const level = element(
    "select",
    { onchange: () => choose(level.value) },
    ...["Easy", "Medium", "Hard", "Any", "Exactly …"].map((word) =>
      element("option", { value: word.toLowerCase().split(" ")[0] }, word),
    ),
  );
  const exactly = element("input", {
    type: "number",
    min: "1",
    max: "999",
    value: String(chosen.exactly),
    "aria-label": "Moves from the goal",
    onchange: () => shuffle(),
  });
  const seed = element("input", {
    type: "number",
    min: "0",
    "aria-label": "Seed: the same seed makes the same board",
    placeholder: "any",
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
  const look = { sign: "shuffle", class: "main", title: "Another board (N)" };
  const main = button("Shuffle", look, () => shuffle());
  const seedField = element("label", { class: "field seed" }, "Seed", seed);
  const levelField = element("label", { class: "field" }, "Difficulty", level);
  const card = element(
    "section",
    { class: "card new-board", "aria-label": "New board" },
    sizes.field,
    levelField,
    element("div", { class: "field exactly" }, element("span", {}, "Moves"), exactly),
    seedField,
    main,
  );
  choose(chosen.level, false);

  function choose(name, isNew = true) {
    chosen.level = name;
    level.value = name;
    card.classList.toggle("is-exact", name === "exactly");
    if (isNew && name !== "exactly") shuffle();
  }

  /** Ask for another board, for the goal of a name where one is given; the last order counts. */
  async function shuffle(goal = app.state.get().goal) {
    turn.abort();
    const mine = new AbortController();
    turn = mine;
    card.classList.add("is-waiting");
    try {
      const wanted = order(goal);
      const answer = await dealt(app.api, wanted.body, mine.signal);
      if (!mine.signal.aborted) deal(answer, wanted.goal);
    } catch (error) {
      if (mine.signal.aborted) return;
      app.tell(error.message, "bad");
      show(game, app.state.get());
    } finally {
      if (turn === mine) card.classList.remove("is-waiting");
    }
  }

  function deal({ board, seed: used, distance }, goal) {
    const { cells, columns } = fromRows(board);
    const text = writeBoard(cells, columns);
    app.state.set({ board: text, goal, ...NO_GAME, seed: used, fewest: distance });
    app.announce("A new board.");
  }

  /** Return the body of the question, and the goal as the address will say it. */
  function order(goal) {
    chosen.exactly = Number(exactly.value) || 1;
    const [high, wide] = sizes.value();
    const isSameSize = high === game.rows && wide === game.columns;
    const isNamed = GOAL_NAMES.includes(goal);
    const name = isNamed || isSameSize ? goal : "blank-last";
    const body = { rows: high, columns: wide, goal: name, metric: game.metric };
    body.seed = isSeedTyped ? Number(seed.value) : anySeed();
    isSeedTyped = false;
    if (isSameSize && isNamed) body.goal = writeBoard(namedGoal(name, game), wide);
    else if (isSameSize) body.board = fold(game.cells, wide);
    const level = difficulty(high * wide);
    if (body.board && level.distance && hasFreeTiles(game)) Object.assign(body, walkInstead(level));
    else Object.assign(body, level);
    return { goal: name, body };
  }

  function show(next, state) {
    game = next;
    sizes.show(game.rows, game.columns);
    // What is being typed is not written over.
    const isTyping = isSeedTyped || document.activeElement === seed;
    if (!isTyping) seed.value = state.seed ?? "";
  }

  return { card, show, shuffle, stop: () => turn.abort() };
}

/** Return how hard a board shall be, as the server is asked for it. */
function difficulty(cells) {
  if (chosen.level === "any") return {};
  if (chosen.level === "exactly") return { distance: chosen.exactly };
  const far = cells <= 4 ? 6 : 3 * cells;
  if (cells <= TABLED) return { distance: Math.round(LEVELS[chosen.level] * far) };
  return { easy: { distance: EASY_MOVES }, medium: { moves: 3 * cells }, hard: {} }[chosen.level];
}

/** Tell whether a board has tiles with names that its goal does not place. */
function hasFreeTiles({ cells, goal }) {
  const placed = [...goal, FILLER];
  return cells.some((label) => !placed.includes(label));
}

/** Return a walk for a distance: boards of a distance are dealt with fillers for free tiles. */
function walkInstead({ distance }) {
  if (chosen.level !== "exactly") return { moves: distance };
  throw new Error("Only a board whose goal places every tile is dealt at an exact distance.");
}

/** Return the answer to a body; a level that cannot be had exactly is walked to. */
async function dealt(api, body, signal) {
  try {
    return await api.post("/api/scramble", body, { signal });
  } catch (error) {
    const isLevel = chosen.level !== "exactly" && body.distance !== undefined;
    if (!isLevel || signal.aborted) throw error;
    const { distance, ...rest } = body;
    return api.post("/api/scramble", { ...rest, moves: distance }, { signal });
  }
}

function anySeed() {
  return Math.floor(Math.random() * MOST_SEED);
}
