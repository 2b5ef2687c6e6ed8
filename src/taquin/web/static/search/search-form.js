// A form for a search: the algorithm, its heuristic, its options, each explained in a sentence.

import { FILE } from "../code/user-code.js";
import { element } from "../page/dom.js";
import { readSearch, writeSearch } from "./searches.js";

/** Counts the forms: each needs ids of its own. */
let instances = 0;

export class SearchForm {
  /**
   * `searches` is the catalogue of the server, `text` the first search. `none`, a title and a
   * sentence, adds the choice of no algorithm, whose text is "". `onUnknown` gets a first search that
   * the form cannot show.
   * @param {{searches: any, text: string, none?: any, compact?: boolean,
   *   onChange?: (text: string) => void, onUnknown?: (text: string) => void}} options
   */
  constructor({
    searches,
    text,
    none = null,
    compact = false,
    onChange = () => {},
    onUnknown = () => {},
  }) {
    this.searches = searches;
    this.none = none;
    this.onChange = onChange;
    instances += 1;
    this.id = `search-${instances}`;
    this.algorithm = this.#list("Algorithm", [...this.#algorithms()]);
    this.heuristic = this.#list("Heuristic", searches.heuristics);
    this.options = element("div", { class: "options" });
    this.more = element(
      "details",
      { class: "search-more", hidden: compact },
      element("summary", {}, "Options of the algorithm"),
      this.options,
    );
    this.root = element(
      "div",
      { class: "search-form stack" },
      this.algorithm.root,
      this.heuristic.root,
      this.more,
    );
    this.set(text);
    if (text && !this.#isKnown(text)) onUnknown(text);
  }

  #isKnown(text) {
    const { name, options } = readSearch(text);
    const known = this.#find(name)?.options.map((option) => option.name);
    return Boolean(known) && Object.keys(options).every((option) => known.includes(option));
  }

  /** The text of the chosen search; "" for none. */
  get text() {
    const name = this.algorithm.select.value;
    if (!name) return "";
    const heuristic = this.#find(name).takes_heuristic ? this.heuristic.select.value : null;
    return writeSearch({ name, heuristic, options: this.#chosenOptions() });
  }

  /** Choose the search of a text. */
  set(text) {
    const { name, heuristic, options } = readSearch(text);
    if (name.startsWith(`${FILE}:`) && !this.#find(name)) this.#addAlgorithm(name);
    const isKnown = Boolean(this.#find(name));
    this.algorithm.select.value = isKnown ? name : this.none ? "" : "astar";
    if (heuristic) this.#addHeuristic(heuristic);
    this.heuristic.select.value = heuristic ?? "manhattan";
    this.#draw(isKnown ? options : {});
  }

  #algorithms() {
    return this.none
      ? [{ name: "", ...this.none }, ...this.searches.algorithms]
      : this.searches.algorithms;
  }

  #find(name) {
    return this.searches.algorithms.find((algorithm) => algorithm.name === name);
  }

  #list(label, entries) {
    const id = `${this.id}-${label.toLowerCase()}`;
    const note = element("p", { class: "note", id: `${id}-note` });
    const select = element(
      "select",
      {
        id,
        "aria-describedby": note.id,
        onchange: () => {
          this.#draw({});
          this.onChange(this.text);
        },
      },
      ...entries.map((entry) => element("option", { value: entry.name }, entry.title)),
    );
    const root = element(
      "div",
      { class: "field" },
      element("label", { for: id }, label),
      select,
      note,
    );
    return { root, select, note, entries };
  }

  /** Add a search of the user's own code. */
  #addAlgorithm(name) {
    const own = {
      name,
      title: name,
      sentence: "A search of your own.",
      options: [],
      takes_heuristic: false,
    };
    this.searches = { ...this.searches, algorithms: [...this.searches.algorithms, own] };
    this.algorithm.entries.push(own);
    this.algorithm.select.append(element("option", { value: name }, name));
  }

  /** Add a heuristic that is not in the list, such as a combination. */
  #addHeuristic(text) {
    const { select } = this.heuristic;
    if ([...select.options].some((option) => option.value === text)) return;
    select.append(element("option", { value: text }, text));
  }

  #draw(options) {
    const algorithm = this.#find(this.algorithm.select.value);
    for (const { select, note, entries } of [this.algorithm, this.heuristic]) {
      note.textContent = withoutBackticks(
        entries.find((entry) => entry.name === select.value)?.sentence ?? "",
      );
    }
    this.heuristic.root.hidden = !algorithm?.takes_heuristic;
    this.more.classList.toggle("empty", !algorithm?.options.length);
    this.options.replaceChildren(
      ...(algorithm?.options ?? []).map((option) => this.#field(option, options)),
    );
    this.more.open ||= Object.keys(options).length > 0;
  }

  #field(option, chosen) {
    const id = `${this.id}-${option.name}`;
    const input = this.#input(option, chosen[option.name] ?? option.default);
    input.id = id;
    input.dataset.option = option.name;
    input.dataset.default = String(option.default ?? "");
    const note = element("p", { class: "note", id: `${id}-note` });
    input.setAttribute("aria-describedby", note.id);
    const explain = () => {
      const choice = option.choices?.find(({ name }) => name === input.value);
      note.textContent = withoutBackticks(
        choice ? `${option.sentence} ${choice.sentence}` : option.sentence,
      );
    };
    input.addEventListener("change", () => {
      explain();
      this.onChange(this.text);
    });
    explain();
    const label = element("label", { for: id }, option.name);
    if (option.type !== "flag") return element("div", { class: "field" }, label, input, note);
    return element(
      "div",
      { class: "field" },
      element("div", { class: "tick" }, input, label),
      note,
    );
  }

  #input({ type, choices }, current) {
    if (choices || type === "heuristic") {
      const names = choices
        ? choices.map((choice) => choice.name)
        : ["", ...this.searches.heuristics.map((heuristic) => heuristic.name)];
      const select = element(
        "select",
        {},
        ...names.map((name) => element("option", { value: name }, name || "none")),
      );
      select.value = current ?? "";
      return select;
    }
    if (type === "flag") {
      const box = element("input", { type: "checkbox" });
      box.checked = current === true || current === "true";
      return box;
    }
    const isNumber = type === "whole" || type === "number";
    const input = element(
      "input",
      isNumber
        ? { type: "number", min: 0, step: type === "whole" ? 1 : "any", inputmode: "decimal" }
        : { type: "text" },
    );
    input.value = current ?? "";
    return input;
  }

  #chosenOptions() {
    const options = {};
    for (const input of this.options.querySelectorAll("[data-option]")) {
      const value = input.type === "checkbox" ? String(input.checked) : input.value.trim();
      if (value && value !== input.dataset.default) options[input.dataset.option] = value;
    }
    return options;
  }
}

function withoutBackticks(sentence) {
  return sentence.replaceAll("`", "");
}
