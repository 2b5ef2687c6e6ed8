// The game: the board, what was done on it, and how far it is from solved.

import { BoardView } from "./board.js";
import { clockFrom, timeText } from "./clock.js";
import { button, element, icon } from "./dom.js";
import { letDrag } from "./drag.js";
import { isSolved, moveCount, movesText, played, redone, restarted, resumed, undone } from "./game.js";
import { goalCard } from "./goal-card.js";
import { leftAsker, questionOf } from "./left.js";
import { newBoardCard } from "./new-board.js";
import { pictureControl } from "./picture.js";
import { PuzzleError, line, namedGoal, puzzleOf, slideFrom, writeBoard } from "./puzzle.js";
import { textDialog } from "./text-dialog.js";
import { verdictBox } from "./verdict.js";

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const SLIDE_MS = 140;
const SHUFFLE_MS = 420;
/** Where keys mean something else already. */
const BUSY = "input, select, textarea, dialog, [role=tab]";

/** Fill the view with a game; return how to leave it. */
export function mountGame(root, app) {
  let game = null;
  let goalName = "";
  let answer = null;
  let hinted = null;
  let isHintWanted = false;

  const parts = layout();
  const view = new BoardView(parts.table, { onPress: press, label: "" });
  view.svg.removeAttribute("role");
  view.svg.setAttribute("aria-hidden", "true");
  letDrag(view, () => game, play);
  const clock = clockFrom(0, (seconds) => {
    parts.time.textContent = timeText(seconds);
  });
  const asker = leftAsker(app.api, hear);
  const goal = goalCard(chooseGoal, (metric) => app.state.set({ metric, fewest: null, time: Math.floor(clock.seconds()) }));
  const fresh = newBoardCard(app);
  const text = textDialog(app);
  const verdict = verdictBox((name) => app.state.set({ goal: name }));
  const picture = pictureControl(app, view, () => game);
  assemble();

  // --- the game -------------------------------------------------------------------------------

  function load() {
    const state = app.state.get();
    const isFirst = game === null;
    try {
      take(resumed(puzzleOf(state), state.moves), { animate: !isFirst, ms: SHUFFLE_MS });
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      text.use(state.board);
      return;
    }
    goalName = state.goal;
    clock.set(Number(state.time) || 0);
    parts.root.style.setProperty("--ratio", game.columns / game.rows);
    goal.show(game, goalName);
    fresh.show(game, state);
    picture.fit();
    judge();
  }

  function take(next, glide = { ms: SLIDE_MS }) {
    game = next;
    hinted = null;
    isHintWanted = false;
    view.options.goal = game.goal;
    view.show(game.cells, { columns: game.columns, ...glide });
    parts.moves.textContent = moveCount(game);
    parts.undo.disabled = !game.done.length;
    parts.redo.disabled = !game.undone.length;
    parts.reset.disabled = !game.done.length;
    parts.hint.disabled = isSolved(game);
    describe();
    asker.ask(game);
  }

  function play(move) {
    const next = played(game, move);
    if (!next) return false;
    const tile = game.cells[line(game, move.direction)[move.count - 1]];
    const wasSolved = isSolved(game);
    take(next);
    app.announce(`${tile === "." ? "Tile" : tile} ${move.direction}.`);
    if (!isSolved(game)) clock.go();
    else if (!wasSolved) rejoice();
    keep();
    return true;
  }

  function press(cell) {
    const move = slideFrom(game, cell);
    if (move) play(move);
  }

  function step(change) {
    const next = change(game);
    if (!next) return;
    take(next);
    celebrate(false);
    keep();
  }

  /** Write the game into the address; a game at its beginning is as new. */
  function keep() {
    const seconds = Math.floor(clock.seconds());
    app.state.set({
      board: writeBoard(game.cells, game.columns),
      moves: movesText(game),
      time: seconds || null,
    });
  }

  // --- what the server says -------------------------------------------------------------------

  function hear(said) {
    answer = said;
    parts.left.classList.toggle("stale", !said);
    if (!said) return;
    const isKnown = said.left !== null;
    parts.hint.disabled = !said.move;
    parts.left.textContent = isKnown ? said.left : said.lower_bound ? `≥ ${said.lower_bound}` : "–";
    parts.left.title = said.sentence || said.error || "";
    if (isKnown && !game.done.length) app.state.set({ fewest: said.left });
    if (isHintWanted) hint();
  }

  /** Point at the next tile of a shortest solution; asked again, move it. */
  function hint() {
    isHintWanted = !answer;
    if (!answer?.move) return;
    if (hinted) return play(hinted);
    const { tile, tiles = [tile], direction } = answer.move;
    hinted = { direction, count: tiles.length };
    view.point({ cell: line(game, direction)[tiles.length - 1], direction });
    app.announce(`Hint: move ${tile} ${direction}. Ask again to do it.`);
  }

  /** Change the goal; a board that cannot reach it is shuffled. */
  async function chooseGoal(name) {
    const question = questionOf({ ...game, goal: namedGoal(name, game) });
    const { solvable } = await app.api.post("/api/check", question).catch(() => ({ solvable: false }));
    if (solvable) app.state.set({ goal: name, fewest: null });
    else fresh.shuffle(name);
  }

  /** Say when a board cannot be solved at all, as soon as it lies on the table. */
  async function judge() {
    verdict.clear();
    celebrate(isSolved(game) && game.done.length > 0);
    const { goal: judged } = game;
    try {
      const answer = await app.api.post("/api/check", questionOf(game));
      if (judged === game.goal && !answer.solvable) verdict.show(answer);
    } catch (error) {
      if (judged === game.goal) verdict.fail(error.message);
    }
  }

  // --- what is seen and heard -----------------------------------------------------------------

  function rejoice() {
    clock.rest();
    celebrate(true);
    app.announce(parts.status.textContent);
  }

  function celebrate(isWon) {
    for (const { node, cell } of view.tiles) {
      node.style.setProperty("--turn", (cell % game.columns) + Math.floor(cell / game.columns));
    }
    parts.root.classList.toggle("won", isWon);
    parts.status.replaceChildren(...(isWon ? [icon("check"), victory()] : []));
    parts.status.hidden = !isWon;
  }

  function victory() {
    const count = moveCount(game);
    const fewest = Number(app.state.get().fewest);
    const moves = `${count} ${count === 1 ? "move" : "moves"}`;
    const praise = fewest && fewest === count ? ", the fewest possible" : "";
    const better = fewest && fewest < count ? ` ${fewest} would do.` : "";
    return `Solved: ${moves} in ${timeText(clock.seconds())}${praise}.${better}`;
  }

  function describe() {
    const rows = writeBoard(game.cells, game.columns).replace(/\b0\b/, "gap");
    parts.table.setAttribute("aria-label", `Board ${game.rows} by ${game.columns}: ${rows}`);
  }

  async function share() {
    const link = app.state.link();
    try {
      await navigator.clipboard.writeText(link);
      app.tell("The link to this game is copied.");
    } catch {
      app.tell("The link to this game is in the address bar.");
    }
  }

  // --- keys -----------------------------------------------------------------------------------

  function onKey(event) {
    if (event.target.closest(BUSY) || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key === "z") act(event, () => step(event.shiftKey ? redone : undone));
      else if (key === "y") act(event, () => step(redone));
      return;
    }
    if (key in ARROWS) {
      const direction = ARROWS[key];
      const count = event.shiftKey ? line(game, direction).length : 1;
      act(event, () => play({ direction, count }));
    } else if (key === "h") act(event, hint);
    else if (key === "u") act(event, () => step(undone));
    else if (key === "n") act(event, fresh.shuffle);
  }

  function act(event, deed) {
    event.preventDefault();
    deed();
  }

  function onPaste(event) {
    if (event.target.closest?.(BUSY)) return;
    const image = [...event.clipboardData.files].find((file) => file.type.startsWith("image/"));
    if (image) return picture.take(image);
    const words = event.clipboardData.getData("text/plain");
    if (words.trim()) text.use(words);
  }

  // --- layout ---------------------------------------------------------------------------------

  function layout() {
    const make = (sign, words, deed) => button(words, { sign, class: "tall" }, deed);
    return {
      root: element("div", { class: "play" }),
      table: element("div", {
        class: "table",
        role: "application",
        tabindex: "0",
        "aria-roledescription": "sliding puzzle",
        "aria-describedby": "play-keys",
      }),
      moves: element("dd", {}, "0"),
      time: element("dd", {}, "0:00"),
      left: element("dd", { class: "left" }, "–"),
      status: element("p", { class: "sentence good status", role: "status", hidden: true }),
      hint: make("hint", "Hint", hint),
      undo: make("undo", "Undo", () => step(undone)),
      redo: make("redo", "Redo", () => step(redone)),
      reset: make("reset", "Reset", () => {
        step(restarted);
        clock.set(0);
        keep();
      }),
    };
  }

  function assemble() {
    const figure = (name, value) => element("div", {}, element("dt", {}, name), value);
    const figures = element(
      "dl",
      { class: "figures" },
      figure("Moves", parts.moves),
      figure("Time", parts.time),
      figure("Moves left", parts.left),
    );
    const actions = element("div", { class: "actions" }, parts.hint, parts.undo, parts.redo, parts.reset);
    const more = element(
      "div",
      { class: "actions more" },
      button("Text", { sign: "text", class: "tall" }, () => text.open(game)),
      picture.button,
      button("Edit", { sign: "edit", class: "tall" }, () => app.state.set({ edit: "1" })),
      button("Link", { sign: "link", class: "tall", "aria-label": "Copy a link to this game" }, share),
    );
    const keys = element("p", { id: "play-keys", class: "heard" }, "Arrow keys slide a tile into the gap, H gives a hint, U takes a move back.");
    const side = element("div", { class: "play-side" }, figures, parts.status, verdict.box, actions, fresh.card, goal.card, more, picture.input, text.dialog, keys);
    parts.root.append(element("div", { class: "stage" }, parts.table), side);
    root.append(parts.root);
  }

  // --- begin and end --------------------------------------------------------------------------

  const leave = app.state.subscribe((state) => {
    if (state.view !== "play" || state.edit) return;
    const isOurs =
      game &&
      state.board === writeBoard(game.cells, game.columns) &&
      (state.moves || "") === movesText(game) &&
      state.metric === game.metric &&
      state.goal === goalName;
    if (!isOurs) load();
  });
  document.addEventListener("keydown", onKey);
  document.addEventListener("paste", onPaste);
  load();

  return {
    unmount() {
      leave();
      asker.stop();
      clock.end();
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("paste", onPaste);
    },
  };
}
