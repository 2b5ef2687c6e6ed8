// The board as text, in any notation: to copy, to type, to paste.

import { BoardView } from "./board.js";
import { button, element } from "./dom.js";
import { GOAL_NAMES, fold, fromRows, wordOf, writeBoard } from "./puzzle.js";
import { NO_GAME } from "./state.js";

const ABOUT = "Any notation: rows, one line, JSON, NumPy, a drawing. Ctrl+V works without this, too.";
/** A text that rests for so long is read. */
const PAUSE_MS = 250;

/** Return `{dialog, open(game), use(text)}`. */
export function textDialog(app) {
  let timer = 0;
  let found = null;

  const text = area("Board", 4, "1 2 3 / 4 5 6 / 7 8 0");
  const goal = area("Goal", 2, "blank-last, snail, or a board with * where any tile will do");
  const verdict = element("p", { class: "note", role: "status" });
  const form = element("select", {
    onchange: () => {
      text.input.value = found.forms[form.value];
      readNow();
    },
  });
  const picture = element("div", { class: "small-board" });
  const view = new BoardView(picture, { label: "What was read" });
  const take = button("Use this board", { sign: "check", class: "main" }, () => {
    dialog.close();
    accept(found);
  });
  const fields = element("div", { class: "stack" }, text.field, goal.field);
  const written = element("label", { class: "row note" }, "Written as", form);
  const dialog = element(
    "dialog",
    { class: "text-dialog", "aria-labelledby": "text-title" },
    element(
      "header",
      { class: "row spread" },
      element("h2", { id: "text-title" }, "The board as text"),
      button("", { sign: "close", class: "round", "aria-label": "Close" }, () => dialog.close()),
    ),
    element("p", { class: "note" }, ABOUT),
    element("div", { class: "read" }, fields, picture),
    verdict,
    element("div", { class: "row spread" }, take, written),
  );

  function area(name, rows, placeholder) {
    const plain = { spellcheck: "false", autocapitalize: "off" };
    const input = element("textarea", { rows, placeholder, ...plain, oninput: readSoon });
    return { input, field: element("label", { class: "field" }, name, input) };
  }

  function readSoon() {
    clearTimeout(timer);
    take.disabled = true;
    timer = setTimeout(readNow, PAUSE_MS);
  }

  async function readNow() {
    found = null;
    try {
      found = await read(text.input.value, goal.input.value.trim());
      view.show(found.cells, { columns: found.columns, animate: false });
      verdict.textContent = `${found.rows} × ${found.columns}`;
      const names = Object.keys(found.forms);
      const options = names.map((name) => element("option", { value: name }, name));
      form.replaceChildren(element("option", { value: "", hidden: true }, "…"), ...options);
      form.value = names.find((name) => found.forms[name].trim() === text.input.value.trim()) ?? "";
    } catch (error) {
      verdict.textContent = error.message;
    }
    verdict.classList.toggle("wrong", !found);
    picture.hidden = !found;
    take.disabled = !found;
  }

  /** Return the board of a text and the goal beside it, as the server reads them. */
  async function read(boardText, goalText) {
    const answer = await app.api.post("/api/read", { text: boardText });
    const board = fromRows(answer.board);
    const read = { ...board, forms: answer.forms };
    if (!goalText) return { ...read, goal: usualGoal() };
    if (GOAL_NAMES.includes(goalText)) return { ...read, goal: goalText };
    const aim = fromRows((await app.api.post("/api/read", { text: goalText, as: "goal" })).board);
    return { ...read, goal: writeBoard(aim.cells, aim.columns) };
  }

  /** Return the goal of the game where it fits any board, else the usual one. */
  function usualGoal() {
    const { goal: current } = app.state.get();
    return GOAL_NAMES.includes(current) ? current : "blank-last";
  }

  function accept({ cells, columns, goal: aim }) {
    app.state.set({ board: writeBoard(cells, columns), goal: aim, ...NO_GAME });
  }

  return {
    dialog,
    open(game) {
      text.input.value = drawn(game.cells, game.columns);
      const { goal: current } = app.state.get();
      goal.input.value = GOAL_NAMES.includes(current) ? current : drawn(game.goal, game.columns);
      dialog.showModal();
      text.input.select();
      readNow();
    },
    /** Play the board of a text at once. */
    async use(words) {
      try {
        accept(await read(words, ""));
        app.tell("The board is on the table.");
      } catch (error) {
        app.tell(error.message, "bad");
      }
    },
  };
}

/** Return cells as aligned lines. */
function drawn(cells, columns) {
  const words = cells.map(wordOf);
  const width = Math.max(...words.map((word) => word.length));
  return fold(words, columns)
    .map((row) => row.map((word) => word.padStart(width)).join(" "))
    .join("\n");
}
