// Python text in parts, for its colours: `[kind, text]`, where kind is "" for plain text.

const KINDS = ["comment", "string", "number", "keyword", "name"];
const KEYWORDS = "and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield None True False";
const STRING = `(?:\\b[bfrtuBFRTU]{1,2})?(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\\\.|[^"\\\\\\n])*"?|'(?:\\\\.|[^'\\\\\\n])*'?)`;
const TOKEN = new RegExp(`(#.*)|(${STRING})|\\b(\\d[\\w.]*)|\\b(${KEYWORDS.replaceAll(" ", "|")})\\b|((?<=\\b(?:def|class) +)\\w+)`, "g");

/** Return the parts of each line. */
export function linesOf(text) {
  const lines = [[]];
  for (const [kind, part] of partsOf(text)) {
    part.split("\n").forEach((piece, index) => {
      if (index) lines.push([]);
      if (piece) lines.at(-1).push([kind, piece]);
    });
  }
  return lines;
}

function* partsOf(text) {
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) yield ["", text.slice(end, match.index)];
    yield [KINDS[match.slice(1).findIndex(Boolean)], match[0]];
    end = match.index + match[0].length;
  }
  yield ["", text.slice(end)];
}
