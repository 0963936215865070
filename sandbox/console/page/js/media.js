/* Pictures that a click enlarges, and files to download. */

import { h, icon, ICONS } from "./dom.js";

/** A picture; its description is the alt text and the tooltip. */
export function picture(url, description, size = {}) {
  const attributes = { src: url, alt: description ?? "", title: description || null };
  if (size.width && size.height) Object.assign(attributes, { width: size.width, height: size.height });
  const image = h("img", attributes);
  const label = description ? `Enlarge picture: ${description}` : "Enlarge picture";
  return h(
    "button",
    { type: "button", class: "picture", "aria-label": label, "data-picture": true,
      on: { click: () => enlarge(url, description) } },
    image,
  );
}

function enlarge(url, description) {
  const dialog = h(
    "dialog",
    { class: "lightbox", "aria-label": description || "Picture", "data-lightbox": true,
      on: { click: () => dialog.close(), close: () => dialog.remove() } },
    h("figure", {},
      h("img", { src: url, alt: description ?? "" }),
      description ? h("figcaption", { text: description }) : null,
      h("a", { href: url, target: "_blank", rel: "noreferrer", text: "Open in a new tab" })),
    h("button", { type: "button", class: "lightbox-close", "aria-label": "Close" }, icon(ICONS.close)),
  );
  document.body.append(dialog);
  dialog.showModal();
}

const UNITS = ["bytes", "KB", "MB"];

function sizeText(bytes) {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit ? size.toFixed(1) : size} ${UNITS[unit]}`;
}

/** A file that isn't a picture; `size` is in bytes. */
export function file(name, url, size) {
  return h(
    "div",
    { class: "file", "data-file": name },
    icon(ICONS.file),
    h("div", {},
      h("a", { href: url, download: name, text: name }),
      h("div", { class: "file-size", text: sizeText(size ?? 0) })),
  );
}

/** An attachment below a message. */
export function attachment(data) {
  if (data.content_type?.startsWith("image/")) {
    return picture(data.url, data.description, data);
  }
  return file(data.filename, data.url, data.size);
}
