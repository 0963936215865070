/* A list that opens next to a field, for mouse and keyboard. */

import { h } from "./dom.js";

let open = null;
let number = 0;

/** `items` are {value, label, detail, icon}; `chosen` is a set of values. */
export class Listbox {
  constructor(anchor, { label, many = false, pick, closed, footer = null }) {
    this.anchor = anchor;
    this.many = many;
    this.pick = pick;
    this.closed = closed;
    this.items = [];
    this.chosen = new Set();
    this.active = 0;
    this.list = h("ul", {
      class: "listbox-items",
      role: "listbox",
      id: `listbox-${(number += 1)}`,
      "aria-label": label,
      "aria-multiselectable": many ? "true" : null,
    });
    // The anchor keeps the focus, so that people can type while the list is open.
    this.element = h(
      "div",
      { class: "listbox", "data-listbox": true, on: { mousedown: (event) => event.preventDefault() } },
      this.list,
      footer,
    );
  }

  get isOpen() {
    return open === this;
  }

  show(items, chosen = new Set(), active = 0) {
    if (open && open !== this) open.hide();
    this.items = items;
    this.chosen = chosen;
    this.active = Math.min(active, Math.max(items.length - 1, 0));
    this.draw();
    document.body.append(this.element);
    open = this;
    this.anchor.setAttribute("aria-expanded", "true");
    this.anchor.setAttribute("aria-controls", this.list.id);
    this.place();
  }

  hide() {
    if (!this.isOpen) return;
    open = null;
    this.element.remove();
    this.anchor.setAttribute("aria-expanded", "false");
    this.anchor.removeAttribute("aria-activedescendant");
    this.closed?.();
  }

  draw() {
    const nothing = h("li", { class: "listbox-nothing", text: "Nothing to choose from" });
    const rows = this.items.map((item, index) => this.row(item, index));
    this.list.replaceChildren(...(rows.length ? rows : [nothing]));
    this.mark();
  }

  row(item, index) {
    return h(
      "li",
      {
        role: "option",
        id: `${this.list.id}-${index}`,
        "data-value": item.value,
        "aria-selected": this.chosen.has(item.value) ? "true" : "false",
        on: {
          click: () => this.choose(index),
          mousemove: () => this.move(index),
        },
      },
      item.icon ?? null,
      h("div", { class: "listbox-text" },
        h("div", { class: "listbox-label", text: item.label }),
        item.detail ? h("div", { class: "listbox-detail", text: item.detail }) : null),
      this.many ? h("span", { class: "listbox-check", "aria-hidden": "true" }) : null,
    );
  }

  mark() {
    [...this.list.children].forEach((row, index) => {
      row.classList.toggle("active", index === this.active);
    });
    if (!this.items.length) return;
    this.anchor.setAttribute("aria-activedescendant", `${this.list.id}-${this.active}`);
  }

  move(index) {
    if (index === this.active) return;
    this.active = index;
    this.mark();
  }

  choose(index = this.active) {
    const item = this.items[index];
    if (item) this.pick(item);
  }

  /** Handle a key pressed in the anchor; returns whether the list used it. */
  key(event) {
    if (!this.isOpen) return false;
    const last = this.items.length - 1;
    const moves = {
      ArrowDown: () => (this.active >= last ? 0 : this.active + 1),
      ArrowUp: () => (this.active <= 0 ? last : this.active - 1),
      PageDown: () => Math.min(this.active + 8, last),
      PageUp: () => Math.max(this.active - 8, 0),
    };
    if (moves[event.key] && this.items.length) {
      this.move(moves[event.key]());
      this.list.children[this.active].scrollIntoView({ block: "nearest" });
    } else if ((event.key === "Enter" || event.key === "Tab") && this.items.length) {
      if (event.key === "Tab" && this.many) return false;
      this.choose();
    } else if (event.key === "Escape") {
      this.hide();
    } else {
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Position the list below the anchor, or above it if there is too little room below. */
  place() {
    const at = this.anchor.getBoundingClientRect();
    const below = innerHeight - at.bottom;
    const up = at.top > below && below < 260;
    const room = Math.max(120, (up ? at.top : below) - 12);
    const width = Math.min(Math.max(at.width, 220), innerWidth - 16);
    Object.assign(this.element.style, {
      width: `${width}px`,
      left: `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`,
      top: up ? "auto" : `${at.bottom + 4}px`,
      bottom: up ? `${innerHeight - at.top + 4}px` : "auto",
      maxHeight: `${Math.min(room, 360)}px`,
    });
  }
}

document.addEventListener("pointerdown", (event) => {
  if (open && !open.element.contains(event.target) && !open.anchor.contains(event.target)) {
    open.hide();
  }
});
document.addEventListener(
  "scroll",
  (event) => {
    if (open && !open.element.contains(event.target)) open.place();
  },
  true,
);
addEventListener("resize", () => open?.place());
