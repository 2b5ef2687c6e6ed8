// Words of search that explain themselves: buttons, each with a tooltip for the pointer, the keyboard and touch.
//
//     sentence("learn.astar", { frontier: term("frontier") })

import { element } from "../page/dom.js";
import { text } from "../page/messages.js";

/** The tooltips by their terms; each is made for its first button. */
const tips = new Map();

/**
 * Return a button that explains a term: g, h, f, frontier, expanded or admissible. `label` is the term as the text
 * around it writes it.
 * @param {string} name
 * @param {string} [label]
 */
export function term(name, label = text(`terms.${name}`)) {
  if (!tips.has(name)) tips.set(name, createTip(name));
  const tip = tips.get(name);
  const show = () => showBeside(tip, root);
  const hide = () => tip.hidePopover();
  const root = element(
    "button",
    {
      type: "button",
      class: "term",
      "aria-describedby": tip.id,
      onclick: show,
      onfocus: show,
      onblur: hide,
      // A finger leaves as soon as it is lifted: its tooltip stays until it touches something else.
      onpointerenter: (event) => event.pointerType === "mouse" && show(),
      // The pointer may move onto the tooltip, to read it under a magnifier.
      onpointerleave: (event) =>
        event.pointerType === "mouse" && event.relatedTarget !== tip && hide(),
    },
    label,
  );
  return root;
}

/** An open popover is closed by Escape, by a press elsewhere, and by the next one. */
function createTip(name) {
  const tip = element(
    "div",
    { id: `term-${name}`, class: "term-tip", role: "tooltip", popover: "auto" },
    text(`terms.${name}-line`),
  );
  tip.addEventListener("mouseleave", () => tip.hidePopover());
  document.body.append(tip);
  return tip;
}

function showBeside(tip, root) {
  tip.showPopover();
  const place = root.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const isLow = place.bottom + height > window.innerHeight;
  tip.style.left = `${Math.max(4, Math.min(place.left, window.innerWidth - width - 4))}px`;
  tip.style.top = `${isLow ? place.top - height : place.bottom}px`;
}
