// Choosing a search: the algorithm, its heuristic, its options, each explained in a sentence.

import { element } from "./dom.js";
import { readSearch, writeSearch } from "./search-text.js";

let made = 0;

export class SearchForm {
  /**
   * `searches` is the catalogue of the server, `text` the search to begin with. With `none`, a
   * word and a sentence for it, no algorithm need be chosen: then `text` is "".
   * @param {{searches: any, text: string, none?: any, compact?: boolean,
   *   onChange?: (text: string) => void}} options
   */
  constructor({ searches, text, none = null, compact = false, onChange = () => {} }) {
    this.searches = searches;
    this.none = none;
    this.onChange = onChange;
    made += 1;
    this.id = `search-${made}`;
    this.algorithm = this.#list("Algorithm", this.#algorithms());
    this.heuristic = this.#list("Heuristic", searches.heuristics);
    this.options = element("div", { class: "options" });
    this.more = element("details", { class: "search-more", hidden: compact },
      element("summary", {}, "Options of the algorithm"), this.options);
    this.root = element("div", { class: "search-form stack" },
      this.algorithm.root, this.heuristic.root, this.more);
    this.set(text);
  }

  /** Return the text of the search that is chosen; "" for none. */
  get text() {
    const name = this.algorithm.select.value;
    if (!name) return "";
    const heuristic = this.#known(name).takes_heuristic ? this.heuristic.select.value : null;
    return writeSearch({ name, heuristic, options: this.#chosen() });
  }

  /** Choose the search of a text. */
  set(text) {
    const { name, heuristic, options } = readSearch(text);
    const known = this.searches.algorithms.some((each) => each.name === name);
    this.algorithm.select.value = known ? name : this.none ? "" : "astar";
    if (heuristic) this.#addHeuristic(heuristic);
    this.heuristic.select.value = heuristic ?? "manhattan";
    this.#draw(known ? options : {});
  }

  #algorithms() {
    return this.none ? [{ name: "", ...this.none }, ...this.searches.algorithms] : this.searches.algorithms;
  }

  #known(name) {
    return this.searches.algorithms.find((each) => each.name === name);
  }

  #list(label, entries) {
    const id = `${this.id}-${label.toLowerCase()}`;
    const note = element("p", { class: "note", id: `${id}-note` });
    const select = element("select", {
      id, "aria-describedby": note.id, onchange: () => { this.#draw({}); this.onChange(this.text); },
    }, ...entries.map((each) => element("option", { value: each.name }, each.title)));
    const root = element("div", { class: "field" }, element("label", { for: id }, label), select, note);
    return { root, select, note, entries };
  }

  /** Offer a heuristic that is none of the list, such as one made of others. */
  #addHeuristic(text) {
    const { select } = this.heuristic;
    if ([...select.options].some((each) => each.value === text)) return;
    select.append(element("option", { value: text }, text));
  }

  #draw(options) {
    const name = this.algorithm.select.value;
    const known = this.#known(name);
    for (const { select, note, entries } of [this.algorithm, this.heuristic]) {
      note.textContent = plain(entries.find((each) => each.name === select.value)?.sentence ?? "");
    }
    this.heuristic.root.hidden = !known?.takes_heuristic;
    this.more.classList.toggle("empty", !known?.options.length);
    this.options.replaceChildren(...(known?.options ?? []).map((each) => this.#field(each, options)));
    this.more.open ||= Object.keys(options).length > 0;
  }

  #field(option, chosen) {
    const id = `${this.id}-${option.name}`;
    const now = chosen[option.name] ?? option.default;
    const input = this.#input(option, now);
    input.id = id;
    input.dataset.option = option.name;
    input.dataset.usual = String(option.default ?? "");
    const note = element("p", { class: "note", id: `${id}-note` });
    input.setAttribute("aria-describedby", note.id);
    const say = () => {
      const choice = option.choices?.find((each) => each.name === input.value);
      note.textContent = plain(choice ? `${option.sentence} ${choice.sentence}` : option.sentence);
    };
    input.addEventListener("change", () => { say(); this.onChange(this.text); });
    say();
    const label = element("label", { for: id }, option.name);
    if (option.type !== "flag") return element("div", { class: "field" }, label, input, note);
    return element("div", { class: "field" }, element("div", { class: "tick" }, input, label), note);
  }

  #input({ type, choices }, now) {
    if (choices || type === "heuristic") {
      const names = choices ? choices.map((each) => each.name)
        : ["", ...this.searches.heuristics.map((each) => each.name)];
      const select = element("select", {},
        ...names.map((name) => element("option", { value: name }, name || "none")));
      select.value = now ?? "";
      return select;
    }
    if (type === "flag") {
      const box = element("input", { type: "checkbox" });
      box.checked = now === true || now === "true";
      return box;
    }
    const isNumber = type === "whole" || type === "number";
    const input = element("input", isNumber
      ? { type: "number", min: 0, step: type === "whole" ? 1 : "any", inputmode: "decimal" } : { type: "text" });
    input.value = now ?? "";
    return input;
  }

  #chosen() {
    const found = {};
    for (const input of this.options.querySelectorAll("[data-option]")) {
      const value = input.type === "checkbox" ? String(input.checked) : input.value.trim();
      if (value && value !== input.dataset.usual) found[input.dataset.option] = value;
    }
    return found;
  }
}

/** Return a sentence without the marks of code. */
function plain(sentence) {
  return sentence.replaceAll("`", "");
}
