// What to solve a board with: a search or whatever is best, what is wanted, and when to give up.

import { element } from "./dom.js";
import { SearchForm } from "./search-form.js";

const BEST = {
  title: "Best available",
  sentence: "Whatever finds a shortest solution soonest; a good one where that would take too long.",
};
const AIMS = [
  ["", "A shortest, or soon a good one"],
  ["optimal", "A shortest, however long it takes"],
  ["anytime", "A good one at once, then better"],
  ["within", "Nearly a shortest, within a factor"],
];
/** The values of the address that belong to this form. */
export const KEYS = ["search", "aim", "factor", "engine", "seconds", "nodes"];

/** Return `{root, body()}`; every change is written into the address. */
export function solveForm(app, searches, about) {
  const state = app.state.get();
  const change = (changes) => app.state.set(changes);
  const search = new SearchForm({
    searches, text: state.search ?? "", none: BEST, onChange: (text) => { change({ search: text }); fit(); },
  });
  const aim = element("select", { onchange: () => { change({ aim: aim.value }); fit(); } },
    ...AIMS.map(([name, words]) => element("option", { value: name }, words)));
  aim.value = AIMS.some(([name]) => name === state.aim) ? state.aim : "";
  const factor = number("factor", state.factor ?? "1.2", { min: 1, step: "any" });
  const engine = engineList(searches.engines, state.engine ?? "auto", (name) => change({ engine: name === "auto" ? null : name }));
  const seconds = number("seconds", state.seconds ?? "", { min: 0, max: about.limits?.seconds, step: "any", placeholder: about.limits?.seconds ?? "" });
  const nodes = number("nodes", state.nodes ?? "", { min: 0, step: 1, placeholder: "no limit of its own" });
  const aimField = element("label", { class: "field" }, "Wanted", aim);
  const factorField = element("label", { class: "field" }, "At most so many times as long", factor);
  const limits = element("details", { class: "search-more" }, element("summary", {}, "Limits and engine"),
    element("div", { class: "options" }, engine.root,
      element("label", { class: "field" }, "Most seconds", seconds),
      element("label", { class: "field" }, "Most nodes", nodes)));
  limits.open = Boolean(state.engine || state.seconds || state.nodes);

  function number(name, value, attributes) {
    const input = element("input", { type: "number", inputmode: "decimal", ...attributes, onchange: () => change({ [name]: input.value }) });
    input.value = value;
    return input;
  }

  /** Show only what has a meaning beside the rest. */
  function fit() {
    const isBest = !search.text;
    aimField.hidden = !isBest;
    factorField.hidden = !isBest || aim.value !== "within";
    engine.root.hidden = isBest && (aim.value === "anytime" || aim.value === "within");
  }

  fit();
  return {
    root: element("div", { class: "stack" }, search.root, aimField, factorField, limits),
    /** Return what to ask the server for, apart from the puzzle. */
    body() {
      const body = {};
      const text = search.text;
      const limit = Number(seconds.value) || null;
      if (text) body.search = text;
      if (!engine.root.hidden && engine.value() !== "auto") body.engine = engine.value();
      if (limit) body.seconds = limit;
      if (Number(nodes.value)) body.nodes = Number(nodes.value);
      if (!text && aim.value === "optimal") body.optimal = true;
      if (!text && aim.value === "anytime") body.anytime = limit ?? 10;
      if (!text && aim.value === "within") body.within = Math.max(1, Number(factor.value) || 1);
      return body;
    },
  };
}

function engineList(engines, chosen, onChange) {
  const note = element("p", { class: "note", id: "engine-note" });
  const select = element("select", { "aria-describedby": note.id, onchange: () => { say(); onChange(select.value); } },
    ...engines.map((each) => element("option", { value: each.name, disabled: !each.available },
      each.available ? each.name : `${each.name}: ${each.why_not}`)));
  select.value = chosen;
  function say() {
    note.textContent = engines.find((each) => each.name === select.value)?.sentence ?? "";
  }
  say();
  return { root: element("div", { class: "field" }, element("label", { class: "field" }, "Engine", select), note), value: () => select.value };
}
