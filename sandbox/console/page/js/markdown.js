/* Discord's markdown: blocks here, inline elements in inline.js. */

import { h } from "./dom.js";
import { inline } from "./inline.js";

const FENCE = /^([\s\S]*?)```(?:([\w+-]*)\n)?([\s\S]+?)\n?```([\s\S]*)$/;
const HEADING = /^(#{1,3})\s+(.+)$/;
const SUBTEXT = /^-#\s+(.+)$/;
const ITEM = /^(\s*)([-*]|\d+\.)\s+(.*)$/;

/** The blocks of a text, in a fragment. */
export function markdown(text, context) {
  const fragment = document.createDocumentFragment();
  const fence = FENCE.exec(text);
  if (fence) {
    const [, before, language, code, after] = fence;
    if (before.trim()) fragment.append(blocks(before.replace(/\n$/, ""), context));
    fragment.append(h("pre", {}, h("code", { "data-language": language || null, text: code })));
    if (after.trim()) fragment.append(markdown(after.replace(/^\n/, ""), context));
    return fragment;
  }
  fragment.append(blocks(text, context));
  return fragment;
}

function blocks(text, context) {
  const fragment = document.createDocumentFragment();
  const lines = text.split("\n");
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) fragment.append(h("p", {}, inline(paragraph.join("\n"), context)));
    paragraph = [];
  };
  while (lines.length) {
    const block = special(lines, context);
    if (block) {
      flush();
      fragment.append(block);
    } else {
      paragraph.push(lines.shift());
    }
  }
  flush();
  return fragment;
}

/** A block that begins with a mark; its lines are removed from `lines`. Null for plain text. */
function special(lines, context) {
  const [line] = lines;
  if (line.startsWith(">>> ")) {
    const rest = lines.splice(0).join("\n").slice(4);
    return h("blockquote", {}, blocks(rest, context));
  }
  if (/^> /.test(line)) return quote(lines, context);
  if (ITEM.test(line)) return list(lines, context);
  const heading = HEADING.exec(line);
  if (heading) {
    lines.shift();
    // The page and its panes use h1 and h2; the sizes are Discord's.
    const [, marks, title] = heading;
    return h(`h${marks.length + 2}`, { class: `heading-${marks.length}` }, inline(title, context));
  }
  const subtext = SUBTEXT.exec(line);
  if (subtext) {
    lines.shift();
    return h("small", { class: "subtext" }, inline(subtext[1], context));
  }
  return null;
}

function quote(lines, context) {
  const quoted = [];
  while (lines.length && /^>( |$)/.test(lines[0])) quoted.push(lines.shift().slice(2));
  return h("blockquote", {}, blocks(quoted.join("\n"), context));
}

function list(lines, context) {
  const [, indent, mark] = ITEM.exec(lines[0]);
  const ordered = /\d/.test(mark);
  const element = h(ordered ? "ol" : "ul", { start: ordered ? parseInt(mark, 10) : null });
  while (lines.length) {
    const item = ITEM.exec(lines[0]);
    if (!item || item[1].length < indent.length) break;
    if (item[1].length > indent.length + 1 && element.lastElementChild) {
      element.lastElementChild.append(list(lines, context));
    } else {
      lines.shift();
      element.append(h("li", {}, inline(item[3], context)));
    }
  }
  return element;
}
