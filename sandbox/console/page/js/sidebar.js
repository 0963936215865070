/* A pane's left column: the channels one sees, their threads, and the direct messages. */

import { avatar } from "./avatar.js";
import { arrange, assign, h, hidden, icon, ICONS, put } from "./dom.js";

export class Sidebar {
  /** `go` is called with the id of a channel, or with "direct". */
  constructor(go) {
    this.go = go;
    this.buttons = new Map();
    this.element = h("nav", { class: "sidebar", "aria-label": "Channels" });
  }

  draw({ place, direct, channels }, { bot, guild }) {
    this.old = this.buttons;
    this.buttons = new Map();
    const closed = "Closed: the bot cannot write here.";
    arrange(this.element, [
      h("h2", { class: "guild", text: guild.name }),
      h("h3", { text: "Direct messages" }),
      this.direct(direct, bot, place),
      direct.closed ? h("p", { class: "entry-note", text: closed }) : null,
      h("h3", { text: "Channels" }),
      channels.map((channel) => [
        this.channel(channel, place),
        channel.threads.map((thread) => this.channel(thread, place, true)),
      ]),
    ]);
  }

  direct({ id, unread }, bot, place) {
    const attributes = {
      class: unread ? "entry unread" : "entry",
      "data-dm": bot.name,
      "data-unread": String(unread),
      "aria-current": id === place.id ? "true" : null,
    };
    const name = h("span", { class: "entry-name", text: bot.name });
    return this.button("direct", attributes, avatar(bot, 24), name, badge(unread));
  }

  channel({ id, name, unread, pings }, place, isThread = false) {
    const classes = ["entry"];
    if (unread) classes.push("unread");
    if (isThread) classes.push("thread");
    const attributes = {
      class: classes.join(" "),
      [isThread ? "data-thread-name" : "data-channel-name"]: name,
      "data-channel-id": id,
      "aria-current": id === place.id ? "true" : null,
    };
    return this.button(
      id,
      attributes,
      icon(isThread ? ICONS.thread : ICONS.hash),
      h("span", { class: "entry-name", text: name }),
      badge(pings),
      unread && !pings ? hidden(" (unread)") : null,
    );
  }

  /** The same element each time: with it would go the focus, and a click that has begun on it. */
  button(id, attributes, ...children) {
    const open = () => this.go(id);
    const button = this.old.get(id) ?? h("button", { type: "button", on: { click: open } });
    this.buttons.set(id, button);
    assign(button, attributes);
    return put(button, children);
  }
}

function badge(count) {
  if (!count) return null;
  return h("span", { class: "badge", "data-unread-count": true }, String(count), hidden(" unread"));
}
