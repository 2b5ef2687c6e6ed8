// The form of Solve: the search, the wanted solution, and the limits.

import { element } from "../page/dom.js";
import { hasText, sentence, text } from "../page/messages.js";
import { said } from "../page/said.js";
import { SearchForm } from "../search/search-form.js";
import { unknownSearch } from "../search/searches.js";

const AIMS = ["", "optimal", "anytime", "within"];
/** The engines in groups, each a message `solve.engines-…`. */
const GROUPS = {
  choice: ["auto"],
  optimal: ["table", "cpu", "gpu", "general"],
  good: ["anytime"],
  open: ["glass"],
};

/** Return `{root, body()}`; changes are written into the address. */
export function solveForm(app, searches, about) {
  const state = app.state.get();
  const change = (changes) => app.state.set(changes);
  const search = new SearchForm({
    searches,
    text: state.search ?? "",
    none: { title: text("solve.best-available"), sentence: text("solve.best-available-line") },
    onUnknown: (unknown) => app.notify(unknownSearch(unknown), "bad"),
    onChange: (chosen) => {
      change({ search: chosen });
      updateFields();
    },
  });
  const aim = explained("wanted", AIMS.map(aimOption), (name) => {
    change({ aim: name });
    updateFields();
  });
  aim.select.value = AIMS.includes(state.aim) ? state.aim : "";
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
    placeholder: text("solve.no-own-limit"),
  });
  const factorField = element("label", { class: "field" }, text("solve.factor"), factor);
  const limits = element(
    "details",
    { class: "search-more" },
    element("summary", {}, text("solve.limits")),
    element(
      "div",
      { class: "options" },
      engine.root,
      element("label", { class: "field" }, text("solve.seconds"), seconds),
      element("label", { class: "field" }, text("solve.nodes"), nodes),
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
    aim.explain();
    aim.root.hidden = !isBest;
    factorField.hidden = !isBest || aim.select.value !== "within";
    engine.root.hidden = isBest && ["anytime", "within"].includes(aim.select.value);
  }

  updateFields();
  return {
    root: element("div", { class: "stack" }, search.root, aim.root, factorField, limits),
    /** Return the body of the request, without the puzzle. */
    body() {
      const body = {};
      const chosen = search.text;
      const limit = Number(seconds.value) || null;
      const wanted = chosen ? null : aim.select.value;
      if (chosen) body.search = chosen;
      if (!engine.root.hidden && engine.select.value !== "auto") body.engine = engine.select.value;
      if (limit) body.seconds = limit;
      if (Number(nodes.value)) body.nodes = Number(nodes.value);
      if (wanted === "optimal") body.optimal = true;
      if (wanted === "anytime") body.anytime = limit ?? 10;
      if (wanted === "within") body.within = Math.max(1, Number(factor.value) || 1);
      return body;
    },
  };
}

function aimOption(name) {
  const key = name || "patient";
  const note = () => [text(`solve.aim-${key}-line`)];
  return { note, node: element("option", { value: name }, text(`solve.aim-${key}`)), name };
}

/** Return a select `{root, select, explain()}` with a line below it on the chosen option. */
function explained(key, options, onChange, nodes = options.map(({ node }) => node)) {
  const note = element("p", { class: "note", id: `${key}-note` });
  const explain = () => {
    const chosen = options.find(({ name }) => name === select.value);
    note.replaceChildren(...(chosen?.note() ?? []));
  };
  const select = element("select", {
    "aria-describedby": note.id,
    onchange: () => {
      explain();
      onChange(select.value);
    },
  });
  select.append(...nodes);
  const label = element("label", { class: "field" }, text(`solve.${key}`), select);
  return { root: element("div", { class: "field" }, label, note), select, explain };
}

/** Return the list of engines in groups, with a line on the chosen one and on those that are missing. */
function engineList(engines, chosen, onChange) {
  const titleOf = (name) => (hasText(`solve.engine-${name}`) ? text(`solve.engine-${name}`) : name);
  const options = engines.map(({ name, available, sentence: english }) => {
    const title = available
      ? titleOf(name)
      : text("solve.engine-missing", { engine: titleOf(name) });
    const line = `solve.engine-${name}-line`;
    return {
      name,
      node: element("option", { value: name, disabled: !available }, title),
      note: () => (hasText(line) ? [text(line)] : said({ sentence: english })),
    };
  });
  const groups = Object.entries(GROUPS).map(([group, names]) =>
    element(
      "optgroup",
      { label: text(`solve.engines-${group}`) },
      ...options.filter(({ name }) => names.includes(name)).map(({ node }) => node),
    ),
  );
  const others = options.filter(({ name }) => !Object.values(GROUPS).flat().includes(name));
  const nodes = [...groups, ...others.map(({ node }) => node)];
  const list = explained("engine", options, onChange, nodes);
  list.select.value = chosen;
  list.explain();
  for (const { name, available, why_not: why } of engines) {
    if (available || !why) continue;
    const reason = element("span", {}, ...said(why));
    const parts = sentence("solve.missing-line", { engine: titleOf(name), reason });
    list.root.append(element("p", { class: "note" }, ...parts));
  }
  return list;
}
