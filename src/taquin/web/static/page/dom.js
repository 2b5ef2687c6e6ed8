// Creating elements: `element("button", {class: "quiet", onclick: stop}, "Stop")`.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return an HTML element. A function among the attributes is a listener (`onclick`); an attribute
 * that is false, null or undefined is left out, and so is such a child.
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Return a table with a line of headings; each of `rows` is a `<tr>`, or a list of what its cells hold. */
export function table(attributes, headings, rows) {
  const cells = (name, contents, look) => contents.map((content) => element(name, look, content));
  return element(
    "table",
    attributes,
    element("thead", {}, element("tr", {}, ...cells("th", headings, { scope: "col" }))),
    element(
      "tbody",
      {},
      ...rows.map((row) => (Array.isArray(row) ? element("tr", {}, ...cells("td", row)) : row)),
    ),
  );
}

/** Return an SVG element. */
export function svgElement(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Return an icon, a symbol of index.html; screen readers skip it. */
export function icon(name) {
  const use = svgElement("use", { href: `#icon-${name}` });
  return svgElement("svg", { class: "icon", "aria-hidden": "true" }, use);
}

/**
 * Return a button with an icon, a text, or both.
 * @param {string} text
 * @param {{icon?: string, [attribute: string]: any}} look the name of an icon, and attributes
 * @param {(event: MouseEvent) => void} onclick
 */
export function button(text, { icon: iconName, ...attributes }, onclick) {
  const parts = iconName ? [icon(iconName)] : [];
  if (text) parts.push(element("span", {}, text));
  return element("button", { type: "button", onclick, ...attributes }, ...parts);
}

/** Load a style sheet of the page, unless it is there; a failure is ignored. */
export function loadStyle(name) {
  const href = new URL(`../${name}`, import.meta.url).href;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    document.head.append(
      element("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }),
    );
  });
}

/** Save a blob as a file. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function fill(node, attributes, children) {
  const isPresent = (value) => value !== null && value !== undefined && value !== false;
  for (const [name, value] of Object.entries(attributes)) {
    if (!isPresent(value)) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter(isPresent));
  return node;
}
