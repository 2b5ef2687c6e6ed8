// The text of a search, `astar(manhattan, weight=2)`, and its parts.

/** Return the name, heuristic and options of a search's text; options are texts by name. */
export function readSearch(text) {
  const match = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/s.exec(text);
  if (!match) return { name: text.trim(), heuristic: null, options: {} };
  const search = { name: match[1], heuristic: null, options: {} };
  for (const part of splitTop(match[2] ?? "")) {
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

/** Return the name of a search as people say it: `A* (Manhattan)`; `searches` is the catalogue. */
export function titleOf(text, searches) {
  const { name, heuristic, options } = readSearch(text);
  const words = heuristic ? [titled(searches.heuristics, heuristic)] : [];
  for (const [key, value] of Object.entries(options)) words.push(`${key} ${value}`);
  const title = titled(searches.algorithms, name);
  return words.length ? `${title} (${words.join(", ")})` : title;
}

function titled(list, name) {
  return list.find((each) => each.name === name)?.title ?? name;
}

/** Return the parts between the commas that stand in no brackets. */
function splitTop(text) {
  const parts = [];
  let deep = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if ("([".includes(text[at])) deep += 1;
    else if (")]".includes(text[at])) deep -= 1;
    if (at === text.length || (text[at] === "," && deep === 0)) {
      const part = text.slice(from, at).trim();
      if (part) parts.push(part);
      from = at + 1;
    }
  }
  return parts;
}
