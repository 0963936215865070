/* The buttons and selects in a message. */

import { avatar } from "./avatar.js";
import { h, hidden, icon, ICONS } from "./dom.js";
import { emoji } from "./inline.js";
import { Listbox } from "./listbox.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "outbound" };

/** The emoji of a button or an option: a custom one as a picture, others as text. */
export function sign(data) {
  if (!data) return null;
  if (data.id) return emoji(data.name, data.id);
  return h("span", { class: "sign", text: data.name });
}

export function button(data, context) {
  const label = [sign(data.emoji), data.label ? h("span", { text: data.label }) : null];
  const style = `button ${STYLES[data.style] ?? "secondary"}`;
  if (data.style === 5 && data.disabled) {
    return h("button", { type: "button", class: style, disabled: true }, label, icon(ICONS.out));
  }
  if (data.style === 5) {
    const attributes = { class: style, href: data.url, target: "_blank", rel: "noreferrer noopener" };
    return h("a", attributes, label, icon(ICONS.out));
  }
  return h(
    "button",
    {
      type: "button",
      class: style,
      disabled: data.disabled,
      "data-custom-id": data.custom_id,
      "aria-label": data.label ? null : data.emoji?.name,
      on: { click: (event) => context.click(data.custom_id, event.currentTarget) },
    },
    label,
    h("span", { class: "dots", "aria-hidden": "true" }),
  );
}

/** A select in a message; a choice is sent to the bot immediately. */
export function select(data, context) {
  return picker(data, context, (values, element) => {
    context.select(data.custom_id, values, element);
  });
}

/** The items of a select: its own options, or users, roles and channels. */
function offers(data, context) {
  if (data.type === 3) {
    return data.options.map((option) => ({
      value: option.value,
      label: option.label,
      detail: option.description,
      icon: sign(option.emoji),
    }));
  }
  return context.entities(data.type, data.channel_types).map((entity) => ({
    value: entity.id,
    label: entity.label,
    detail: entity.detail,
    icon: entity.user ? avatar(entity.user, 24) : null,
  }));
}

function chosenAtFirst(data) {
  const own = (data.options ?? []).filter((option) => option.default).map((o) => o.value);
  return [...own, ...(data.default_values ?? []).map((value) => value.id)];
}

/** A select; `done` is called with the chosen values. */
export function picker(data, context, done) {
  const low = data.min_values ?? 1;
  const high = data.max_values ?? 1;
  const many = high > 1 || low === 0;
  let values = chosenAtFirst(data);
  const text = h("span", { class: "select-text" });
  const element = h(
    "button",
    {
      type: "button",
      class: "select",
      role: "combobox",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-label": context.label ?? data.placeholder ?? "Make a selection",
      disabled: data.disabled,
      "data-custom-id": data.custom_id,
    },
    text,
    h("span", { class: "dots", "aria-hidden": "true" }),
    icon(ICONS.down),
  );
  const finish = h("button", { type: "button", class: "button primary listbox-done", text: "Done" });
  const hint = h("span", { text: rangeText(low, high) });
  const footer = high > 1 ? h("div", { class: "listbox-footer" }, hint, finish) : null;
  const label = data.placeholder ?? "Options";
  const list = new Listbox(element, { label, many, pick, closed, footer });

  function draw() {
    const items = offers(data, context).filter((item) => values.includes(item.value));
    const placeholder = data.placeholder ?? "Make a selection";
    const name = items.map((item) => item.label).join(", ");
    text.replaceChildren(...(items.length ? [items[0].icon, name].filter(Boolean) : [placeholder]));
    text.classList.toggle("empty", !items.length);
    if (items.length) text.append(hidden(` (${placeholder})`));
  }

  function settle(chosen) {
    values = chosen;
    list.hide();
    draw();
    done(values, element);
  }

  function pick(item) {
    const { chosen } = list;
    const isChosen = chosen.has(item.value);
    if (high === 1) {
      list.chosen = new Set(isChosen && many ? [] : [item.value]);
      settle([...list.chosen]);
      return;
    }
    if (isChosen) chosen.delete(item.value);
    else if (chosen.size < high) chosen.add(item.value);
    finish.disabled = chosen.size < low;
    list.draw();
  }

  /** Discord submits what was changed in a list however that is closed. */
  function closed() {
    const chosen = [...list.chosen];
    const isSame = chosen.length === values.length && chosen.every((value) => values.includes(value));
    if (!isSame && chosen.length >= low) settle(chosen);
  }

  finish.addEventListener("click", () => settle([...list.chosen]));
  element.addEventListener("click", () => {
    if (list.isOpen) {
      list.hide();
    } else {
      finish.disabled = values.length < low;
      list.show(offers(data, context), new Set(values));
    }
  });
  element.addEventListener("keydown", (event) => {
    if (list.key(event) || list.isOpen) return;
    if (event.key === "ArrowDown") {
      event.preventDefault();
      element.click();
    }
  });
  draw();
  return element;
}

function rangeText(low, high) {
  if (low === high) return `Choose ${low}`;
  return low ? `Choose ${low} to ${high}` : `Choose up to ${high}`;
}
