/* The messages of one channel: redraws only what has changed, and keeps the end in view. */

import { arrange, h } from "./dom.js";
import { message } from "./message.js";

const NEAR_PIXELS = 80;
const PAUSE_MS = 7 * 60_000;

export class MessageList {
  constructor(context) {
    this.context = context;
    this.list = h("ol", { class: "messages", role: "log", "aria-live": "polite", "aria-label": "Messages" });
    this.start = h("div", { class: "beginning" });
    this.element = h("div", { class: "scroller", tabindex: "-1" }, this.start, this.list);
    this.data = new Map();
    this.order = [];
    this.notes = [];
    this.drawn = new Map();
    this.stuck = true;
    this.top = 0;
    this.element.addEventListener("scroll", () => this.scrolled());
    // Pictures arrive later and push the end down.
    new ResizeObserver(() => this.stick()).observe(this.list);
    new ResizeObserver(() => this.stick()).observe(this.element);
  }

  /** Only scrolling up leaves the end; new messages below don't. */
  scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    const near = scrollHeight - scrollTop - clientHeight < NEAR_PIXELS;
    if (near) this.stuck = true;
    else if (scrollTop < this.top - 1) this.stuck = false;
    this.top = scrollTop;
  }

  /** Remove everything, to show another channel. */
  clear() {
    this.data.clear();
    this.drawn.clear();
    this.order = [];
    this.notes = [];
    this.stuck = true;
    this.draw();
  }

  update(order, messages) {
    for (const [id, data] of Object.entries(messages)) {
      this.data.set(id, data);
      this.context.forget(id);
      this.drawn.delete(id);
    }
    if (order) {
      this.order = order;
      const kept = new Set(order);
      for (const id of this.data.keys()) {
        if (!kept.has(id)) this.data.delete(id);
      }
    }
    this.draw();
  }

  /** Redraw one message because of something that only this page knows. */
  redraw(id) {
    this.drawn.delete(id);
    this.draw();
  }

  /** Add a line that only this page knows: a pending or failed command. Returns its remover. */
  note(element) {
    this.notes.push(element);
    this.draw();
    this.stuck = true;
    this.stick();
    return () => {
      this.notes = this.notes.filter((other) => other !== element);
      this.draw();
    };
  }

  find(id) {
    return this.data.get(id);
  }

  draw() {
    const focus = this.focused();
    let above = null;
    const rows = this.order.map((id) => {
      const data = this.data.get(id);
      const follows = continues(above, data);
      above = data;
      const old = this.drawn.get(id);
      if (old && old.follows === follows) return old.row;
      const row = message(data, this.context, { follows });
      this.drawn.set(id, { row, follows });
      return row;
    });
    arrange(this.list, rows, this.notes);
    this.refocus(focus);
    this.stick();
  }

  focused() {
    const element = document.activeElement;
    if (!this.list.contains(element)) return null;
    const row = element.closest("[data-message-id]");
    return { id: row?.dataset.messageId, name: element.dataset.customId, element };
  }

  /** Give a redrawn button the focus that it had before. */
  refocus(focus) {
    if (!focus || this.list.contains(focus.element) || !focus.id) return;
    const row = this.drawn.get(focus.id)?.row;
    const same = focus.name && row?.querySelector(`[data-custom-id="${CSS.escape(focus.name)}"]`);
    if (same) same.focus({ preventScroll: true });
  }

  stick() {
    if (this.stuck) this.element.scrollTop = this.element.scrollHeight;
  }
}

function continues(above, data) {
  if (!above || data.reply || data.used) return false;
  if (above.author.id !== data.author.id || above.ephemeral !== data.ephemeral) return false;
  return new Date(data.time) - new Date(above.time) < PAUSE_MS;
}
