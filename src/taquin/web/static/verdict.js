// Whether a board can be solved, in a sentence, with the reason on demand.

import { button, element, icon } from "./dom.js";
import { goalTitle } from "./goal-card.js";
import { capitalised } from "./words.js";

/** Return `{box, show(answer), fail(sentence), clear()}`; `onGoal` gets the name of another goal. */
export function verdictBox(onGoal) {
  const box = element("div", { class: "sentence verdict", role: "status", hidden: true });

  function fill(kind, iconName, sentence, ...more) {
    const words = element("strong", {}, sentence);
    box.className = `sentence verdict ${kind}`;
    box.replaceChildren(element("p", { class: "row verdict-line" }, icon(iconName), words), ...more);
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
      const yes = solved ? "It is solved as it stands." : "It can be solved.";
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
