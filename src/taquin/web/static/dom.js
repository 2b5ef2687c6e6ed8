// Making elements: `element("button", {class: "quiet", onclick: stop}, "Stop")`.

const SVG = "http://www.w3.org/2000/svg";

/** Return an HTML element; functions among the attributes are listeners, false leaves one out. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Return an SVG element. */
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** Return a drawn sign of the sheet in index.html, for buttons; it says nothing to listeners. */
export function icon(name) {
  const use = drawn("use", { href: `#icon-${name}` });
  return drawn("svg", { class: "icon", "aria-hidden": "true" }, use);
}

/**
 * Return a button with an icon, or with words, or with both.
 * @param {string} words
 * @param {{sign?: string, [attribute: string]: any}} look the icon's name, and attributes
 * @param {(event: MouseEvent) => void} onclick
 */
export function button(words, { sign, ...attributes }, onclick) {
  const parts = sign ? [icon(sign)] : [];
  if (words) parts.push(element("span", {}, words));
  return element("button", { type: "button", onclick, ...attributes }, ...parts);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  const isThere = (child) => child !== null && child !== undefined && child !== false;
  node.append(...children.filter(isThere));
  return node;
}
