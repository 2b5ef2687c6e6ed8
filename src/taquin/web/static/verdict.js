// Whether a board can be solved, in a sentence, with the reason for whoever asks.

import { button, element, icon } from "./dom.js";
import { titleOf } from "./goal-card.js";

/** Return `{box, show(answer), fail(sentence), clear()}`; `aim` hears a goal that would do. */
export function verdictBox(aim) {
  const box = element("div", { class: "sentence verdict", role: "status", hidden: true });

  function fill(kind, sign, sentence, ...more) {
    const words = element("strong", {}, sentence);
    box.className = `sentence verdict ${kind}`;
    box.replaceChildren(element("p", { class: "row verdict-line" }, icon(sign), words), ...more);
    box.hidden = false;
  }

  function offer(names) {
    const chip = (name) => button(titleOf(name), { class: "chip" }, () => aim(name));
    return element("p", { class: "row" }, "It could with another goal:", ...names.map(chip));
  }

  return {
    box,
    /** Show what the server answered to `/api/check`. */
    show({ solvable, reason, solved, solvable_with: others = [] }) {
      const yes = solved ? "It is solved as it stands." : "It can be solved.";
      if (solvable) fill("good", "check", yes, why(reason));
      else if (!others.length) fill("bad", "close", "It cannot be solved.", why(reason));
      else fill("bad", "close", "It cannot be solved.", why(reason), offer(others));
    },
    /** Show why there is nothing to be answered. */
    fail(sentence) {
      fill("bad", "close", sentence[0].toUpperCase() + sentence.slice(1));
    },
    clear() {
      box.hidden = true;
    },
  };
}

function why(reason) {
  return element("details", {}, element("summary", {}, "Why?"), element("p", {}, `${reason}.`));
}
