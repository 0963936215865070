/* Embeds, the older kind of rich message. */

import { h } from "./dom.js";
import { inline, link } from "./inline.js";
import { markdown } from "./markdown.js";
import { picture } from "./media.js";
import { written } from "./time.js";

/** A color of Discord's, a number, in CSS. */
export function css(color) {
  return `#${color.toString(16).padStart(6, "0")}`;
}

export function embed(data, context) {
  const children = [
    data.author && person(data.author, "embed-author"),
    data.title && title(data, context),
    data.description && h("div", { class: "embed-text" }, markdown(data.description, context)),
    data.fields?.length && fields(data.fields, context),
    data.image && h("div", { class: "embed-image" }, picture(data.image.url, "")),
    (data.footer || data.timestamp) && footer(data),
  ];
  const thumbnail =
    data.thumbnail && h("div", { class: "embed-thumbnail" }, picture(data.thumbnail.url, ""));
  const style = data.color ? `border-left-color: ${css(data.color)}` : null;
  return h("article", { class: "embed", style }, h("div", {}, children.filter(Boolean)), thumbnail || null);
}

function person(data, className) {
  const icon = data.icon_url ? h("img", { src: data.icon_url, alt: "", class: "embed-icon" }) : null;
  const name = data.url ? link(data.url, [data.name]) : data.name;
  return h("div", { class: className }, icon, name);
}

function title(data, context) {
  const text = inline(data.title, context);
  return h("div", { class: "embed-title" }, data.url ? link(data.url, text) : text);
}

function fields(list, context) {
  return h(
    "div",
    { class: "embed-fields" },
    list.map((field) =>
      h(
        "div",
        { class: field.inline ? "embed-field" : "embed-field wide" },
        h("div", { class: "embed-field-name" }, inline(field.name, context)),
        h("div", {}, markdown(field.value, context)),
      ),
    ),
  );
}

function footer(data) {
  const parts = [];
  if (data.footer?.icon_url) parts.push(h("img", { src: data.footer.icon_url, alt: "", class: "embed-icon" }));
  if (data.footer?.text) parts.push(data.footer.text);
  if (data.footer?.text && data.timestamp) parts.push(" • ");
  if (data.timestamp) parts.push(written(data.timestamp));
  return h("div", { class: "embed-footer" }, parts);
}
