"use strict";

// Names come from the cluster: they are only ever set as text, never as HTML.

const SAMPLES = 90; // of the little charts,
const TICK = 500; // one every so many milliseconds
const ROWS = 200;
const IDLE_LIMIT = 30000; // milliseconds; the application sends something every ten seconds
const SVG = "http://www.w3.org/2000/svg";

const cards = { informer: new Map(), handler: new Map(), reconciler: new Map() };
const byId = (id) => document.getElementById(id);
const field = (element, name) => element.querySelector(`[data-field="${name}"]`);

let ahead = 0; // the server's clock against this one's, in milliseconds
let lastRow = 0;
let heardAt = Date.now(); // when the application sent anything, by this clock
let stateAt = null; // when what is shown was so, by the server's clock
let validUntil = null; // when the term ends if this replica leads, by the server's clock
let leaderCard = null;
let lost = true; // whether what is shown is known to be old

function connect() {
  const source = new EventSource("live");
  source.addEventListener("open", () => showConnection("LIVE", "connected"));
  source.addEventListener("state", (event) => showState(JSON.parse(event.data)));
  source.addEventListener("row", (event) => showRow(JSON.parse(event.data)));
  for (const name of ["open", "state", "row", "beat"]) {
    source.addEventListener(name, () => heardAt = Date.now());
  }
  source.addEventListener("error", () => {
    showLost();
    if (source.readyState === EventSource.CLOSED) { // refused: the browser does not try again by itself
      setTimeout(connect, 3000);
    }
  });
}

function showConnection(state, text) {
  byId("connection").dataset.state = state;
  setText(byId("connection"), text);
}

/** Nothing that is shown is known to be so any more. */
function showLost() {
  showConnection("STALE", "reconnecting");
  if (lost || !stateAt) {
    return;
  }
  lost = true;
  const time = new Date(stateAt).toLocaleTimeString("en-GB");
  setText(byId("gone"), `The application does not answer. What you see is what it was at ${time}.`);
  byId("gone").hidden = false;
  setText(field(byId("totals"), "informers"), "–");
  setText(field(byId("totals"), "handlers"), "–");
  for (const kind of Object.values(cards)) {
    kind.forEach(showPill);
  }
  if (leaderCard) {
    showPill(leaderCard);
    setText(field(leaderCard.element, "leads"), "–");
    showSlack();
  }
}

function setText(element, text) {
  if (element.textContent !== String(text)) {
    element.textContent = text;
  }
}

function showState({ now, state }) {
  ahead = Date.parse(now) - Date.now();
  stateAt = Date.parse(now);
  lost = false;
  byId("gone").hidden = true;
  showCards("informer", state.informers, showInformer);
  showCards("handler", state.handlers, showHandler);
  showCards("reconciler", state.reconcilers, showReconciler);
  byId("reconcilers-section").hidden = state.reconcilers.length === 0;
  showLeader(state.leader);
  const live = state.informers.filter((informer) => informer.state === "LIVE").length;
  const synced = state.handlers.filter((handler) => handler.state === "SYNCED").length;
  const sum = (items, name) => items.reduce((total, item) => total + item[name], 0);
  const totals = byId("totals");
  setText(field(totals, "informers"), `${live} of ${state.informers.length}`);
  setText(field(totals, "handlers"), `${synced} of ${state.handlers.length}`);
  setText(field(totals, "objects"), sum(state.informers, "cacheSize").toLocaleString("en"));
  setText(field(totals, "runs"), sum(state.reconcilers, "runs").toLocaleString("en"));
  setText(field(totals, "events"), sum(state.handlers, "processed").toLocaleString("en"));
}

function showLeader(leader) {
  const section = byId("leader");
  section.hidden = !leader;
  if (!leader) {
    return;
  }
  if (!leaderCard) {
    byId("source").add(new Option("leader", "leader"));
  }
  validUntil = leader.validUntil ? Date.parse(leader.validUntil) : null;
  setText(section.querySelector("h3"), `Lease ${leader.lease}`);
  setText(field(section, "scope"), leader.holder ? `held by ${leader.holder}${leader.own ? ", this replica" : ""}`
    : "held by nobody");
  setText(field(section, "leads"), validUntil ? "yes" : "no");
  setText(field(section, "term"), leader.term ?? "–");
  setText(field(section, "renewals"), leader.renewals.toLocaleString("en"));
  leaderCard = { element: section, item: { id: "The leader election", state: leader.state } };
  showPill(leaderCard);
  showSlack();
}

/** What is left of the term, which ends although nothing arrives any more. */
function showSlack() {
  const left = validUntil ? Math.max(0, validUntil - Date.now() - ahead) : 0;
  setText(field(byId("leader"), "slack"), left && !lost ? `${(left / 1000).toFixed(1)} s` : "–");
}

function showCards(kind, items, show) {
  const known = cards[kind];
  for (const item of items) {
    if (!known.has(item.id)) {
      const element = byId(kind).content.firstElementChild.cloneNode(true);
      element.dataset[kind] = item.id;
      setText(element.querySelector("h3"), item.id);
      byId(`${kind}s`).append(element);
      known.set(item.id, { element, history: past(item), initial: 0 });
      if (kind !== "informer") {
        byId("source").add(new Option(item.id, item.id));
      }
    }
    const card = known.get(item.id);
    card.item = item;
    show(card);
    showPill(card);
  }
  for (const [id, card] of known) {
    if (!items.some((item) => item.id === id)) {
      card.element.remove();
      known.delete(id);
    }
  }
}

/** The state of an informer since it is in it: the page need not have been open. */
function past({ state, since }) {
  const age = since ? Date.now() + ahead - Date.parse(since) : 0;
  return new Array(Math.max(0, Math.min(SAMPLES, Math.floor(age / TICK)))).fill(state);
}

function showPill({ element, item }) {
  const pill = field(element, "state");
  const state = lost ? "UNKNOWN" : item.state;
  if (!lost && pill.dataset.state && pill.dataset.state !== state) {
    setText(byId("announce"), `${item.id} is ${state.toLowerCase()}`);
  }
  pill.dataset.state = state;
  setText(pill, state.toLowerCase().replace("_", " "));
}

function showInformer({ element, item }) {
  const named = item.cluster === "default" ? "" : ` ${item.cluster}`;
  const scope = item.namespaces.length ? `in ${item.namespaces.join(", ")}${named && ` of cluster${named}`}`
    : `in the whole cluster${named}`;
  setText(field(element, "scope"), scope);
  setText(field(element, "cacheSize"), item.cacheSize.toLocaleString("en"));
  setText(field(element, "lists"), item.lists);
  setText(field(element, "resourceVersion"), item.resourceVersion || "–");
  const error = field(element, "error");
  error.hidden = item.state === "LIVE" || !item.error;
  setText(error, item.error ?? "");
}

function showHandler(card) {
  const { element, item } = card;
  setText(field(element, "scope"), `of ${item.informer}`);
  for (const name of ["queueSize", "processed", "failed"]) {
    setText(field(element, name), item[name].toLocaleString("en"));
  }
  const progress = element.querySelector("progress");
  progress.hidden = item.state !== "SYNCING";
  card.initial = Math.max(card.initial, item.pendingInitial, 1);
  progress.value = 1 - item.pendingInitial / card.initial;
}

function showReconciler({ element, item }) {
  setText(field(element, "scope"), `of ${item.resources.join(", ")}`);
  for (const name of ["queueSize", "parked", "delayed", "runs", "failed"]) {
    setText(field(element, name), item[name].toLocaleString("en"));
  }
  showFailing(element, item);
}

function showFailing(element, { failing }) {
  const list = element.querySelector(".failing");
  list.hidden = failing.length === 0;
  while (list.childElementCount > failing.length) {
    list.lastElementChild.remove();
  }
  failing.forEach((key, i) => {
    const line = list.children[i] ?? list.appendChild(document.createElement("li"));
    const left = key.nextAttempt ? Date.parse(key.nextAttempt) - Date.now() - ahead : 0;
    const next = left > 0 ? `, again in ${age(left)}` : "";
    setText(line, `${key.key}: ${key.exception}, failed ${key.attempts}×${next}`);
  });
}

function tick() {
  if (Date.now() - heardAt > IDLE_LIMIT) { // a connection may be gone without a word
    showLost();
  }
  for (const card of cards.informer.values()) {
    remember(card, lost ? "UNKNOWN" : card.item.state);
    drawStates(card);
    const at = card.item.lastEventAt;
    setText(field(card.element, "age"), at ? age(Date.now() + ahead - Date.parse(at)) : "–");
  }
  for (const card of cards.handler.values()) {
    remember(card, card.item.queueSize);
    drawQueue(card);
    const since = lost ? null : card.item.busySince;
    const busy = since ? Date.now() + ahead - Date.parse(since) : 0;
    const waits = busy > 1000 ? `, busy with one event for ${age(busy)}` : "";
    setText(field(card.element, "scope"), `of ${card.item.informer}${waits}`);
  }
  tickReconcilers();
  showSlack();
}

function tickReconcilers() {
  for (const card of cards.reconciler.values()) {
    remember(card, card.item.queueSize);
    drawQueue(card);
    showFailing(card.element, card.item);
  }
}

function remember(card, value) {
  card.history.push(value);
  card.history.splice(0, card.history.length - SAMPLES);
}

function age(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

function draw(svg, name, attributes) {
  const shape = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => shape.setAttribute(key, value));
  svg.append(shape);
}

function drawStates({ element, history }) {
  const svg = element.querySelector("svg");
  svg.replaceChildren();
  const offset = SAMPLES - history.length;
  for (let from = 0, to; from < history.length; from = to) {
    for (to = from + 1; history[to] === history[from]; to++);
    draw(svg, "rect", { x: offset + from - 1, y: 0, width: to - from, height: 10, class: history[from] });
  }
}

function drawQueue({ element, history }) {
  const svg = element.querySelector("svg");
  svg.replaceChildren();
  const top = Math.max(8, ...history);
  const offset = SAMPLES - history.length;
  const points = history.map((value, i) => `L${offset + i - 1} ${29 - (27 * value) / top}`).join("");
  draw(svg, "path", { d: `M${offset - 1} 31${points}L${SAMPLES - 1} 31` });
}

function showRow(row) {
  if (row.id <= lastRow) {
    return;
  }
  lastRow = row.id;
  const element = byId("row").content.firstElementChild.cloneNode(true);
  element.dataset.id = row.id;
  element.dataset.type = row.type;
  element.dataset.source = row.source;
  element.classList.add("new");
  for (const name of ["type", "object", "note", "source"]) {
    element.querySelector(`.${name}`).textContent = row[name];
  }
  const time = element.querySelector("time");
  time.dateTime = row.at;
  time.textContent = new Date(row.at).toLocaleTimeString("en-GB");
  const rows = byId("rows");
  const filter = byId("source");
  element.hidden = filter.value !== "" && filter.value !== row.source;
  rows.prepend(element);
  while (rows.childElementCount > ROWS) {
    rows.lastElementChild.remove();
  }
}

function filterRows() {
  for (const row of byId("rows").children) {
    row.hidden = byId("source").value !== "" && byId("source").value !== row.dataset.source;
  }
}

async function prepareExperiments() {
  const possible = await (await fetch("experiments")).json();
  for (const card of document.querySelectorAll("[data-experiment]")) {
    const button = card.querySelector("button");
    button.dataset.label = button.textContent;
    button.setAttribute("aria-disabled", "false");
    button.addEventListener("click", () => experiment(card.dataset.experiment, button));
    if ("optional" in card.dataset) { // not what is taken away from a real cluster
      card.hidden = !possible.includes(card.dataset.experiment);
    } else if (!possible.includes(card.dataset.experiment)) {
      button.disabled = true;
      button.setAttribute("aria-describedby", "reason");
      byId("reason").hidden = false;
    }
  }
}

async function experiment(name, button) {
  if (button.getAttribute("aria-disabled") === "true") {
    return;
  }
  button.setAttribute("aria-disabled", "true");
  try {
    const answer = await fetch(`experiments/${name}`, { method: "POST" });
    if (!answer.ok) {
      throw new Error(`status ${answer.status}`);
    }
    const { lasts } = await answer.json();
    const end = Date.now() + lasts;
    for (let left = lasts; left > 0; left = end - Date.now()) {
      button.textContent = `${Math.ceil(left / 1000)} s to go`;
      await new Promise((done) => setTimeout(done, Math.min(left, 250)));
    }
    button.textContent = button.dataset.label;
  } catch (error) {
    button.textContent = `Did not work (${error.message}): try again`;
  }
  button.setAttribute("aria-disabled", "false");
}

async function linkEndpoint() {
  const { _links: links } = await (await fetch("actuator")).json();
  byId("endpoint").hidden = !links.informers;
  byId("meters").hidden = !links.prometheus;
}

byId("source").addEventListener("change", filterRows);
setInterval(tick, TICK);
connect();
prepareExperiments();
linkEndpoint();
