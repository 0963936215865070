/* A message's components: rows of buttons and selects, and the layouts of Components V2. */

import { button, select } from "./controls.js";
import { h } from "./dom.js";
import { css } from "./embed.js";
import { spoiler } from "./inline.js";
import { markdown } from "./markdown.js";
import { file, picture } from "./media.js";

export const KIND = {
  ROW: 1,
  BUTTON: 2,
  STRING_SELECT: 3,
  TEXT_INPUT: 4,
  USER_SELECT: 5,
  ROLE_SELECT: 6,
  MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8,
  SECTION: 9,
  TEXT: 10,
  THUMBNAIL: 11,
  GALLERY: 12,
  FILE: 13,
  SEPARATOR: 14,
  CONTAINER: 17,
  LABEL: 18,
  UPLOAD: 19,
  RADIO: 21,
  CHECKBOXES: 22,
  CHECKBOX: 23,
};

/** The element of a component. `context` looks up names and handles clicks. */
export function component(data, context) {
  const build = BUILDERS[data.type];
  return build ? build(data, context) : h("p", { text: `(A component of type ${data.type}.)` });
}

const all = (list, context) => list.map((data) => component(data, context));

const BUILDERS = {
  [KIND.ROW]: (data, context) => h("div", { class: "row" }, all(data.components, context)),
  [KIND.BUTTON]: button,
  [KIND.STRING_SELECT]: select,
  [KIND.USER_SELECT]: select,
  [KIND.ROLE_SELECT]: select,
  [KIND.MENTIONABLE_SELECT]: select,
  [KIND.CHANNEL_SELECT]: select,
  [KIND.SECTION]: section,
  [KIND.TEXT]: (data, context) => h("div", { class: "text" }, markdown(data.content, context)),
  [KIND.THUMBNAIL]: (data) => h("div", { class: "thumbnail" }, shown(data)),
  [KIND.GALLERY]: gallery,
  [KIND.FILE]: (data) => veil(data, file(data.name ?? "file", data.file.url, data.size)),
  [KIND.SEPARATOR]: separator,
  [KIND.CONTAINER]: container,
};

function section(data, context) {
  return h(
    "div",
    { class: "section" },
    h("div", { class: "section-texts" }, all(data.components, context)),
    data.accessory ? h("div", { class: "accessory" }, component(data.accessory, context)) : null,
  );
}

function gallery(data) {
  const many = Math.min(data.items.length, 4);
  return h("div", { class: `gallery gallery-${many}` }, data.items.map(shown));
}

function shown(item) {
  return veil(item, picture(item.media.url, item.description, item.media));
}

function separator(data) {
  const classes = ["separator", data.spacing === 2 ? "large" : "small"];
  if (data.divider === false) return h("div", { class: classes.join(" "), "aria-hidden": "true" });
  return h("hr", { class: classes.join(" ") });
}

function container(data, context) {
  const accent = data.accent_color ?? null;
  const element = h(
    "div",
    { class: accent === null ? "container" : "container accented",
      style: accent === null ? null : `--accent: ${css(accent)}` },
    all(data.components, context),
  );
  return veil(data, element);
}

function veil(data, element) {
  return data.spoiler ? spoiler([element], "div") : element;
}
