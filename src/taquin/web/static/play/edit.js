// The editor: the start and the goal side by side, brushes to change them, and a verdict.

import { button, element, icon } from "../page/dom.js";
import { text } from "../page/messages.js";
import { NO_GAME } from "../page/state.js";
import {
  allowed,
  EditError,
  EXAMPLES,
  painted,
  resized,
  swapped,
  withNamedGoal,
} from "./edit-puzzle.js";
import { goalTitle, verdictBox } from "./goal.js";
import { requestBody } from "./moves-left.js";
import { sizeSelects } from "../puzzle/new-board.js";
import {
  ANY,
  BLANK,
  FILLER,
  GOAL_NAMES,
  labelOf,
  puzzleOf,
  WALL,
  writeBoard,
} from "../puzzle/puzzle.js";

const SWAP = { name: "swap" };
const TILE = { name: "tile" };
const BRUSHES = [
  SWAP,
  TILE,
  { name: "blank", label: BLANK },
  { name: "wall", label: WALL },
  { name: "filler", label: FILLER },
  { name: "any", label: ANY },
];
/** Keys typed within this time belong to one label. */
const WORD_MS = 900;
/** A puzzle that has not changed for this time is checked. */
const CHECK_MS = 150;

/** Fill the view with the editor; return `{unmount()}`. */
export function mountEdit(root, app) {
  let puzzle = null;
  let brush = SWAP;
  let chosen = null;
  let typed = { side: "", cell: -1, word: "", at: 0, depth: 0 };
  let checking = null;
  let timer = 0;
  const history = [];

  const sides = {
    cells: makeSide("cells", text("play.start")),
    goal: makeSide("goal", text("play.goal")),
  };
  const label = element("input", {
    value: "A",
    maxlength: "12",
    "aria-label": text("play.tile-name"),
    oninput: () => chooseBrush(TILE),
    onfocus: () => chooseBrush(TILE),
  });
  const tools = BRUSHES.map(makeTool);
  const note = element("p", { class: "note" });
  const verdict = verdictBox((name) => change(withNamedGoal(puzzle, name)));
  const sizes = sizeSelects((rows, columns) => change(resized(puzzle, rows, columns)));
  const own = element("option", { value: "", hidden: true }, text("play.goal-own"));
  const names = GOAL_NAMES.map((name) => element("option", { value: name }, goalTitle(name)));
  const onchange = () => change(withNamedGoal(puzzle, goal.value));
  const goal = element("select", { onchange }, ...names, own);
  const undo = button(text("play.undo"), { icon: "undo" }, undoChange);
  const boards = element("div", { class: "edit-sides" });
  assemble();

  // --- the puzzle -----------------------------------------------------------------------------

  function load() {
    const state = app.state.get();
    try {
      const name = GOAL_NAMES.includes(state.goal) ? state.goal : null;
      puzzle = { ...puzzleOf(state), name };
    } catch {
      // A board that cannot be read cannot be edited: begin with an example.
      app.state.set({ board: EXAMPLES[0].board, goal: EXAMPLES[0].goal });
      puzzle = { ...puzzleOf(app.state.get()), name: EXAMPLES[0].goal };
    }
    show();
  }

  function change(next) {
    if (next === puzzle) return;
    history.push(puzzle);
    puzzle = next;
    save();
    show();
  }

  function undoChange() {
    if (!history.length) return;
    puzzle = history.pop();
    save();
    show();
  }

  function save() {
    app.state.set({ ...texts(), ...NO_GAME });
  }

  /** Return the puzzle as values of the address. */
  function texts() {
    const { cells, columns, goal: goalCells, name } = puzzle;
    return { board: writeBoard(cells, columns), goal: name ?? writeBoard(goalCells, columns) };
  }

  function show() {
    const hasAgent = puzzle.cells.includes(FILLER);
    forEachSide((side, board) => board.show(puzzle[side], puzzle.columns, hasAgent));
    boards.style.setProperty("--columns", puzzle.columns);
    sizes.show(puzzle.rows, puzzle.columns);
    own.hidden = Boolean(puzzle.name);
    goal.value = puzzle.name ?? "";
    undo.disabled = !history.length;
    checkSoon();
  }

  /** Ask whether the puzzle can be solved, once it has not changed for a moment. */
  function checkSoon() {
    clearTimeout(timer);
    checking?.abort();
    const controller = new AbortController();
    timer = setTimeout(() => check(controller), CHECK_MS);
    checking = controller;
  }

  async function check(controller) {
    try {
      const answer = await app.api.post("/api/check", requestBody(puzzle), controller.signal);
      if (checking === controller) verdict.show(answer);
    } catch (error) {
      if (checking === controller) verdict.fail(error.message);
    }
  }

  // --- the brush ------------------------------------------------------------------------------

  function chooseBrush(next) {
    brush = next;
    chosen = null;
    for (const [index, tool] of tools.entries()) {
      tool.setAttribute("aria-pressed", String(BRUSHES[index] === brush));
    }
    note.textContent = text(`play.brush-${brush.name}-hint`);
    mark();
  }

  function begin(side, cell) {
    if (brush !== SWAP) return paint(side, cell);
    if (chosen?.side === side && chosen.cell !== cell) return swapWithChosen(side, cell);
    chosen = { side, cell };
    mark();
  }

  function end(side, cell) {
    if (brush === SWAP && chosen?.side === side && chosen.cell !== cell) swapWithChosen(side, cell);
  }

  function swapWithChosen(side, cell) {
    change(swapped(puzzle, side, chosen.cell, cell));
    chosen = null;
    mark();
  }

  /** Go on painting; a stroke does not remove its own walls, and does not drag the blank. */
  function stroke(side, cell) {
    const isDone = puzzle[side][cell] === paintLabel();
    if (brush !== SWAP && brush.label !== BLANK && !isDone) paint(side, cell);
  }

  function paint(side, cell) {
    attempt(() => painted(puzzle, side, cell, allowed(paintLabel())));
  }

  function paintLabel() {
    return brush === TILE ? labelOf(label.value.trim() || "A") : brush.label;
  }

  /** Set the label of a cell from a key; keys in quick succession make one label. */
  function type(side, cell, key) {
    const now = performance.now();
    const isSame = typed.cell === cell && typed.side === side && now - typed.at < WORD_MS;
    const isMore = isSame && /^[\p{L}\d_]$/u.test(key);
    const word = isMore ? typed.word + key : key;
    if (!/^(\d+|\p{L}[\p{L}\d_]*|[_*#.@-])$/u.test(word)) return;
    const depth = isMore ? typed.depth : history.length;
    if (history.length > depth) puzzle = history.splice(depth)[0];
    typed = { side, cell, at: now, word, depth };
    attempt(() => painted(puzzle, side, cell, labelOf(word)));
  }

  /** Apply an edit; if it is not allowed, say why. */
  function attempt(edit) {
    try {
      change(edit());
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      app.notify(error.message);
    }
  }

  function mark() {
    forEachSide((side, board) => board.select(chosen?.side === side ? chosen.cell : -1));
  }

  function forEachSide(update) {
    for (const [side, { board }] of Object.entries(sides)) update(side, board);
  }

  // --- layout ---------------------------------------------------------------------------------

  function makeSide(side, title) {
    const board = editBoard(title, {
      onStart: (cell) => begin(side, cell),
      onOver: (cell) => stroke(side, cell),
      onEnd: (cell) => end(side, cell),
      onType: (cell, key) => type(side, cell, key),
    });
    const attributes = { class: "edit-side", "aria-label": title };
    return { board, box: element("section", attributes, element("h2", {}, title), board.grid) };
  }

  function makeTool(tool) {
    const swatch = element("span", { class: `swatch is-${tool.name}` });
    if (tool === SWAP) swatch.append(icon("swap"));
    const attributes = {
      type: "button",
      class: "tool",
      title: text(`play.brush-${tool.name}-hint`),
    };
    return element(
      "button",
      { ...attributes, onclick: () => chooseBrush(tool) },
      swatch,
      text(`play.brush-${tool.name}`),
    );
  }

  function makeExample({ name, ...values }) {
    return button(text(`play.example-${name}`), { class: "chip" }, () => {
      history.push(puzzle);
      app.state.set({ ...values, ...NO_GAME });
    });
  }

  function assemble() {
    const done = () => app.state.set({ edit: null }, { push: true });
    const play = button(text("play.done"), { icon: "play", class: "main" }, done);
    const goalField = element("label", { class: "field" }, text("play.goal"), goal);
    const [swap, tile, ...others] = tools;
    const group = { class: "tools", role: "group", "aria-label": text("play.brushes") };
    const bar = element(
      "div",
      { class: "edit-bar" },
      element("div", { class: "row spread" }, row(sizes.field, goalField), row(undo, play)),
      element("div", group, swap, tile, label, ...others),
      note,
    );
    const examples = element("section", { class: "stack", "aria-label": text("play.examples") });
    examples.append(element("h2", {}, text("play.examples")), row(...EXAMPLES.map(makeExample)));
    const aside = element("div", { class: "edit-aside" }, verdict.box, examples);
    boards.append(sides.cells.box, sides.goal.box);
    root.append(element("div", { class: "edit" }, bar, boards, aside));
  }

  function row(...children) {
    return element("div", { class: "row" }, ...children);
  }

  // --- begin and end --------------------------------------------------------------------------

  function onKey(event) {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (!isUndo || event.target.closest("input")) return;
    event.preventDefault();
    undoChange();
  }
  document.addEventListener("keydown", onKey);
  const unsubscribe = app.state.subscribe((state) => {
    if (state.view !== "play" || !state.edit || !puzzle) return;
    const now = texts();
    if (state.board !== now.board || state.goal !== now.goal) load();
  });
  chooseBrush(SWAP);
  load();

  return {
    unmount() {
      unsubscribe();
      clearTimeout(timer);
      checking?.abort();
      document.removeEventListener("keydown", onKey);
    },
  };
}

// --- a board to edit: a grid of buttons, one for each cell -------------------------------------

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Return `{grid, show(cells, columns, hasAgent), select(cell)}`. The listeners get a cell: onStart when
 * it is pressed, onOver when the pressed pointer enters another, onEnd when it is released there, and
 * onType(cell, key) for a key that may be a label.
 */
function editBoard(name, { onStart, onOver, onEnd, onType }) {
  let buttons = [];
  let columns = 1;
  let isPressed = false;
  let last = -1;
  const grid = element("div", { class: "edit-board", role: "grid", "aria-label": name });

  grid.addEventListener("pointerdown", (event) => {
    const cell = cellOf(event.target);
    if (cell < 0 || event.button !== 0) return;
    // A touch is captured by the first button; release it, so that it can reach others.
    event.target.releasePointerCapture?.(event.pointerId);
    isPressed = true;
    last = cell;
    focus(cell);
    onStart(cell);
  });
  grid.addEventListener("pointermove", (event) => {
    if (!isPressed) return;
    const cell = cellOf(document.elementFromPoint(event.clientX, event.clientY));
    if (cell < 0 || cell === last) return;
    last = cell;
    onOver(cell);
  });
  grid.addEventListener("pointerup", () => {
    if (isPressed) onEnd(last);
    isPressed = false;
  });
  grid.addEventListener("pointercancel", () => {
    isPressed = false;
  });
  grid.addEventListener("click", (event) => {
    // A click without a pointer comes from a key or from a screen reader.
    const cell = cellOf(event.target);
    if (event.detail > 0 || cell < 0) return;
    onStart(cell);
    onEnd(cell);
  });
  grid.addEventListener("keydown", (event) => {
    const cell = cellOf(event.target);
    if (cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in STEPS) {
      event.preventDefault();
      moveFocus(cell, STEPS[event.key]);
    } else if (event.key.length === 1 && event.key !== " ") {
      event.preventDefault();
      onType(cell, event.key);
    }
  });

  function cellOf(node) {
    return buttons.indexOf(node?.closest?.("button"));
  }

  function moveFocus(cell, [down, right]) {
    const rows = buttons.length / columns;
    const row = Math.floor(cell / columns) + down;
    const column = (cell % columns) + right;
    if (row >= 0 && row < rows && column >= 0 && column < columns) focus(row * columns + column);
  }

  function focus(cell) {
    buttons.forEach((button, index) => {
      button.tabIndex = index === cell ? 0 : -1;
    });
    buttons[cell].focus();
  }

  function createButtons(cells) {
    const attributes = { type: "button", role: "gridcell", tabindex: "-1" };
    buttons = cells.map(() => element("button", attributes));
    buttons[0].tabIndex = 0;
    const rows = [];
    for (let start = 0; start < cells.length; start += columns) {
      rows.push(element("div", { role: "row" }, ...buttons.slice(start, start + columns)));
    }
    grid.replaceChildren(...rows);
    grid.style.setProperty("--columns", columns);
    grid.style.setProperty("--rows", cells.length / columns);
  }

  return {
    grid,
    show(cells, width, hasAgent) {
      if (cells.length !== buttons.length || width !== columns) {
        columns = width;
        createButtons(cells);
      }
      cells.forEach((label, cell) => {
        const [kind, word, spoken] = appearance(label, hasAgent);
        buttons[cell].className = `cell ${kind}`;
        buttons[cell].textContent = word;
        buttons[cell].style.setProperty("--letters", Math.max(2, word.length));
        const [row, column] = [Math.floor(cell / columns) + 1, (cell % columns) + 1];
        buttons[cell].setAttribute("aria-label", text("play.cell", { label: spoken, row, column }));
      });
    },
    select(cell) {
      for (const [index, button] of buttons.entries()) {
        button.setAttribute("aria-selected", String(index === cell));
      }
    },
  };
}

/** Return the class of a cell, its text, and its name for screen readers. */
function appearance(label, hasAgent) {
  if (label === BLANK) return ["is-blank", hasAgent ? "☺" : "", text("play.blank")];
  if (label === WALL) return ["is-wall", "", text("play.wall")];
  if (label === FILLER) return ["is-filler", "", text("play.filler")];
  if (label === ANY) return ["is-any", "", text("play.any-tile")];
  return ["is-tile", String(label), text("play.tile", { label: String(label) })];
}
