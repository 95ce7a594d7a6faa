// The live picture of the way of an event.

import { age, byId, count, draw, setText } from "./dom.js";
import { on, serverTime } from "./feed.js";
import { layOut } from "./layout.js";
import { light, travel } from "./travel.js";

const WIRE = 1000; // milliseconds from the API server to the cache,
const LINK = 750; // from there to a queue,
const HAND = 350; // and from the queue to the handler

let state = null;
let plan = null; // where everything is
let shape = ""; // what there is and how wide, so that only a change is drawn anew
let lost = false;
const parts = { wires: new Map(), caches: new Map(), links: new Map(), queues: new Map(), hands: new Map(), ends: new Map() };
let layer = null; // of what moves

export function showPicture() {
  on("state", (now) => {
    state = now;
    lost = false;
    show();
  });
  on("lost", () => {
    lost = true;
    show();
  });
  on("flows", (flows) => plan && flows.forEach(follow));
  new ResizeObserver(show).observe(byId("picture").parentElement);
}

function show() {
  if (!state) {
    return;
  }
  const width = Math.floor(byId("picture").getBoundingClientRect().width);
  const ids = (items) => items.map((item) => item.id + (item.informer ?? item.informers ?? "")).join();
  const now = [width, ids(state.informers), ids(state.handlers), ids(state.reconcilers)].join("|");
  if (now !== shape && width > 0) {
    shape = now;
    build(width);
  }
  if (plan) {
    state.informers.forEach(showInformer);
    state.handlers.forEach(showHandler);
    state.reconcilers.forEach(showReconciler);
  }
}

function build(width) {
  plan = layOut(state, width);
  const svg = byId("picture");
  svg.replaceChildren();
  Object.values(parts).forEach((part) => part.clear());
  svg.setAttribute("viewBox", `0 0 ${width} ${plan.height}`);
  svg.setAttribute("height", plan.height);
  headings(svg);
  const lines = draw(svg, "g");
  plan.servers.forEach((server) => drawServer(svg, server));
  plan.links.forEach(({ from, to, path }) => parts.links.set(`${from} ${to}`, draw(lines, "path", { class: "link", d: path })));
  plan.caches.forEach((cache, id) => drawCache(svg, lines, id, cache));
  plan.ends.forEach((end, id) => drawEnd(svg, lines, id, end));
  layer = draw(svg, "g");
}

function headings(svg) {
  const { wide, server, cacheX, cache, consumerX, consumer, ends } = plan;
  const queue = ends.values().next().value;
  const middle = (server + cacheX) / 2;
  const heads = wide
    ? [[server / 2, "1", "API server"], [middle - 40, "2", "list"], [middle + 34, "3", "watch"],
      [cacheX + cache / 2, "4", "caches"], [queue && queue.queueX + queue.queueWidth / 2, "5", "queues"],
      [consumerX + consumer / 2, "6", "handlers, reconcilers"]]
    : [[server / 2, "1", ""], [middle - 10, "2", ""], [middle + 10, "3", ""], [cacheX + cache / 2, "4", ""],
      [queue && queue.queueX + queue.queueWidth / 2, "5", ""], [consumerX + consumer / 2, "6", ""]];
  for (const [x, number, text] of heads.filter(([x]) => x)) {
    const half = text.length * 3.3;
    const at = text ? x - half : x;
    draw(svg, "circle", { class: "number", cx: at, cy: 12, r: 9 });
    draw(svg, "text", { class: "figure", x: at, y: 16 }, number);
    draw(svg, "text", { class: "head", x: at + 15, y: 16 }, text);
  }
}

function drawServer(svg, { cluster, top, height }) {
  const { server, wide } = plan;
  const box = draw(svg, "g", { class: "server" });
  draw(box, "rect", { x: 1, y: top, width: server - 2, height, rx: 9 });
  const name = cluster === "default" ? "API server" : wide ? cluster : `API ${cluster}`;
  const y = top + height / 2;
  draw(box, "text", wide ? { class: "name", x: server / 2, y: y + 4 }
    : { class: "name", transform: `translate(${server / 2 + 4} ${y}) rotate(-90)` },
  height < 60 && !wide ? cluster === "default" ? "API" : cluster : name);
}

function drawCache(svg, lines, id, { x, y, width }) {
  const { server, wide, box } = plan;
  const wire = draw(lines, "g", { class: "wire", "data-informer": id });
  const line = draw(wire, "path", { d: `M${server} ${y}H${x}` });
  const middle = (server + x) / 2;
  draw(wire, "path", { class: "gap", d: `M${middle - 5} ${y - 5}l10 10m0 -10l-10 10` });
  const above = draw(wire, "text", { class: "small", x: middle, y: y - 14 });
  const below = draw(wire, "text", { class: "small", x: middle, y: y + 24 });
  parts.wires.set(id, { wire, line, above: wide ? above : null, below: wide ? below : null });
  const cache = draw(svg, "g", { class: "station cache", "data-informer": id });
  draw(cache, "rect", { x, y: y - box / 2, width, height: box, rx: 9 });
  draw(cache, "rect", { class: "edge", x, y: y - box / 2 + 8, width: 4, height: box - 16, rx: 2 });
  draw(cache, "text", { class: "name", x: x + 12, y: y - 4 }, short(id, width - 18));
  draw(cache, "title", {}, id);
  parts.caches.set(id, { cache, text: draw(cache, "text", { class: "small", x: x + 12, y: y + 14 }) });
}

function drawEnd(svg, lines, id, { x, y, width, queueX, queueWidth }) {
  const { box, cells, cell } = plan;
  parts.hands.set(id, draw(lines, "path", { class: "link", d: `M${queueX + queueWidth} ${y}H${x}` }));
  const queue = draw(svg, "g", { class: "station queue", "data-consumer": id });
  const slots = Array.from({ length: cells }, (_, i) => draw(queue, "rect",
    { class: "slot", x: queueX + (cells - 1 - i) * (cell + 1), y: y - 10, width: cell, height: 20, rx: 2 }));
  parts.queues.set(id, { queue, slots, text: draw(queue, "text", { class: "small", x: queueX + queueWidth / 2, y: y + 24 }) });
  const end = draw(svg, "g", { class: "station end", "data-consumer": id });
  draw(end, "rect", { x, y: y - box / 2, width: width - 1, height: box, rx: 9 });
  draw(end, "text", { class: "name", x: x + 10, y: y - 4 }, short(id, width - 14));
  draw(end, "title", {}, id);
  parts.ends.set(id, { end, text: draw(end, "text", { class: "small", x: x + 10, y: y + 14 }) });
}

/** A name as far as there is room for it. */
function short(name, width) {
  const most = Math.floor(width / (plan.wide ? 7.9 : 7.2));
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}

function showInformer(item) {
  const { wire, above, below } = parts.wires.get(item.id);
  const { cache, text } = parts.caches.get(item.id);
  const is = lost ? "UNKNOWN" : item.state;
  wire.dataset.state = is;
  cache.dataset.state = is;
  setText(text, plan.wide ? `${count(item.cacheSize, "object")} · version ${item.resourceVersion || "–"}`
    : count(item.cacheSize, "object"));
  if (above) {
    const { reason, objects } = item.lastList;
    const last = reason ? `, last of ${objects}` : "";
    setText(above, `${count(item.lists, "list")}${last} · ${count(item.received.events, "event")}`);
    setText(below, is === "LIVE" ? `watch open · ${count(item.received.bookmarks, "bookmark")}` : is.toLowerCase().replace("_", " "));
  }
}

function showHandler(item) {
  showQueue(item.id, item.queueSize, item.retrying, item.retrying ? `${item.retrying} again` : "");
  const { end, text } = parts.ends.get(item.id);
  end.dataset.state = lost ? "UNKNOWN" : item.state;
  const busy = item.busySince && !lost ? serverTime() - Date.parse(item.busySince) : 0;
  const failed = item.failed && plan.wide ? ` · ${item.failed.toLocaleString("en")} failed` : "";
  setText(text, busy > 1000 ? `busy for ${age(busy)}` : item.state === "SYNCED"
    ? `${item.processed.toLocaleString("en")} handled${failed}` : item.state.toLowerCase());
}

function showReconciler(item) {
  const waiting = item.queueSize + item.parked + item.delayed;
  showQueue(item.id, waiting, item.delayed, item.delayed ? `${item.delayed} later` : "");
  const { end, text } = parts.ends.get(item.id);
  end.dataset.state = lost ? "UNKNOWN" : item.state;
  const failing = item.failing.length && plan.wide ? ` · ${count(item.failing.length, "key")} failing` : "";
  setText(text, item.state === "ACTIVE" ? `${count(item.runs, "run")}${failing}` : item.state.toLowerCase());
}

function showQueue(id, size, again, note) {
  const { slots, text } = parts.queues.get(id);
  slots.forEach((slot, i) => slot.dataset.full = i >= size ? "" : i < again ? "again" : "waits");
  setText(text, note && plan.wide ? `${size} wait, ${note}` : size ? `${size} wait` : "");
}

const later = (time, act) => setTimeout(() => plan && act(), time);

/** Shows one sort of thing that went one step of the way. */
function follow({ stage, from, to, type, count: number }) {
  switch (stage) {
    case "LISTED":
      arrive(from, "LIST", number);
      break;
    case "RECEIVED":
      arrive(from, type, number, type !== "BOOKMARK" && type !== "ERROR");
      break;
    case "QUEUED":
      later(WIRE, () => queue(from, to, type, number));
      break;
    case "RAN":
    case "HANDLED":
      later(WIRE + LINK, () => hand(to, type, number));
      break;
  }
}

function go(path, type, number, duration, then, more = {}) {
  travel(layer, path, { type, count: number, duration, radius: plan.radius, then, ...more });
}

function arrive(informer, type, number, further = false) {
  const text = type === "LIST" ? plan.wide ? count(number, "object") : String(number) : "";
  go(parts.wires.get(informer)?.line, type, number, WIRE, () => {
    light(parts.caches.get(informer)?.cache, type);
    if (further) {
      plan.links.filter((link) => link.from === informer).forEach((link) => queue(informer, link.to, type, number));
    }
  }, { text });
}

function queue(informer, consumer, type, number) {
  go(parts.links.get(`${informer} ${consumer}`), type, number, LINK, () => light(parts.queues.get(consumer)?.queue, type));
}

function hand(consumer, type, number) {
  const path = parts.hands.get(consumer);
  const end = () => light(parts.ends.get(consumer)?.end, type);
  if (["RETRY", "ERROR", "CONFLICT"].includes(type)) { // back into the queue, until it is tried again
    end();
    go(path, type, number, 2 * HAND, () => light(parts.queues.get(consumer)?.queue, type), { back: true });
  } else {
    go(path, type, number, HAND, end);
  }
}
