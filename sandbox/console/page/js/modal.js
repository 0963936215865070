/* A modal of the bot: a dialog with fields to fill in, which covers only its member's pane. */

import { KIND } from "./components.js";
import { picker } from "./controls.js";
import { h, icon, ICONS } from "./dom.js";
import { markdown } from "./markdown.js";

let number = 0;

/** Show a modal over a pane; `submit(values)` resolves to an error message or undefined. */
export function modal(pane, data, context, submit) {
  const fields = [];
  const rows = data.components.map((row) => part(row, context, fields));
  const problem = h("p", { class: "form-problem", role: "alert", hidden: true });
  const back = document.activeElement;
  const close = () => {
    shade.remove();
    back?.focus?.();
  };
  const complain = (text, focus) => {
    problem.hidden = !text;
    problem.textContent = text ?? "";
    focus?.();
  };
  const send = h("button", { type: "submit", class: "button primary", "data-modal-submit": true, text: "Submit" });
  const form = h(
    "form",
    {
      class: "modal",
      role: "dialog",
      "aria-label": data.title,
      "data-modal": data.custom_id,
      novalidate: true,
      on: {
        submit: async (event) => {
          event.preventDefault();
          const wrong = fields.find((field) => field.complaint());
          complain(wrong?.complaint() ?? null, wrong?.focus);
          if (wrong) return;
          send.disabled = true;
          const error = await submit(values(fields));
          send.disabled = false;
          if (error) complain(error);
          else close();
        },
        keydown: (event) => {
          if (event.key === "Escape") close();
        },
      },
    },
    h("div", { class: "modal-head" },
      h("h2", { text: data.title }),
      h("button", { type: "button", class: "icon-button", "aria-label": "Close", "data-modal-close": true, on: { click: close } },
        icon(ICONS.close))),
    h("div", { class: "modal-body" }, rows),
    problem,
    h("div", { class: "modal-foot" },
      h("button", { type: "button", class: "button link-like", text: "Cancel", on: { click: close } }),
      send),
  );
  const shade = h("div", { class: "shade" }, form);
  pane.append(shade);
  (form.querySelector("input, textarea, .select") ?? send).focus();
}

function values(fields) {
  return Object.fromEntries(fields.map((field) => [field.name, field.read()]));
}

function part(data, context, fields) {
  if (data.type === KIND.TEXT) return h("div", { class: "text" }, markdown(data.content, context));
  if (data.type === KIND.ROW) {
    const [only] = data.components;
    return labelled({ label: only.label, component: only }, context, fields);
  }
  if (data.type === KIND.LABEL) return labelled(data, context, fields);
  return labelled({ label: "", component: data }, context, fields);
}

function labelled(data, context, fields) {
  const id = `modal-field-${(number += 1)}`;
  const build = FIELDS[data.component.type] ?? unknown;
  const field = build(data.component, { ...context, label: data.label }, id);
  fields.push({ ...field, name: data.component.custom_id });
  const star = data.component.required !== false && data.component.type !== KIND.CHECKBOX;
  return h(
    "div",
    { class: "modal-field", role: field.group ? "group" : null, "aria-label": field.group ? data.label : null },
    h(field.group ? "span" : "label", { class: "modal-label", for: field.group ? null : id },
      data.label, star ? h("span", { class: "required", text: " *" }) : null),
    data.description ? h("p", { class: "field-about", text: data.description }) : null,
    field.element,
  );
}

function textInput(data, context, id) {
  const paragraph = data.style === 2;
  const input = h(paragraph ? "textarea" : "input", {
    id,
    type: paragraph ? null : "text",
    rows: paragraph ? 4 : null,
    maxlength: data.max_length ?? 4000,
    placeholder: data.placeholder,
    "data-custom-id": data.custom_id,
    "aria-required": data.required === false ? "false" : "true",
  });
  input.value = data.value ?? "";
  const complaint = () => {
    const { length } = input.value.trim();
    if (!length) return data.required === false ? null : `${context.label} is required.`;
    if (length < (data.min_length ?? 0)) {
      return `${context.label} must be at least ${data.min_length} characters long.`;
    }
    return null;
  };
  return { element: input, read: () => input.value, complaint, focus: () => input.focus() };
}

function select(data, context, id) {
  let chosen = [...(data.options ?? []).filter((o) => o.default).map((o) => o.value),
    ...(data.default_values ?? []).map((value) => value.id)];
  const element = picker(data, context, (values) => {
    chosen = values;
  });
  element.id = id;
  const required = data.required !== false && (data.min_values ?? 1) > 0;
  const complaint = () => (required && !chosen.length ? `${context.label} is required.` : null);
  return { element, read: () => chosen, complaint, focus: () => element.focus() };
}

function choices(type) {
  return (data, context, id) => {
    const inputs = data.options.map((option) => {
      const input = h("input", { type, name: id, value: option.value });
      input.checked = option.default ?? false;
      return input;
    });
    const rows = data.options.map((option, index) =>
      h("label", { class: "choice" }, inputs[index],
        h("span", {}, option.label,
          option.description ? h("small", { class: "field-about", text: option.description }) : null)));
    const chosen = () => inputs.filter((input) => input.checked).map((input) => input.value);
    const many = type === "checkbox";
    const complaint = () => {
      const count = chosen().length;
      if (!count) return data.required === false ? null : `${context.label} is required.`;
      if (!many) return null;
      if (count < (data.min_values ?? 0)) return `${context.label}: choose at least ${data.min_values}.`;
      if (count > (data.max_values ?? inputs.length)) return `${context.label}: choose at most ${data.max_values}.`;
      return null;
    };
    const element = h("div", { class: "choices", "data-custom-id": data.custom_id }, rows);
    const read = () => (many ? chosen() : (chosen()[0] ?? null));
    return { element, read, complaint, focus: () => inputs[0].focus(), group: true };
  };
}

function checkbox(data, context, id) {
  const input = h("input", { type: "checkbox", id, "data-custom-id": data.custom_id });
  input.checked = data.default ?? false;
  return { element: input, read: () => input.checked, complaint: () => null, focus: () => input.focus() };
}

function unknown(data) {
  const about = `The sandbox's page can't fill in a component of type ${data.type}.`;
  return { element: h("p", { text: about }), read: () => [], complaint: () => null };
}

const FIELDS = {
  [KIND.TEXT_INPUT]: textInput,
  [KIND.STRING_SELECT]: select,
  [KIND.USER_SELECT]: select,
  [KIND.ROLE_SELECT]: select,
  [KIND.MENTIONABLE_SELECT]: select,
  [KIND.CHANNEL_SELECT]: select,
  [KIND.RADIO]: choices("radio"),
  [KIND.CHECKBOXES]: choices("checkbox"),
  [KIND.CHECKBOX]: checkbox,
};
