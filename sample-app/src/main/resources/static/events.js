// The list of what was delivered. It can be paused; what comes meanwhile waits.

import { byId, clock, setOptions, setText } from "./dom.js";
import { on } from "./feed.js";

const ROWS = 200;

let lastRow = 0;
let waiting = null; // while paused, the rows that came meanwhile, at most as many as are shown
let came = 0; // how many those are, also beyond that

export function listEvents() {
  on("row", take);
  on("state", ({ handlers, reconcilers, leader }) => {
    const sources = [...handlers, ...reconcilers].map((item) => item.id);
    setOptions(byId("source"), leader ? [...sources, "leader"] : sources, 2);
  });
  byId("source").addEventListener("change", filter);
  byId("resyncs").addEventListener("change", filter);
  byId("pause").addEventListener("click", pause);
}

function take(row) {
  if (row.id <= lastRow) {
    return;
  }
  lastRow = row.id;
  if (!waiting) {
    show(row);
    return;
  }
  waiting.push(row);
  waiting.splice(0, waiting.length - ROWS);
  came++;
  label();
}

function pause() {
  const rows = waiting;
  waiting = rows ? null : [];
  came = 0;
  rows?.forEach(show);
  label();
}

function label() {
  setText(byId("pause"), !waiting ? "Pause" : `Go on (${came} new)`);
}

function show(row) {
  const element = byId("row").content.firstElementChild.cloneNode(true);
  element.dataset.id = row.id;
  element.dataset.type = row.type;
  element.dataset.source = row.source;
  element.dataset.resync = row.resync;
  element.classList.add("new");
  for (const name of ["type", "object", "note", "source"]) {
    element.querySelector(`.${name}`).textContent = row[name];
  }
  setText(element.querySelector(".type"), row.type.replace("_", " "));
  const time = element.querySelector("time");
  time.dateTime = row.at;
  time.textContent = clock(row.at);
  element.hidden = !isWanted(element);
  const rows = byId("rows");
  rows.prepend(element);
  while (rows.childElementCount > ROWS) {
    rows.lastElementChild.remove();
  }
}

function isWanted({ dataset }) {
  const source = byId("source").value;
  return (source === "" || source === dataset.source) && (byId("resyncs").checked || dataset.resync !== "true");
}

function filter() {
  for (const row of byId("rows").children) {
    row.hidden = !isWanted(row);
  }
}
