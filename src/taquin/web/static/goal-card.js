// What solved looks like: the goal as a small board, and the goals that go by a name.

import { BoardView } from "./board.js";
import { element } from "./dom.js";
import { GOAL_NAMES } from "./puzzle.js";

const OWN = "own";

/** Return `{card, show(game, name), paint(image)}`; `choose` hears a name, `count` a metric. */
export function goalCard(choose, count) {
  const picture = element("div", { class: "small-board" });
  const view = new BoardView(picture, { label: "Goal" });
  const own = element("option", { value: OWN, hidden: true }, "Own goal");
  const names = GOAL_NAMES.map((name) => element("option", { value: name }, titleOf(name)));
  const select = element("select", { onchange: () => choose(select.value) }, ...names, own);
  const field = element("label", { class: "field" }, "Goal", select);
  const multi = element("input", {
    type: "checkbox",
    onchange: () => count(multi.checked ? "multi" : "single"),
  });
  const words = "Several tiles at once count as one move";
  const metric = element("label", { class: "tick note" }, multi, words);
  const look = { class: "card goal-card", "aria-label": "Goal" };
  return {
    card: element("section", look, field, picture, metric),
    show(game, goal) {
      view.show(game.goal, { columns: game.columns, animate: false });
      picture.style.setProperty("--ratio", game.columns / game.rows);
      own.hidden = GOAL_NAMES.includes(goal);
      select.value = own.hidden ? goal : OWN;
      multi.checked = game.metric === "multi";
    },
    /** Show the picture that the tiles make in the end. */
    paint(image) {
      view.set({ image, goal: image && view.cells });
    },
  };
}

/** Return the name of a goal as it is shown: `blank-last` is `Blank last`. */
export function titleOf(name) {
  const words = name.replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
}
