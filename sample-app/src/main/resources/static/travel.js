// What moves in the picture. Who wants no motion sees the stations light up instead.

import { draw } from "./dom.js";

const MOST = 70; // moving at once; beyond that, stations light up alone
const SIGNS = { ADDED: "+", ADD: "+", MODIFIED: "~", UPDATE: "~", DELETED: "−", DELETE: "−", RETRY: "!", EXHAUSTED: "✕",
  ERROR: "!", CACHED: "↻", CONFLICT: "!" };
const still = matchMedia("(prefers-reduced-motion: reduce)");
const moving = new Set();

/** Lets something go along a path; then something else happens. */
export function travel(layer, path, { type, text = "", count = 1, duration, radius, back = false, then = () => {} }) {
  if (still.matches || document.hidden || moving.size >= MOST || !path?.isConnected) {
    then();
    return;
  }
  const dot = mark(layer, type, text || (count > 1 ? String(count) : SIGNS[type] ?? ""), radius);
  moving.add({ dot, path, length: path.getTotalLength(), start: performance.now(), duration, back, then });
  if (moving.size === 1) {
    requestAnimationFrame(step);
  }
}

function mark(layer, type, text, radius) {
  const dot = draw(layer, "g", { class: `dot ${type}` });
  const small = type === "BOOKMARK";
  const half = small ? radius - 4 : Math.max(radius, text.length * 4 + 5);
  const height = small ? radius - 4 : radius;
  draw(dot, "rect", { x: -half, y: -height, width: 2 * half, height: 2 * height, rx: height });
  if (!small) {
    draw(dot, "text", { y: 4 }, text);
  }
  return dot;
}

function step(now) {
  for (const one of moving) {
    const done = Math.min(1, Math.max(0, (now - one.start) / one.duration));
    if (done === 1 || !one.path.isConnected) {
      moving.delete(one);
      one.dot.remove();
      one.then();
      continue;
    }
    const eased = done < 0.5 ? 2 * done * done : 1 - 2 * (1 - done) * (1 - done);
    const { x, y } = one.path.getPointAtLength(one.length * (one.back ? 1 - eased : eased));
    one.dot.setAttribute("transform", `translate(${x} ${y})`);
  }
  if (moving.size) {
    requestAnimationFrame(step);
  }
}

/** Lights a station up for a moment. */
export function light(element, type) {
  if (!element) {
    return;
  }
  element.dataset.lit = type;
  clearTimeout(element.dimmer);
  element.dimmer = setTimeout(() => delete element.dataset.lit, 600);
}
