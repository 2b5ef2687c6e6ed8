// The goal: a line with a small picture, a card to choose another, and the verdict whether the board can be solved.

import { button, element, icon } from "../page/dom.js";
import { text } from "../page/messages.js";
import { said } from "../page/said.js";
import { capitalised } from "../page/words.js";
import { BoardView } from "../puzzle/board.js";
import { GOAL_NAMES } from "../puzzle/puzzle.js";

const OWN = "own";

/** Return `{line, card, show(game, name), paint(image)}`; `onGoal` gets a name, `onMetric` a metric. */
export function goalCard(onGoal, onMetric) {
  const picture = element("div", { class: "small-board" });
  const view = new BoardView(picture, { label: text("play.goal") });
  const words = element("p");
  const own = element("option", { value: OWN, hidden: true }, text("play.goal-own"));
  const names = GOAL_NAMES.map((name) => element("option", { value: name }, goalTitle(name)));
  const select = element("select", { onchange: () => onGoal(select.value) }, ...names, own);
  const field = element("label", { class: "field" }, text("play.goal"), select);
  const multi = element("input", {
    type: "checkbox",
    onchange: () => onMetric(multi.checked ? "multi" : "single"),
  });
  const metric = element("label", { class: "tick note" }, multi, text("play.multi"));
  const attributes = { class: "card goal-card", "aria-label": text("play.goal") };
  return {
    line: element("div", { class: "goal-line" }, picture, words),
    card: element("section", attributes, field, metric),
    show(game, goal) {
      view.show(game.goal, { columns: game.columns, animate: false });
      picture.style.setProperty("--ratio", game.columns / game.rows);
      own.hidden = GOAL_NAMES.includes(goal);
      select.value = own.hidden ? goal : OWN;
      words.textContent = text(`play.task-${select.value}`);
      multi.checked = game.metric === "multi";
    },
    /** Show the whole picture on the goal. */
    paint(image) {
      view.set({ image, goal: image && view.cells });
    },
  };
}

/** Return the title of a goal: `blank-last` is `Blank last`. */
export function goalTitle(name) {
  return text(`play.goal-${name}`);
}

// --- whether the board can be solved -----------------------------------------------------------

/** Return `{box, show(answer), fail(sentence), clear()}`; `onGoal` gets the name of another goal. */
export function verdictBox(onGoal) {
  const box = element("div", { class: "sentence verdict", role: "status", hidden: true });

  function fill(kind, iconName, words, ...more) {
    box.className = `sentence verdict ${kind}`;
    box.replaceChildren(
      element("p", { class: "row verdict-line" }, icon(iconName), words),
      ...more,
    );
    box.hidden = false;
  }

  function offer(names) {
    const chip = (name) => button(goalTitle(name), { class: "chip" }, () => onGoal(name));
    return element("p", { class: "row" }, text("play.other-goals"), ...names.map(chip));
  }

  return {
    box,
    /** Show the answer of `/api/check`. */
    show({ solvable, message, solved, solvable_with: others = [] }) {
      const yes = element("strong", {}, text(solved ? "play.is-solved" : "play.solvable"));
      const no = element("strong", {}, text("play.unsolvable"));
      const goals = others.length ? [offer(others)] : [];
      if (solvable) fill("good", "check", yes, why(message));
      else fill("bad", "close", no, why(message), ...goals);
    },
    /** Show an error of Python. */
    fail(sentence) {
      fill("bad", "close", element("strong", {}, capitalised(sentence)));
    },
    clear() {
      box.hidden = true;
    },
  };
}

/** @param {import("../page/messages.js").Told} message */
function why(message) {
  return element(
    "details",
    {},
    element("summary", {}, text("play.why")),
    element("p", {}, ...said(message), "."),
  );
}
