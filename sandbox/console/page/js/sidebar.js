/* A pane's left column: the channels one sees, their threads, and the direct messages. */

import { avatar } from "./avatar.js";
import { h, hidden, icon, ICONS } from "./dom.js";

/** What stands in the column; `go` is called with the id of a channel. */
export function sidebar(head, world, go) {
  const current = (id) => (id === head.place.id ? "true" : null);
  const bot = world.bot;
  return [
    h("h2", { class: "guild", text: world.guild.name }),
    h("h3", { text: "Direct messages" }),
    h(
      "button",
      {
        type: "button",
        class: head.direct.unread ? "entry unread" : "entry",
        "data-dm": bot.name,
        "data-unread": String(head.direct.unread),
        "aria-current": current(head.direct.id),
        on: { click: () => go(head.direct.id) },
      },
      avatar(bot, 24),
      h("span", { class: "entry-name", text: bot.name }),
      badge(head.direct.unread),
    ),
    head.direct.closed ? h("p", { class: "entry-note", text: "Closed: the bot cannot write here." }) : null,
    h("h3", { text: "Text channels" }),
    head.channels.map((channel) => [
      entry(channel, ICONS.hash, current(channel.id), go),
      channel.threads.map((thread) => entry(thread, ICONS.thread, current(thread.id), go, true)),
    ]),
  ];
}

function entry(channel, sign, current, go, isThread = false) {
  const classes = ["entry"];
  if (channel.unread) classes.push("unread");
  if (isThread) classes.push("thread");
  return h(
    "button",
    {
      type: "button",
      class: classes.join(" "),
      [isThread ? "data-thread-name" : "data-channel-name"]: channel.name,
      "data-channel-id": channel.id,
      "aria-current": current,
      on: { click: () => go(channel.id) },
    },
    icon(sign),
    h("span", { class: "entry-name", text: channel.name }),
    channel.pings ? badge(channel.pings) : null,
    channel.unread && !channel.pings ? hidden(" (unread)") : null,
  );
}

function badge(count) {
  if (!count) return null;
  return h("span", { class: "badge", "data-unread-count": true }, String(count), hidden(" unread"));
}
