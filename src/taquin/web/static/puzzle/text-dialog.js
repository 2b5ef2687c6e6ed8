// A dialog with the board as text, in any notation: to copy, to type, to paste.

import { button, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { NO_GAME } from "../page/state.js";
import { BoardView } from "./board.js";
import { fold, fromRows, GOAL_NAMES, goalCells, wordOf, writeBoard } from "./puzzle.js";

/** A text that has not changed for this time is read. */
const PAUSE_MS = 250;

/** Return `{dialog, open(game), use(text)}`. */
export function textDialog(app) {
  let timer = 0;
  let position = null;

  const board = area(text("puzzle.board"), 4, "1 2 3 / 4 5 6 / 7 8 0");
  const goal = area(text("puzzle.goal"), 2, text("puzzle.goalForms"));
  const verdict = element("p", { class: "note", role: "status" });
  const form = element("select", {
    onchange: () => {
      board.input.value = position.forms[form.value];
      readNow();
    },
  });
  const picture = element("div", { class: "small-board", hidden: true });
  const view = new BoardView(picture, { label: text("puzzle.read") });
  const useButton = button(text("puzzle.use"), { icon: "check", class: "main" }, () => {
    dialog.close();
    accept(position);
  });
  const fields = element("div", { class: "stack" }, board.field, goal.field);
  const written = element("label", { class: "row note" }, text("puzzle.written"), form);
  const dialog = element(
    "dialog",
    { class: "text-dialog", "aria-labelledby": "text-title" },
    element(
      "header",
      { class: "row spread" },
      element("h2", { id: "text-title" }, text("puzzle.asText")),
      button("", { icon: "close", class: "round", "aria-label": text("puzzle.close") }, () =>
        dialog.close(),
      ),
    ),
    element("p", { class: "note" }, text("puzzle.notations")),
    element("div", { class: "read" }, fields, picture),
    verdict,
    element("div", { class: "row spread" }, useButton, written),
  );

  function area(name, rows, placeholder) {
    const plain = { spellcheck: "false", autocapitalize: "off" };
    const input = element("textarea", { rows, placeholder, ...plain, oninput: readSoon });
    return { input, field: element("label", { class: "field" }, name, input) };
  }

  function readSoon() {
    clearTimeout(timer);
    useButton.disabled = true;
    timer = setTimeout(readNow, PAUSE_MS);
  }

  async function readNow() {
    position = null;
    useButton.disabled = true;
    try {
      position = await readTexts(app, board.input.value, goal.input.value.trim());
      view.show(position.cells, { columns: position.columns, animate: false });
      verdict.textContent = `${position.rows} × ${position.columns}`;
      const names = Object.keys(position.forms);
      const options = names.map((name) => element("option", { value: name }, name));
      form.replaceChildren(element("option", { value: "", hidden: true }, "…"), ...options);
      form.value =
        names.find((name) => position.forms[name].trim() === board.input.value.trim()) ?? "";
    } catch (error) {
      verdict.textContent = error.message;
    }
    verdict.classList.toggle("wrong", !position);
    picture.hidden = !position;
    useButton.disabled = !position;
  }

  function accept({ cells, columns, goal: newGoal }) {
    app.state.set({ board: writeBoard(cells, columns), goal: newGoal, ...NO_GAME });
  }

  return {
    dialog,
    open(game) {
      board.input.value = aligned(game.cells, game.columns);
      const { goal: current } = app.state.get();
      goal.input.value = GOAL_NAMES.includes(current) ? current : aligned(game.goal, game.columns);
      dialog.showModal();
      board.input.select();
      readNow();
    },
    /** Use the board of a text at once, with its goal if there is one; `refusal` is said of a text that is no board. */
    async use(boardText, goalText = "", refusal = "") {
      try {
        const read = await readPuzzle(app, boardText, goalText);
        accept(read);
        if (!read.isOtherGoal) app.notify(text("puzzle.used"));
      } catch (error) {
        app.notify(refusal || error.message, "bad");
      }
    },
  };
}

/**
 * Return the board and the goal of two texts, as the server reads them. A goal that does not fit the
 * board is named in a notice, and replaced by one that does.
 */
export async function readPuzzle(app, boardText, goalText) {
  const trouble = (error) =>
    text("puzzle.otherGoal", { goal: goalText.slice(0, 40), why: error.message });
  try {
    const read = await readTexts(app, boardText, goalText);
    goalCells(read.goal, read);
    return { ...read, isOtherGoal: false };
  } catch (error) {
    const read = await readTexts(app, boardText, "blank-last");
    app.notify(trouble(error), "bad");
    return { ...read, isOtherGoal: true };
  }
}

/** Return the board and the goal of two texts; without a goal, the named one of the game before. */
async function readTexts(app, boardText, goalText) {
  const answer = await app.api.post("/api/read", { text: boardText });
  const board = { ...fromRows(answer.board), forms: answer.forms };
  const { goal: current } = app.state.get();
  if (!goalText) return { ...board, goal: GOAL_NAMES.includes(current) ? current : "blank-last" };
  if (GOAL_NAMES.includes(goalText)) return { ...board, goal: goalText };
  const goal = fromRows((await app.api.post("/api/read", { text: goalText, as: "goal" })).board);
  return { ...board, goal: writeBoard(goal.cells, goal.columns) };
}

/** Return cells as lines with aligned columns. */
function aligned(cells, columns) {
  const words = cells.map(wordOf);
  const width = Math.max(...words.map((word) => word.length));
  return fold(words, columns)
    .map((row) => row.map((word) => word.padStart(width)).join(" "))
    .join("\n");
}
