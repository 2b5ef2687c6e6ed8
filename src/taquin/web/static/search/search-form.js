// A form for a search: the algorithm, its heuristic, its options, each explained in a sentence.

import { FILE } from "../code/user-code.js";
import { element } from "../page/dom.js";
import { hasText, sentence, text } from "../page/messages.js";
import {
  algorithmTitle,
  groupsOf,
  heuristicTitle,
  optionTitle,
  readSearch,
  writeSearch,
} from "./searches.js";
import { term } from "./terms.js";

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
    text: search,
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
    this.algorithm = this.#list("algorithm", text("search.algorithm"));
    this.heuristic = this.#list("heuristic", text("search.heuristic"));
    this.#showAlgorithms();
    this.heuristic.select.append(
      ...searches.heuristics.map(({ name }) => choice(name, heuristicTitle(name, searches))),
    );
    this.options = element("div", { class: "options" });
    this.more = element(
      "details",
      { class: "search-more", hidden: compact },
      element("summary", {}, text("search.options")),
      this.options,
    );
    this.root = element(
      "div",
      { class: "search-form stack" },
      this.algorithm.root,
      this.heuristic.root,
      this.more,
    );
    this.set(search);
    if (search && !this.#isKnown(search)) onUnknown(search);
  }

  #isKnown(search) {
    const { name, options } = readSearch(search);
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
  set(search) {
    const { name, heuristic, options } = readSearch(search);
    if (isOwn({ name }) && !this.#find(name)) this.#addAlgorithm(name);
    const isKnown = Boolean(this.#find(name));
    this.algorithm.select.value = isKnown ? name : this.none ? "" : "astar";
    if (heuristic) this.#addHeuristic(heuristic);
    this.heuristic.select.value = heuristic ?? "manhattan";
    this.#draw(isKnown ? options : {});
  }

  #find(name) {
    return this.searches.algorithms.find((algorithm) => algorithm.name === name);
  }

  /** Fill the list of algorithms: in groups, after the choice of none. */
  #showAlgorithms() {
    const groups = groupsOf(this.searches.algorithms, isOwn)
      .filter(([, entries]) => entries.length)
      .map(([label, entries]) =>
        element(
          "optgroup",
          { label },
          ...entries.map(({ name }) => choice(name, algorithmTitle(name, this.searches))),
        ),
      );
    const none = this.none ? [choice("", this.none.title)] : [];
    this.algorithm.select.replaceChildren(...none, ...groups);
  }

  #list(name, label) {
    const id = `${this.id}-${name}`;
    const note = element("p", { class: "note", id: `${id}-note` });
    const select = element("select", {
      id,
      "aria-describedby": note.id,
      onchange: () => {
        this.#draw({});
        this.onChange(this.text);
      },
    });
    const root = element(
      "div",
      { class: "field" },
      element("label", { for: id }, label),
      select,
      note,
    );
    return { root, select, note };
  }

  /** Add a search of user code. */
  #addAlgorithm(name) {
    const own = { name, title: name, options: [], takes_heuristic: false };
    this.searches = { ...this.searches, algorithms: [...this.searches.algorithms, own] };
    this.#showAlgorithms();
  }

  /** Add a heuristic that is not in the list, such as a combination. */
  #addHeuristic(heuristic) {
    const { select } = this.heuristic;
    if ([...select.options].some(({ value }) => value === heuristic)) return;
    select.append(choice(heuristic, heuristic));
  }

  #draw(options) {
    const algorithm = this.#find(this.algorithm.select.value);
    const heuristic = this.searches.heuristics.find(
      ({ name }) => name === this.heuristic.select.value,
    );
    this.algorithm.note.replaceChildren(
      ...(algorithm ? lineOfAlgorithm(algorithm) : [this.none?.sentence ?? ""]),
    );
    this.heuristic.note.replaceChildren(
      ...(heuristic ? line(`heuristics.${heuristic.name}-line`, heuristic.sentence) : []),
    );
    this.heuristic.root.hidden = !algorithm?.takes_heuristic;
    this.more.classList.toggle("empty", !algorithm?.options.length);
    this.options.replaceChildren(
      ...(algorithm?.options ?? []).map((option) => this.#field(option, options, algorithm.name)),
    );
    this.more.open ||= Object.keys(options).length > 0;
  }

  #field(option, chosen, algorithm) {
    const id = `${this.id}-${option.name}`;
    const input = this.#input(option, chosen[option.name] ?? option.default);
    input.id = id;
    input.dataset.option = option.name;
    input.dataset.default = String(option.default ?? "");
    const note = element("p", { class: "note", id: `${id}-note` });
    input.setAttribute("aria-describedby", note.id);
    const explain = () => {
      const chosen = option.choices?.find(({ name }) => name === input.value);
      note.replaceChildren(...lineOfOption(option, algorithm));
      if (chosen)
        note.append(
          " ",
          ...line(`search.choice-${option.name}-${chosen.name}-line`, chosen.sentence),
        );
    };
    input.addEventListener("change", () => {
      explain();
      this.onChange(this.text);
    });
    explain();
    const label = element("label", { for: id }, optionTitle(option.name));
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
      // The choices of an option are words of the notation of searches, in every language.
      const options = choices
        ? choices.map(({ name }) => element("option", { value: name, lang: "en" }, name))
        : [
            choice("", text("search.no-heuristic")),
            ...this.searches.heuristics.map(({ name }) =>
              choice(name, heuristicTitle(name, this.searches)),
            ),
          ];
      const select = element("select", {}, ...options);
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

function isOwn({ name }) {
  return name.startsWith(`${FILE}:`);
}

function choice(name, title) {
  return element("option", { value: name }, title);
}

function lineOfAlgorithm({ name, sentence: english }) {
  return isOwn({ name }) ? [text("search.own")] : line(`algorithms.${name}-line`, english);
}

/** Return the line on an option, which may mean something else in one algorithm. */
function lineOfOption({ name, sentence: english }, algorithm) {
  const special = `search.option-${name}-${algorithm}-line`;
  return line(hasText(special) ? special : `search.option-${name}-line`, english);
}

/** Return a message as texts and elements; without one, the English sentence of the catalogue. */
function line(message, english) {
  if (hasText(message)) return sentence(message, { admissible: term("admissible") });
  return [element("span", { lang: "en" }, english.replaceAll("`", ""))];
}
