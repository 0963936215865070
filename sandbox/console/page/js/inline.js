/* Inline markdown: styles, links, mentions, emojis and times. */

import { h } from "./dom.js";
import { timestamp } from "./time.js";

const URL_TEXT = "https?:\\/\\/[^\\s<>]*[^\\s<>.,:;\"'\\])!?]";

/** Each rule is a sticky pattern, and a function that makes a node of its match. */
const RULES = [
  [/\\([^A-Za-z0-9\s])/y, ([, character]) => document.createTextNode(character)],
  [/(`+)([\s\S]*?[^`])\1(?!`)/y, ([, , code]) => h("code", { text: code.trim() || code })],
  [/<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/y, ([, unix, style]) => timestamp(Number(unix), style)],
  [/<@!?(\d+)>/y, ([, id], context) => userMention(id, context)],
  [/<@&(\d+)>/y, ([, id], context) => mention(`@${context.role(id)}`, { "data-role": id })],
  [/<#(\d+)>/y, ([, id], context) => channelMention(id, context)],
  [/<\/([^:>\n]+):(\d+)>/y, ([, name], context) => commandMention(name, context)],
  [/<(a?):(\w+):(\d+)>/y, ([, , name, id]) => emoji(name, id)],
  [/\[((?:[^\][\\\n]|\\.)+)\]\(<?(https?:\/\/[^\s)<>]+)>?(?: "([^"\n]*)")?\)/y, maskedLink],
  [new RegExp(`<(${URL_TEXT})>`, "y"), ([, address]) => link(address, [address])],
  [new RegExp(`(${URL_TEXT})`, "y"), ([, address]) => link(address, [address])],
  [/@(everyone|here)\b/y, ([text]) => mention(text, {})],
  [/\|\|([\s\S]+?)\|\|/y, ([, text], context) => spoiler(inline(text, context))],
  [/\*\*([\s\S]+?)\*\*(?!\*)/y, wrap("strong")],
  [/__([\s\S]+?)__(?!_)/y, wrap("u")],
  [/~~([\s\S]+?)~~/y, wrap("s")],
  [/\*(?=\S)((?:\*\*|\\.|[^*\\])+?)\*(?!\*)/y, wrap("em")],
  [/_((?:__|\\.|[^_\\])+?)_(?![A-Za-z0-9_])/y, wrap("em")],
  [/\n/y, () => h("br")],
];

/** The nodes of a text. `context` looks up the names of users, roles and channels. */
export function inline(text, context) {
  const nodes = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const found = match(text, at, context);
    if (found) {
      if (plain) nodes.push(plain);
      plain = "";
      nodes.push(found.node);
      at = found.end;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  if (plain) nodes.push(plain);
  return nodes;
}

function match(text, at, context) {
  for (const [pattern, make] of RULES) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) {
      const end = pattern.lastIndex;
      return { node: make(found, context), end };
    }
  }
  return null;
}

function wrap(tag) {
  return ([, text], context) => h(tag, {}, inline(text, context));
}

function maskedLink([, label, address, title], context) {
  return link(address, inline(label, context), title);
}

export function link(address, children, title) {
  const attributes = { href: address, target: "_blank", rel: "noreferrer noopener" };
  return h("a", { ...attributes, title: title ?? address }, children);
}

function mention(text, data) {
  return h("span", { class: "mention", text, ...data });
}

function userMention(id, context) {
  const me = id === context.me;
  const attributes = { class: me ? "mention mention-me" : "mention", "data-user-id": id };
  return h("span", { ...attributes, text: `@${context.user(id)?.name ?? "unknown-user"}` });
}

function channelMention(id, context) {
  const name = context.channel(id);
  if (!name) return mention("#No Access", {});
  const go = () => context.go(id);
  return h("button", { type: "button", class: "mention", text: `#${name}`, on: { click: go } });
}

/** A command mention; a click opens the command's form. */
export function commandMention(name, context) {
  const use = () => context.use(name);
  return h("button", { type: "button", class: "mention", text: `/${name}`, on: { click: use } });
}

/** One of the application's emojis. */
export function emoji(name, id) {
  const attributes = { class: "emoji", alt: `:${name}:`, title: `:${name}:` };
  return h("img", { ...attributes, src: `/emojis/${id}.webp?size=48` });
}

/** A spoiler: hidden until it's clicked. */
export function spoiler(children, tag = "span") {
  const element = h(tag, {
    class: "spoiler",
    role: "button",
    tabindex: "0",
    "aria-label": "Spoiler, click to show",
    "aria-expanded": "false",
  });
  const cover = h("span", { class: "spoiler-inside", "aria-hidden": "true" }, children);
  const show = (event) => {
    if (element.classList.contains("shown")) return;
    event.preventDefault();
    event.stopPropagation();
    element.classList.add("shown");
    for (const name of ["role", "tabindex", "aria-label", "aria-expanded"]) {
      element.removeAttribute(name);
    }
    cover.removeAttribute("aria-hidden");
  };
  element.addEventListener("click", show, true);
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") show(event);
  });
  element.append(cover);
  return element;
}
