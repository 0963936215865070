/* A text field with a list of matching items. */

import { h } from "./dom.js";
import { Listbox } from "./listbox.js";

const PAUSE_MS = 150;
const MAX_ITEMS = 25;

/**
 * A field whose value comes from a list.
 *
 * `offer(text)` returns the items or a promise of them. With `free`, any typed text is a value too,
 * as in Discord's autocomplete.
 */
export class Combobox {
  constructor({ label, offer, free = false, attributes = {} }) {
    this.offer = offer;
    this.free = free;
    this.item = null;
    this.asked = 0;
    this.isDue = false;
    this.input = h("input", {
      type: "text",
      role: "combobox",
      autocomplete: "off",
      spellcheck: "false",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-label": label,
      ...attributes,
    });
    this.list = new Listbox(this.input, { label, pick: (item) => this.take(item) });
    this.input.addEventListener("focus", () => this.ask());
    this.input.addEventListener("click", () => this.list.isOpen || this.ask());
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => this.left());
  }

  /** The chosen value; undefined if there is none. */
  get value() {
    if (this.item) return this.item.value;
    const text = this.input.value.trim();
    return this.free && text ? text : undefined;
  }

  take(item) {
    clearTimeout(this.timer);
    this.isDue = false;
    this.item = item;
    this.input.value = item.label;
    this.asked += 1;
    this.list.hide();
    this.input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  typed() {
    this.item = null;
    clearTimeout(this.timer);
    if (!this.free) {
      this.ask();
      return;
    }
    // The bot is asked when typing pauses; until it answers, the list is out of date.
    this.isDue = true;
    this.list.hide();
    this.timer = setTimeout(() => this.ask(), PAUSE_MS);
  }

  ask() {
    const turn = (this.asked += 1);
    // After a choice, offer the whole list instead of the items that match the choice.
    const offered = this.offer(this.item ? "" : this.input.value);
    if (offered instanceof Promise) offered.then((items) => this.answered(turn, items));
    else this.answered(turn, offered);
  }

  answered(turn, items) {
    if (turn !== this.asked) return;
    const waited = this.isDue === "enter";
    this.isDue = false;
    if (document.activeElement !== this.input) return;
    this.items = items;
    if (waited && items.length) {
      this.take(items[0]);
      return;
    }
    const at = Math.max(0, items.findIndex((item) => item.value === this.item?.value));
    this.list.show(items.slice(0, MAX_ITEMS), new Set(this.item ? [this.item.value] : []), at);
  }

  key(event) {
    if (event.key === "Tab" && this.list.isOpen && (this.free || !this.input.value || this.item)) {
      // Tab leaves the field if it's empty or its text is a value.
      this.list.hide();
      return;
    }
    if (event.key === "Enter" && this.isDue) {
      // Take the first item once the list arrives.
      this.isDue = "enter";
      event.preventDefault();
      return;
    }
    const picks = event.key === "Enter" || event.key === "Tab";
    if (picks && this.free && this.input.value && !this.items?.length) return;
    if (this.list.key(event)) return;
    if (event.key === "ArrowDown" && !this.list.isOpen) this.ask();
  }

  left() {
    this.asked += 1;
    this.list.hide();
    if (this.item || this.free) return;
    const text = this.input.value.trim().toLowerCase();
    const same = text && this.items?.find((item) => item.label.toLowerCase() === text);
    if (same) this.take(same);
  }
}

/** The items whose label contains the text, those that begin with it first. */
export function fitting(items, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return items;
  const begins = (item) => item.label.toLowerCase().startsWith(wanted);
  const found = items.filter((item) => item.label.toLowerCase().includes(wanted));
  return [...found.filter(begins), ...found.filter((item) => !begins(item))];
}
