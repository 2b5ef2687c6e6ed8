// The text of a search, such as `astar(manhattan, weight=2)`, and its parts.

/** Return `{name, heuristic, options}` of a text; the values of options are strings. */
export function readSearch(text) {
  const match = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/s.exec(text);
  if (!match) return { name: text.trim(), heuristic: null, options: {} };
  const search = { name: match[1], heuristic: null, options: {} };
  for (const part of splitOutsideBrackets(match[2] ?? "")) {
    const option = /^([\w-]+)\s*=\s*(.+)$/s.exec(part);
    if (!option) search.heuristic = part;
    else search.options[option[1].replaceAll("_", "-")] = option[2].trim();
  }
  return search;
}

/** Return the text of a search. */
export function writeSearch({ name, heuristic, options }) {
  const parts = heuristic ? [heuristic] : [];
  for (const [key, value] of Object.entries(options)) parts.push(`${key}=${value}`);
  return parts.length ? `${name}(${parts.join(", ")})` : name;
}

/** Return the title of a search: `A* (Manhattan)`; `searches` is the catalogue. */
export function titleOf(text, searches) {
  const { name, heuristic, options } = readSearch(text);
  const words = heuristic ? [titleIn(searches.heuristics, heuristic)] : [];
  for (const [key, value] of Object.entries(options)) words.push(`${key} ${value}`);
  const title = titleIn(searches.algorithms, name);
  return words.length ? `${title} (${words.join(", ")})` : title;
}

/** Return the sentence for a search of the address that is not in the catalogue. */
export function unknownSearch(text) {
  return `The search “${text.slice(0, 60)}” of the address is not known here: choose another.`;
}

function titleIn(list, name) {
  return list.find((entry) => entry.name === name)?.title ?? name;
}

/** Return the parts of a text, split at commas outside brackets. */
export function splitOutsideBrackets(text) {
  const parts = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if ("([".includes(text[at])) depth += 1;
    else if (")]".includes(text[at])) depth -= 1;
    if (at === text.length || (text[at] === "," && depth === 0)) {
      const part = text.slice(start, at).trim();
      if (part) parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}
