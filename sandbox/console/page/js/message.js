/* One message in the list. */

import { avatar, colorOf } from "./avatar.js";
import { component } from "./components.js";
import { h, hidden, icon, ICONS } from "./dom.js";
import { embed } from "./embed.js";
import { inline } from "./inline.js";
import { markdown } from "./markdown.js";
import { attachment } from "./media.js";
import { written } from "./time.js";

/**
 * The element of a message. `follows` says that the message above is recent and by the same author,
 * so that the head is left out. `context` looks up names and handles clicks.
 */
export function message(data, context, { follows }) {
  const classes = ["message"];
  if (follows) classes.push("follows");
  if (data.pings) classes.push("pings");
  if (data.ephemeral) classes.push("ephemeral");
  const menu = (event, subject) => context.menu(event, subject);
  return h(
    "li",
    {
      class: classes.join(" "),
      "data-message-id": data.id,
      "data-author-id": data.author.id,
      "data-ephemeral": data.ephemeral ? "true" : null,
      on: {
        contextmenu: (event) => menu(event, { message: data }),
      },
    },
    data.reply ? reply(data.reply, context) : null,
    data.used ? used(data.used) : null,
    follows ? null : head(data, menu),
    h("div", { class: "body" }, body(data, context)),
    h("button", {
      type: "button",
      class: "message-more",
      "aria-label": "More: apps for this message",
      "data-message-menu": true,
      text: "⋯",
      on: { click: (event) => menu(event, { message: data }) },
    }),
  );
}

function head(data, menu) {
  const who = (event) => {
    event.stopPropagation();
    menu(event, { user: data.author });
  };
  return h(
    "div",
    { class: "head" },
    h("span", { class: "face", on: { contextmenu: who } }, avatar(data.author)),
    h("button", {
      type: "button",
      class: "author",
      style: `--author: ${colorOf(data.author)}`,
      text: data.author.name,
      "data-user-id": data.author.id,
      on: { contextmenu: who, click: who },
    }),
    data.author.bot ? h("span", { class: "tag", text: "APP" }) : null,
    written(data.time),
  );
}

function used({ user, name }) {
  const verb = name ? "used " : "used a command";
  return h(
    "div",
    { class: "reply" },
    avatar(user, 16),
    h("b", { text: user.name }),
    " ",
    verb,
    name ? h("span", { class: "mention", text: name }) : null,
  );
}

function reply(data, context) {
  if (!data.author) return h("div", { class: "reply" }, h("i", { text: "Original message was deleted" }));
  const text = data.content ? inline(data.content.split("\n")[0], context) : ["Click to see attachment"];
  return h("div", { class: "reply" }, avatar(data.author, 16), h("b", { text: data.author.name }), " ", text);
}

function body(data, context) {
  if (data.loading) {
    return [h("p", { class: "thinking", "data-thinking": true },
      h("span", { class: "dots shown", "aria-hidden": "true" }), `${data.author.name} is thinking…`),
      data.ephemeral ? onlyYou(data, context) : null];
  }
  const edited = data.edited
    ? h("span", { class: "edited", title: `Edited ${new Date(data.edited).toLocaleString("en")}`, text: " (edited)" })
    : null;
  const text = data.content ? h("div", { class: "text", "data-content": true }, markdown(data.content, context)) : null;
  if (text && edited) (text.lastElementChild?.matches("p") ? text.lastElementChild : text).append(edited);
  const failure = context.failure(data.id);
  return [
    text,
    data.attachments.length ? h("div", { class: "attachments" }, data.attachments.map(attachment)) : null,
    data.embeds.map((item) => embed(item, context)),
    data.components.length
      ? h("div", { class: "components" }, data.components.map((item) => component(item, context)))
      : null,
    !text && edited ? edited : null,
    failure ? h("p", { class: "failure", role: "alert", "data-failure": true, text: failure }) : null,
    data.ephemeral ? onlyYou(data, context) : null,
  ].filter(Boolean);
}

function onlyYou(data, context) {
  return h(
    "p",
    { class: "only-you" },
    icon(ICONS.eye),
    "Only you can see this • ",
    h("button", {
      type: "button",
      class: "link",
      "data-dismiss": true,
      text: "Dismiss message",
      on: { click: () => context.dismiss(data.id) },
    }),
    hidden(` from ${data.author.name}`),
  );
}
