// The form of Solve: the search, the wanted solution, and the limits.

import { element } from "../page/dom.js";
import { SearchForm } from "../search/search-form.js";
import { unknownSearch } from "../search/searches.js";

const BEST = {
  title: "Best available",
  sentence:
    "Whatever finds a shortest solution soonest; a good one where that would take too long.",
};
const AIMS = [
  ["", "Optimal, or a good one if that takes too long"],
  ["optimal", "Optimal, however long it takes"],
  ["anytime", "A good one at once, then better ones"],
  ["within", "At most a factor longer than optimal"],
];

/** Return `{root, body()}`; changes are written into the address. */
export function solveForm(app, searches, about) {
  const state = app.state.get();
  const change = (changes) => app.state.set(changes);
  const search = new SearchForm({
    searches,
    text: state.search ?? "",
    none: BEST,
    onUnknown: (text) => app.notify(unknownSearch(text), "bad"),
    onChange: (text) => {
      change({ search: text });
      updateFields();
    },
  });
  const aim = element(
    "select",
    {
      onchange: () => {
        change({ aim: aim.value });
        updateFields();
      },
    },
    ...AIMS.map(([name, words]) => element("option", { value: name }, words)),
  );
  aim.value = AIMS.some(([name]) => name === state.aim) ? state.aim : "";
  const factor = number("factor", state.factor ?? "1.2", { min: 1, step: "any" });
  const engine = engineList(searches.engines, state.engine ?? "auto", (name) =>
    change({ engine: name === "auto" ? null : name }),
  );
  const seconds = number("seconds", state.seconds ?? "", {
    min: 0,
    max: about.limits?.seconds,
    step: "any",
    placeholder: about.limits?.seconds ?? "",
  });
  const nodes = number("nodes", state.nodes ?? "", {
    min: 0,
    step: 1,
    placeholder: "no limit of its own",
  });
  const aimField = element("label", { class: "field" }, "Wanted", aim);
  const factorField = element(
    "label",
    { class: "field" },
    "At most this many times as long",
    factor,
  );
  const limits = element(
    "details",
    { class: "search-more" },
    element("summary", {}, "Limits and engine"),
    element(
      "div",
      { class: "options" },
      engine.root,
      element("label", { class: "field" }, "Most seconds", seconds),
      element("label", { class: "field" }, "Most nodes", nodes),
    ),
  );
  limits.open = Boolean(state.engine || state.seconds || state.nodes);

  function number(name, value, attributes) {
    const input = element("input", {
      type: "number",
      inputmode: "decimal",
      ...attributes,
      onchange: () => change({ [name]: input.value }),
    });
    input.value = value;
    return input;
  }

  /** Show only the fields that apply. */
  function updateFields() {
    const isBest = !search.text;
    aimField.hidden = !isBest;
    factorField.hidden = !isBest || aim.value !== "within";
    engine.root.hidden = isBest && (aim.value === "anytime" || aim.value === "within");
  }

  updateFields();
  return {
    root: element("div", { class: "stack" }, search.root, aimField, factorField, limits),
    /** Return the body of the request, without the puzzle. */
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
  const select = element(
    "select",
    {
      "aria-describedby": note.id,
      onchange: () => {
        explain();
        onChange(select.value);
      },
    },
    ...engines.map(({ name, available, why_not: reason }) =>
      element(
        "option",
        { value: name, disabled: !available },
        available ? name : `${name}: ${reason}`,
      ),
    ),
  );
  select.value = chosen;
  function explain() {
    note.textContent = engines.find(({ name }) => name === select.value)?.sentence ?? "";
  }
  explain();
  return {
    root: element(
      "div",
      { class: "field" },
      element("label", { class: "field" }, "Engine", select),
      note,
    ),
    value: () => select.value,
  };
}
