/* Creates elements without HTML markup, so that text in messages is never interpreted. */

/**
 * Create an element. `attributes` can have `text`, `on` (listeners by event) and attributes by
 * name; true sets an empty attribute; false, null and undefined leave it out.
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const SVG = "http://www.w3.org/2000/svg";

/** Create an SVG element, like `h`. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, { on = {}, text = null, ...attributes }, children) {
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  if (text !== null) element.textContent = text;
  assign(element, attributes);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Set attributes: true sets an empty one; false, null and undefined remove it. */
export function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
}

/** Replace an element's children. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child));
  return element;
}

/** Replace an element's children without touching those that are already in place. */
export function arrange(element, ...children) {
  const wanted = children.flat(Infinity).filter((child) => child);
  const kept = new Set(wanted);
  for (const child of [...element.children]) {
    if (!kept.has(child)) child.remove();
  }
  wanted.forEach((child, index) => {
    const there = element.children[index];
    if (there !== child) element.insertBefore(child, there ?? null);
  });
}

/** Text for screen readers only. */
export function hidden(text) {
  return h("span", { class: "for-readers", text });
}

/** A line icon; `path` is the `d` of an SVG path in a 24 by 24 view box. */
export function icon(path) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: path }),
  );
}

export const ICONS = {
  hash: "M9 4 7 20M17 4l-2 16M4 9h17M3 15h17",
  thread: "M5 4v9a4 4 0 0 0 4 4h10m-4-4 4 4-4 4",
  close: "M6 6l12 12M18 6 6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  down: "M6 9l6 6 6-6",
  send: "M4 12 20 4l-5 16-3-7-8-1z",
  out: "M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
};
