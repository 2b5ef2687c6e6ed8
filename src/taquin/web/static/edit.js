// Edit: the start and the goal side by side, brushes to change them, and whether it can be solved.

import { button, element, icon } from "./dom.js";
import { editBoard } from "./edit-board.js";
import { EditError, aimed, painted, resized, swapped } from "./edit-puzzle.js";
import { EXAMPLES } from "./examples.js";
import { titleOf } from "./goal-card.js";
import { questionOf } from "./left.js";
import { ANY, BLANK, FILLER, GOAL_NAMES, WALL, labelOf, puzzleOf, writeBoard } from "./puzzle.js";
import { sizeSelects } from "./sizes.js";
import { NO_GAME } from "./state.js";
import { verdictBox } from "./verdict.js";

const SWAP = { name: "swap", title: "Swap", hint: "Drag one tile onto another, or press both." };
const TILE = {
  name: "tile",
  title: "Tile",
  hint: "Paints tiles with this name; several may have the same.",
};
const BRUSHES = [
  SWAP,
  TILE,
  { name: "blank", title: "Gap", label: BLANK, hint: "Moves the gap." },
  { name: "wall", title: "Wall", label: WALL, hint: "Builds walls, and takes them away." },
  { name: "filler", title: "Filler", label: FILLER, hint: "Tiles without a name, all alike." },
  { name: "any", title: "Any", label: ANY, hint: "In the goal: any tile will do here." },
];
/** Keys typed within this time belong to one label. */
const WORD_MS = 900;
/** A puzzle that rests for so long is checked. */
const CHECK_MS = 150;

/** Fill the view with the editor; return how to leave it. */
export function mountEdit(root, app) {
  let puzzle = null;
  let brush = SWAP;
  let chosen = null;
  let typed = { side: "", cell: -1, key: "", at: 0 };
  let checking = null;
  let timer = 0;
  const past = [];

  const sides = { cells: makeSide("cells", "Start"), goal: makeSide("goal", "Goal") };
  const label = element("input", {
    value: "A",
    maxlength: "12",
    "aria-label": "Name of the tile",
    oninput: () => choose(TILE),
    onfocus: () => choose(TILE),
  });
  const tools = BRUSHES.map(makeTool);
  const note = element("p", { class: "note" });
  const verdict = verdictBox((name) => change(aimed(puzzle, name)));
  const sizes = sizeSelects((rows, columns) => change(resized(puzzle, rows, columns)));
  const own = element("option", { value: "", hidden: true }, "Own goal");
  const names = GOAL_NAMES.map((name) => element("option", { value: name }, titleOf(name)));
  const onchange = () => change(aimed(puzzle, goal.value));
  const goal = element("select", { onchange }, ...names, own);
  const undo = button("Undo", { sign: "undo" }, back);
  const boards = element("div", { class: "edit-sides" });
  assemble();

  // --- the puzzle -----------------------------------------------------------------------------

  function load() {
    const state = app.state.get();
    try {
      const name = GOAL_NAMES.includes(state.goal) ? state.goal : null;
      puzzle = { ...puzzleOf(state), name };
    } catch {
      // Nothing that could be edited: begin with something that can.
      app.state.set({ board: EXAMPLES[0].board, goal: EXAMPLES[0].goal });
      puzzle = { ...puzzleOf(app.state.get()), name: EXAMPLES[0].goal };
    }
    show();
  }

  function change(next) {
    if (next === puzzle) return;
    past.push(puzzle);
    puzzle = next;
    keep();
    show();
  }

  function back() {
    if (!past.length) return;
    puzzle = past.pop();
    keep();
    show();
  }

  function keep() {
    app.state.set({ ...texts(), ...NO_GAME });
  }

  /** Return the puzzle as the address has it. */
  function texts() {
    const { cells, columns, goal: aim, name } = puzzle;
    return { board: writeBoard(cells, columns), goal: name ?? writeBoard(aim, columns) };
  }

  function show() {
    const hasAgent = puzzle.cells.includes(FILLER);
    eachSide((side, board) => board.show(puzzle[side], puzzle.columns, hasAgent));
    boards.style.setProperty("--columns", puzzle.columns);
    sizes.show(puzzle.rows, puzzle.columns);
    own.hidden = Boolean(puzzle.name);
    goal.value = puzzle.name ?? "";
    undo.disabled = !past.length;
    check();
  }

  /** Ask whether it can be solved, once the hand rests. */
  function check() {
    clearTimeout(timer);
    checking?.abort();
    const turn = new AbortController();
    timer = setTimeout(() => putCheck(turn), CHECK_MS);
    checking = turn;
  }

  async function putCheck(turn) {
    try {
      const said = await app.api.post("/api/check", questionOf(puzzle), { signal: turn.signal });
      if (checking === turn) verdict.show(said);
    } catch (error) {
      if (checking === turn) verdict.fail(error.message);
    }
  }

  // --- the brush ------------------------------------------------------------------------------

  function choose(next) {
    brush = next;
    chosen = null;
    for (const [index, tool] of tools.entries()) {
      tool.setAttribute("aria-pressed", String(BRUSHES[index] === brush));
    }
    note.textContent = brush.hint;
    mark();
  }

  function begin(side, cell) {
    if (brush !== SWAP) return paint(side, cell);
    if (chosen?.side === side && chosen.cell !== cell) return exchange(side, cell);
    chosen = { side, cell };
    mark();
  }

  function end(side, cell) {
    if (brush === SWAP && chosen?.side === side && chosen.cell !== cell) exchange(side, cell);
  }

  function exchange(side, cell) {
    change(swapped(puzzle, side, chosen.cell, cell));
    chosen = null;
    mark();
  }

  /** Go on painting; a stroke does not take back its own walls, and there is but one gap. */
  function stroke(side, cell) {
    const isDone = puzzle[side][cell] === paintLabel();
    if (brush !== SWAP && brush.label !== BLANK && !isDone) paint(side, cell);
  }

  function paint(side, cell) {
    attempt(() => painted(puzzle, side, cell, paintLabel()));
  }

  function paintLabel() {
    return brush === TILE ? labelOf(label.value.trim() || "A") : brush.label;
  }

  /** Take a key on a cell as its label; keys in quick succession make one. */
  function type(side, cell, key) {
    const now = performance.now();
    const isSame = typed.cell === cell && typed.side === side && now - typed.at < WORD_MS;
    const isMore = isSame && /^[\p{L}\d_]$/u.test(key);
    if (isMore && past.length) puzzle = past.pop();
    typed = { side, cell, at: now, key: isMore ? typed.key + key : key };
    const isLabel = /^([\p{L}\d][\p{L}\d_]*|[_*#.@-])$/u.test(typed.key);
    if (isLabel) attempt(() => painted(puzzle, side, cell, labelOf(typed.key)));
  }

  function attempt(deed) {
    try {
      change(deed());
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      app.tell(error.message);
    }
  }

  function mark() {
    eachSide((side, board) => board.select(chosen?.side === side ? chosen.cell : -1));
  }

  function eachSide(deed) {
    for (const [side, { board }] of Object.entries(sides)) deed(side, board);
  }

  // --- layout ---------------------------------------------------------------------------------

  function makeSide(side, title) {
    const board = editBoard(title, {
      onStart: (cell) => begin(side, cell),
      onOver: (cell) => stroke(side, cell),
      onEnd: (cell) => end(side, cell),
      onType: (cell, key) => type(side, cell, key),
    });
    const look = { class: "edit-side", "aria-label": title };
    return { board, box: element("section", look, element("h2", {}, title), board.grid) };
  }

  function makeTool(each) {
    const swatch = element("span", { class: `swatch is-${each.name}` });
    if (each === SWAP) swatch.append(icon("swap"));
    const look = { type: "button", class: "tool", title: each.hint };
    return element("button", { ...look, onclick: () => choose(each) }, swatch, each.title);
  }

  function makeExample({ title, ...values }) {
    return button(title, { class: "chip" }, () => {
      past.push(puzzle);
      app.state.set({ ...values, ...NO_GAME });
    });
  }

  function assemble() {
    const done = () => app.state.set({ edit: null }, { push: true });
    const play = button("Play this board", { sign: "play", class: "main" }, done);
    const aim = element("label", { class: "field" }, "Goal", goal);
    const [swap, tile, ...others] = tools;
    const group = { class: "tools", role: "group", "aria-label": "Brush" };
    const bar = element(
      "div",
      { class: "edit-bar" },
      element("div", { class: "row spread" }, row(sizes.field, aim), row(undo, play)),
      element("div", group, swap, tile, label, ...others),
      note,
    );
    const examples = element("section", { class: "stack", "aria-label": "Examples" });
    examples.append(element("h2", {}, "Examples"), row(...EXAMPLES.map(makeExample)));
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
    back();
  }
  document.addEventListener("keydown", onKey);
  const leave = app.state.subscribe((state) => {
    if (state.view !== "play" || !state.edit || !puzzle) return;
    const now = texts();
    if (state.board !== now.board || state.goal !== now.goal) load();
  });
  choose(SWAP);
  load();

  return {
    unmount() {
      leave();
      clearTimeout(timer);
      checking?.abort();
      document.removeEventListener("keydown", onKey);
    },
  };
}
