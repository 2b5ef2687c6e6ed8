// The goal: a card with a small board and a list of the named goals, and the verdict whether the board can be solved.

import { button, element, icon } from "../page/dom.js";
import { capitalised } from "../page/words.js";
import { BoardView } from "../puzzle/board.js";
import { GOAL_NAMES } from "../puzzle/puzzle.js";

const OWN = "own";

/** Return `{card, show(game, name), paint(image)}`; `onGoal` gets a name, `onMetric` a metric. */
export function goalCard(onGoal, onMetric) {
  const picture = element("div", { class: "small-board" });
  const view = new BoardView(picture, { label: "Goal" });
  const own = element("option", { value: OWN, hidden: true }, "Own goal");
  const names = GOAL_NAMES.map((name) => element("option", { value: name }, goalTitle(name)));
  const select = element("select", { onchange: () => onGoal(select.value) }, ...names, own);
  const field = element("label", { class: "field" }, "Goal", select);
  const multi = element("input", {
    type: "checkbox",
    onchange: () => onMetric(multi.checked ? "multi" : "single"),
  });
  const metric = element(
    "label",
    { class: "tick note" },
    multi,
    "Several tiles at once count as one move",
  );
  const attributes = { class: "card goal-card", "aria-label": "Goal" };
  return {
    card: element("section", attributes, field, picture, metric),
    show(game, goal) {
      view.show(game.goal, { columns: game.columns, animate: false });
      picture.style.setProperty("--ratio", game.columns / game.rows);
      own.hidden = GOAL_NAMES.includes(goal);
      select.value = own.hidden ? goal : OWN;
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
  return capitalised(name.replaceAll("-", " "));
}

// --- whether the board can be solved -----------------------------------------------------------

/** Return `{box, show(answer), fail(sentence), clear()}`; `onGoal` gets the name of another goal. */
export function verdictBox(onGoal) {
  const box = element("div", { class: "sentence verdict", role: "status", hidden: true });

  function fill(kind, iconName, sentence, ...more) {
    const words = element("strong", {}, sentence);
    box.className = `sentence verdict ${kind}`;
    box.replaceChildren(
      element("p", { class: "row verdict-line" }, icon(iconName), words),
      ...more,
    );
    box.hidden = false;
  }

  function offer(names) {
    const chip = (name) => button(goalTitle(name), { class: "chip" }, () => onGoal(name));
    return element("p", { class: "row" }, "It could with another goal:", ...names.map(chip));
  }

  return {
    box,
    /** Show the answer of `/api/check`. */
    show({ solvable, reason, solved, solvable_with: others = [] }) {
      const yes = solved ? "It is already solved." : "It can be solved.";
      const goals = others.length ? [offer(others)] : [];
      if (solvable) fill("good", "check", yes, why(reason));
      else fill("bad", "close", "It cannot be solved.", why(reason), ...goals);
    },
    /** Show an error. */
    fail(sentence) {
      fill("bad", "close", capitalised(sentence));
    },
    clear() {
      box.hidden = true;
    },
  };
}

function why(reason) {
  return element("details", {}, element("summary", {}, "Why?"), element("p", {}, `${reason}.`));
}
