/* The context menu with the bot's commands for a user or a message. */

import { h } from "./dom.js";

let open = null;

/** Show a menu where `event` happened; `items` are {label, act}. */
export function menu(event, title, items) {
  event.preventDefault();
  event.stopPropagation();
  close();
  const back = document.activeElement;
  const rows = items.map((item) =>
    h("li", { role: "none" },
      h("button", {
        type: "button",
        role: "menuitem",
        "data-menu-item": item.label,
        text: item.label,
        on: {
          click: () => {
            close();
            item.act();
          },
        },
      })),
  );
  if (!rows.length) rows.push(h("li", { class: "listbox-nothing", text: "The bot has no commands for this." }));
  open = h("div", { class: "menu", "data-menu": true },
    h("div", { class: "menu-title", text: `Apps · ${title}` }),
    h("ul", { role: "menu", "aria-label": `Apps for ${title}` }, rows));
  open.back = back;
  document.body.append(open);
  place(event);
  open.querySelector("button")?.focus();
}

function place(event) {
  const at = event.currentTarget.getBoundingClientRect?.() ?? { left: 0, top: 0 };
  const x = event.clientX || at.left;
  const y = event.clientY || at.top;
  open.style.left = `${Math.max(4, Math.min(x, innerWidth - open.offsetWidth - 8))}px`;
  open.style.top = `${Math.max(4, Math.min(y, innerHeight - open.offsetHeight - 8))}px`;
}

function close() {
  open?.remove();
  open = null;
}

document.addEventListener("pointerdown", (event) => {
  if (open && !open.contains(event.target)) close();
});
document.addEventListener("keydown", (event) => {
  if (!open) return;
  const buttons = [...open.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement);
  if (event.key === "Escape") {
    const { back } = open;
    close();
    back?.focus();
  } else if (event.key === "ArrowDown") {
    buttons[(at + 1) % buttons.length]?.focus();
  } else if (event.key === "ArrowUp") {
    buttons.at(at - 1)?.focus();
  } else {
    return;
  }
  event.preventDefault();
});
