/* The form of a slash command: a field for each option; Enter sends it. */

import { avatar } from "./avatar.js";
import { Combobox, fitting } from "./combobox.js";
import { h, icon, ICONS } from "./dom.js";

const OPTION = { STRING: 3, INTEGER: 4, BOOLEAN: 5, USER: 6, CHANNEL: 7, ROLE: 8, MENTIONABLE: 9, NUMBER: 10 };
const ENTITIES = { [OPTION.USER]: 5, [OPTION.ROLE]: 6, [OPTION.MENTIONABLE]: 7, [OPTION.CHANNEL]: 8 };
const YES_NO = [{ value: true, label: "True" }, { value: false, label: "False" }];

export class CommandForm {
  /** `act` has send(name, values), cancel(), autocomplete(name, option, text, others), entities. */
  constructor(command, act) {
    this.command = command;
    this.act = act;
    this.fields = command.options.map((option) => this.field(option));
    this.problem = h("p", { class: "form-problem", role: "alert", hidden: true });
    const send = h("button", { type: "submit", class: "button primary", "data-send-command": true }, "Send");
    const cancel = h("button", {
      type: "button",
      class: "icon-button",
      "aria-label": "Cancel the command",
      "data-cancel-command": true,
      on: { click: () => act.cancel() },
    }, icon(ICONS.close));
    this.element = h(
      "form",
      {
        class: "command-form",
        "data-command-form": command.name,
        novalidate: true,
        on: {
          submit: (event) => this.submit(event),
          keydown: (event) => {
            if (event.key === "Escape") act.cancel();
          },
        },
      },
      h("div", { class: "command-head" },
        h("span", { class: "command-name", text: `/${command.name}` }),
        h("span", { class: "command-description", text: command.description }),
        send,
        cancel),
      this.fields.length ? h("div", { class: "command-fields" }, this.fields.map((f) => f.element)) : null,
      this.problem,
    );
    this.first = this.fields[0]?.input ?? send;
  }

  field(option) {
    const control = this.control(option);
    const { input } = control;
    const id = `option-${Math.random().toString(36).slice(2)}`;
    input.id = id;
    input.dataset.option = option.name;
    input.setAttribute("aria-required", option.required ? "true" : "false");
    input.setAttribute("aria-describedby", `${id}-about`);
    const label = h("label", { for: id },
      option.name, option.required ? h("span", { class: "required", text: " required" }) : null);
    const about = h("div", { class: "field-about", id: `${id}-about`, text: option.description });
    return { ...control, option, element: h("div", { class: "field" }, label, input, about) };
  }

  control(option) {
    if (option.autocomplete) return this.suggested(option);
    const fixed = this.fixed(option);
    if (fixed) return listed(option, fixed);
    const numeric = option.type === OPTION.INTEGER || option.type === OPTION.NUMBER;
    const input = h("input", {
      type: numeric ? "number" : "text",
      autocomplete: "off",
      step: option.type === OPTION.NUMBER ? "any" : null,
      min: option.min_value,
      max: option.max_value,
      minlength: option.min_length,
      maxlength: option.max_length,
    });
    return { input, read: () => (numeric ? number(input) : input.value.trim() || undefined) };
  }

  /** The items of an option that allows only certain values; null if it allows any. */
  fixed(option) {
    if (option.choices?.length) {
      return option.choices.map((choice) => ({ value: choice.value, label: choice.name }));
    }
    if (option.type === OPTION.BOOLEAN) return YES_NO;
    const kind = ENTITIES[option.type];
    if (!kind) return null;
    return this.act.entities(kind, option.channel_types).map((entity) => ({
      value: entity.id,
      label: entity.label,
      detail: entity.detail,
      icon: entity.user ? avatar(entity.user, 24) : null,
    }));
  }

  suggested(option) {
    const offer = async (text) => {
      const choices = await this.act.autocomplete(this.command.name, option.name, text, this.values());
      return choices.map((choice) => ({ value: choice.value, label: choice.name }));
    };
    const box = new Combobox({ label: option.name, offer, free: true });
    const numeric = option.type !== OPTION.STRING;
    const read = () => (numeric && box.value !== undefined ? Number(box.value) : box.value);
    return { input: box.input, read };
  }

  values() {
    const filled = this.fields.map(({ option, read }) => [option.name, read()]);
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
  }

  submit(event) {
    event.preventDefault();
    const wrong = this.fields.map((field) => [field, complaint(field)]).find(([, text]) => text);
    for (const { input } of this.fields) input.removeAttribute("aria-invalid");
    this.problem.hidden = !wrong;
    if (wrong) {
      const [field, text] = wrong;
      this.problem.textContent = text;
      field.input.setAttribute("aria-invalid", "true");
      field.input.focus();
      return;
    }
    this.act.send(this.command.name, this.values());
  }
}

function listed(option, items) {
  const box = new Combobox({ label: option.name, offer: (text) => fitting(items, text) });
  return { input: box.input, read: () => box.value };
}

function number(input) {
  return input.value === "" ? undefined : Number(input.value);
}

/** What is wrong with a field, as a sentence; null if it can be sent. */
function complaint({ option, input, read }) {
  const value = read();
  if (value === undefined && input.value.trim()) return `Choose ${option.name} from its list.`;
  if (value === undefined) return option.required ? `${option.name} is required.` : null;
  if (Number.isNaN(value)) return `${option.name} must be a number.`;
  return input.checkValidity() ? null : `${option.name}: ${input.validationMessage}`;
}
