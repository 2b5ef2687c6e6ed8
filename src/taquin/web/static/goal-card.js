// The goal as a small board, and a list of the named goals.

import { BoardView } from "./board.js";
import { element } from "./dom.js";
import { GOAL_NAMES } from "./puzzle.js";
import { capitalised } from "./words.js";

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
  const metric = element("label", { class: "tick note" }, multi, "Several tiles at once count as one move");
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
