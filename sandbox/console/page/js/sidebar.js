/* A pane's left column: the direct messages, and the visible channels with their threads. */

import { avatar } from "./avatar.js";
import { arrange, assign, h, hidden, icon, ICONS, put } from "./dom.js";

export class Sidebar {
  /** `go` is called with a channel's id or "direct"; `install` with whether to add the bot. */
  constructor(go, install) {
    this.go = go;
    this.install = install;
    this.buttons = new Map();
    this.element = h("nav", { class: "sidebar", "aria-label": "Channels" });
  }

  draw({ place, direct, channels, elsewhere, installed }, { bot, guild }) {
    this.old = this.buttons;
    this.buttons = new Map();
    const closed = "Closed: the bot can't send messages here.";
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
      elsewhere.map(({ name, channels: theirs }) => [
        h("h3", { text: name }),
        theirs.map((channel) => this.channel(channel, place)),
      ]),
      this.installing(installed, bot),
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

  /** Discord's "Add to My Apps", which lets this person use the bot anywhere. */
  installing(installed, bot) {
    const text = installed ? `Remove ${bot.name} from my apps` : `Add ${bot.name} to my apps`;
    const on = { click: () => this.install(!installed) };
    return h("button", { type: "button", class: "install", "data-install": String(installed), text, on });
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

  /** Reuse the button of a channel: a new one would lose the focus, and a click in progress. */
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
