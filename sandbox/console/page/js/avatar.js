/* Avatars: a color and an initial for each user. */

import { svg } from "./dom.js";

const COLORS = ["#8f5bd6", "#c2417c", "#1f7f8f", "#a8591a", "#3f7d3a", "#4b62c9", "#9c4646"];

/** The color of a user. */
export function colorOf(user) {
  return user.bot ? "#2f6f5e" : COLORS[Number(user.id.slice(-4)) % COLORS.length];
}

export function avatar(user, size = 40) {
  const face = user.bot ? botFace() : initial(user.name);
  return svg(
    "svg",
    { viewBox: "0 0 40 40", width: size, height: size, class: "avatar", "aria-hidden": "true" },
    svg("circle", { cx: 20, cy: 20, r: 20, fill: colorOf(user) }),
    face,
  );
}

function initial(name) {
  return svg("text", {
    x: 20,
    y: 27,
    "text-anchor": "middle",
    "font-size": 20,
    "font-weight": 600,
    fill: "#fff",
    text: [...name][0].toUpperCase(),
  });
}

/** The bot's avatar: a face-down card. */
function botFace() {
  return svg(
    "g",
    { transform: "rotate(-10 20 20)", fill: "none", stroke: "#fff", "stroke-width": 2 },
    svg("rect", { x: 13, y: 10, width: 14, height: 20, rx: 2.5 }),
    svg("path", { d: "M16.5 15.5h7M16.5 20h7M16.5 24.5h7" }),
  );
}
