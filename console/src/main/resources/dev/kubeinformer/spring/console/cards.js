// The cards of informers, handlers, reconcilers, the leader and the slots. Names come from the cluster: they are only ever set as
// text, never as HTML. A card is made once, and then changed in place: what has the focus keeps it.

import { age, count, duration, number, simple, stateOf } from "./advice.js";

const SVG = "http://www.w3.org/2000/svg";

export const SAMPLES = 90; // of the little charts

let ids = 0;

export function newId() {
  return `ic-${++ids}`;
}

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export function setText(element, text) {
  if (element.textContent !== String(text)) {
    element.textContent = text;
  }
}

function setHidden(element, hidden) {
  if (element.hidden !== hidden) {
    element.hidden = hidden;
  }
}

/** Makes a list have these texts, in place. */
function setLines(list, lines) {
  while (list.childElementCount > lines.length) {
    list.lastElementChild.remove();
  }
  lines.forEach((line, i) => setText(list.children[i] ?? list.appendChild(make("li")), line));
  setHidden(list, lines.length === 0);
}

const words = (state) => state.toLowerCase().replaceAll("_", " ");

const FIELDS = {
  informer: [["objects", "Objects"], ["lists", "Lists"], ["age", "Last event"], ["version", "Version"]],
  handler: [["queue", "Queue"], ["handled", "Handled"], ["failed", "Failed"]],
  reconciler: [["ready", "Ready"], ["parked", "Parked"], ["delayed", "Delayed"], ["runs", "Runs"], ["failed", "Failed"]],
  leader: [["leads", "Leads"], ["term", "Term"], ["slack", "Slack"], ["renewals", "Renewals"]],
  shards: [["held", "Slots here"], ["members", "Replicas"], ["moving", "Moving"], ["unheld", "No holder"]]
};

const ACTIONS = { informer: [], handler: ["PAUSE", "RESYNC", "STOP"], reconciler: ["PAUSE", "TRIGGER", "STOP"], leader: ["YIELD"], shards: [] };

const LABELS = { PAUSE: "Pause", RESUME: "Resume", RESYNC: "Resync", STOP: "Stop…", START: "Start", TRIGGER: "Trigger…", YIELD: "Yield…" };

export class Card {

  #state;
  #fields = {};
  #buttons = [];
  #drawn;

  /** `act(action, button, key)` is called for a button. */
  constructor(kind, id, level, act) {
    this.kind = kind;
    this.id = id;
    this.visible = false;
    this.name = make("span", { class: "ic-name" }, id);
    this.heading = make(`h${level}`, { class: "ic-id", tabindex: "-1" }, this.name);
    this.#state = make("span", { class: "ic-state" });
    this.scope = make("p", { class: "ic-scope" });
    this.element = make("article", { class: "ic-card", "data-kind": kind, "data-id": id },
      make("header", { class: "ic-head" }, this.heading, this.#state), this.scope);
    this.heading.id = newId();
    this.element.setAttribute("aria-labelledby", this.heading.id);
    this.#makeChart();
    const list = make("dl", { class: "ic-fields" });
    for (const [field, title] of FIELDS[kind]) {
      this.#fields[field] = make("dd", { "data-field": field });
      list.append(make("div", {}, make("dt", {}, title), this.#fields[field]));
    }
    this.element.append(list);
    this.members = make("ul", { class: "ic-members", "aria-label": "Holders of the slots", hidden: "" });
    this.notes = make("ul", { class: "ic-notes", hidden: "" });
    this.failing = make("ul", { class: "ic-failing", "aria-label": `Failing keys of ${id}`, hidden: "" });
    this.error = make("p", { class: "ic-error", hidden: "" });
    this.element.append(this.members, this.notes, this.failing, this.error);
    this.#makeActions(act);
    this.#makeDetails();
  }

  #makeChart() {
    if (this.kind === "leader" || this.kind === "shards") {
      return;
    }
    this.chart = document.createElementNS(SVG, "svg");
    const strip = this.kind === "informer";
    this.chart.setAttribute("class", strip ? "ic-strip" : "ic-spark");
    this.chart.setAttribute("viewBox", `0 0 ${SAMPLES} ${strip ? 10 : 30}`);
    this.chart.setAttribute("preserveAspectRatio", "none");
    this.chart.setAttribute("aria-hidden", "true");
    this.element.append(this.chart);
  }

  #makeDetails() {
    this.more = make("dl", { class: "ic-more" });
    this.details = make("details", { class: "ic-details" },
      make("summary", {}, "Details", make("span", { class: "ic-hidden" }, ` of ${this.id}`)), this.more);
    this.details.addEventListener("toggle", () => this.#showDetails());
    this.element.append(this.details);
  }

  #makeActions(act) {
    this.result = make("p", { class: "ic-result", hidden: "" });
    this.actions = make("div", { class: "ic-actions", role: "group", "aria-label": `Actions of ${this.id}`, hidden: "" });
    for (const action of ACTIONS[this.kind]) {
      const label = make("span", {}, LABELS[action]);
      const button = make("button", { type: "button", class: "ic-button", "data-action": action }, label,
        make("span", { class: "ic-hidden" }, ` ${this.id}`));
      button.addEventListener("click", () => {
        if (button.getAttribute("aria-disabled") !== "true") {
          act(this, button.dataset.action, button);
        }
      });
      this.#buttons.push({ button, label, action });
      this.actions.append(button);
    }
    if (this.#buttons.length > 0) {
      this.element.append(this.actions, this.result);
    }
  }

  /** What became of an action, beside its button. */
  showResult(ok, text) {
    this.result.classList.toggle("ic-bad", !ok);
    setText(this.result, text);
    this.result.hidden = false;
  }

  setBusy(busy) {
    this.element.toggleAttribute("data-busy", busy);
    for (const { button } of this.#buttons) {
      button.setAttribute("aria-disabled", String(busy));
    }
  }

  /**
   * Shows an item. `view` says what is known besides: { problems, level, history, now, away, writable }.
   */
  show(item, view) {
    this.item = item;
    this.view = view;
    const state = stateOf(this.kind, item);
    this.element.dataset.state = view.away ? "UNKNOWN" : state;
    this.element.dataset.level = view.away ? 0 : view.level;
    setText(this.#state, view.away ? `was ${words(state)}` : words(state));
    this[this.kind](item, view);
    setLines(this.notes, this.kind === "leader" || view.away ? [] : view.problems
      .filter((problem) => problem.code !== "failing").map((problem) => problem.text));
    this.#showActions(item, view);
    this.#showDetails();
    this.draw();
  }

  #set(values) {
    for (const [field, value] of Object.entries(values)) {
      setText(this.#fields[field], value ?? "–");
    }
  }

  informer(item, { now }) {
    const { spec } = item;
    const where = spec.namespaces.includes("*") ? "all namespaces" : spec.namespaces.join(", ");
    const selectors = [spec.labelSelector, spec.fieldSelector].filter(Boolean).map((selector) => `, ${selector}`).join("");
    const part = [spec.metadataOnly && ", metadata only", item.shard && `, ${typeof item.shard.index === "number" ? "shard " : ""}${shardOf(item.shard)}`].filter(Boolean).join("");
    setText(this.scope, `${spec.apiVersion} ${spec.kind ?? spec.resource} in ${where}${selectors}${part}`);
    const event = item.lastEventAge ? duration(age(item.lastEventAge)) : null;
    this.#set({ objects: number(item.cacheSize), lists: number(item.lists), age: event, version: item.resourceVersion });
    this.#showError(item.state === "LIVE" ? null : item.lastError && `${item.lastError.verb}: `
      + `${item.lastError.httpStatus ? `${item.lastError.httpStatus} ` : ""}${item.lastError.reason}, ${since(item.lastError.at, now)} ago`);
  }

  handler(item, { now }) {
    const busy = item.handling ? `, handling ${item.handling.object} for ${since(item.handling.since, now)}` : "";
    const waits = item.awaiting.length > 0 ? `, waits for ${item.awaiting.join(", ")}` : "";
    const initial = item.state === "RUNNING" && !item.synced && item.pendingInitial > 0
      ? `, ${number(item.pendingInitial)} of the initial state left` : "";
    setText(this.scope, `of ${item.informer}${initial}${waits}${busy}`);
    this.#set({ queue: number(item.queueSize), handled: number(item.processed), failed: number(item.failed) });
    this.#showError(item.lastError
      && `${simple(item.lastError.exception)} for ${item.lastError.object}, ${since(item.lastError.at, now)} ago`);
  }

  reconciler(item, { now }) {
    const running = item.running > 0 ? `, ${count(item.running, "run")} now, the longest for ${duration(age(item.longestRunning))}` : "";
    setText(this.scope, `of ${[item.primary, ...item.owned, ...item.watched].join(", ")}${running}`);
    this.#set({ ready: number(ready(item)), parked: number(item.queue.parked), delayed: number(item.queue.delayed),
      runs: number(item.runs.total), failed: number(item.runs.failed) });
    const lines = item.longestFailing.slice(0, 5).map((key) => {
      const left = key.nextAttempt ? (Date.parse(key.nextAttempt) - now) / 1000 : 0;
      return `${key.key}: ${simple(key.exception)}${written(key.write)}, failed ${number(key.attempts)}×${left > 0 ? `, again in ${duration(left)}` : ""}`;
    });
    if (item.failingKeys > lines.length) {
      lines.push(`and ${number(item.failingKeys - lines.length)} more`);
    }
    setLines(this.failing, lines);
  }

  leader(item) {
    setText(this.name, `Lease ${item.lease}`);
    const holder = item.holder ? `held by ${item.holder}${item.leading ? ", this replica" : ""}` : "held by nobody";
    const waits = item.awaiting.length > 0 ? `, waits for ${item.awaiting.join(", ")}` : "";
    setText(this.scope, `${holder}${waits}`);
    this.#set({ leads: item.leading ? "yes" : "no", term: item.term?.number, renewals: number(item.renewals),
      slack: item.slack ? duration(age(item.slack)) : null });
    this.#showError(item.lastError && `${item.lastError.verb}: ${item.lastError.httpStatus ?? ""} ${simple(item.lastError.reason)}`);
  }

  shards(item, { now }) {
    setText(this.name, `Group ${item.group}`);
    setText(this.scope, `${item.total} slots by ${words(item.key)}, this replica is ${item.identity}`);
    const moving = slotsOf(item.draining);
    const free = item.state === "ACTIVE" ? item.unheld : [];
    const unheld = free.reduce((sum, { slots }) => sum + slotsOf(slots), 0);
    this.#set({ held: `${number(slotsOf(item.slots))} of ${number(item.total)}`, members: number(item.members.length),
      moving: number(moving), unheld: item.state === "ACTIVE" ? number(unheld) : null });
    const rows = item.members.map((member) => ({ slots: member.slots, moving: member.self ? item.draining : member.leaving ? member.slots : "",
      kind: member.self ? "self" : "other",
      text: `${member.name}${member.self ? ", this replica" : ""}${member.leaving ? ", leaves" : ""}: ${count(member.count, "slot")}` }));
    free.forEach(({ slots, since: from }) => rows.push({ slots, moving: "", kind: "none",
      text: `no holder for ${since(from, now)}: ${count(slotsOf(slots), "slot")}` }));
    while (this.members.childElementCount > rows.length) {
      this.members.lastElementChild.remove();
    }
    rows.forEach((row, i) => drawMember(this.members.children[i] ?? this.members.appendChild(makeMember()), row, item.total));
    setHidden(this.members, rows.length === 0);
    this.#showError(item.lastError && `${item.lastError.verb}: ${item.lastError.httpStatus ?? ""} ${simple(item.lastError.reason)}`);
  }

  #showError(text) {
    setHidden(this.error, !text);
    setText(this.error, text ?? "");
  }

  #showActions(item, view) {
    const stopped = item.state === "STOPPED" || item.state === "NEW";
    let any = false;
    for (const { button, label, action } of this.#buttons) {
      const offered = { PAUSE: item.state === "PAUSED" ? "RESUME" : "PAUSE", STOP: stopped ? "START" : "STOP" }[action] ?? action;
      button.dataset.action = offered;
      setText(label, LABELS[offered]);
      const possible = action === "STOP" || (action === "YIELD" ? item.leading : !stopped);
      // What has just been used stays, so that the focus does.
      setHidden(button, !possible && document.activeElement !== button);
      any ||= !button.hidden;
    }
    setHidden(this.actions, !view.writable || !any);
  }

  #showDetails() {
    if (!this.details.open || !this.item) {
      return;
    }
    const rows = Object.entries(DETAILS[this.kind](this.item, this.view)).filter(([, value]) => value !== "");
    while (this.more.childElementCount > rows.length) {
      this.more.lastElementChild.remove();
    }
    rows.forEach(([title, value], i) => {
      const row = this.more.children[i] ?? this.more.appendChild(make("div", {}, make("dt"), make("dd")));
      setText(row.firstElementChild, title);
      setText(row.lastElementChild, value);
    });
  }

  /** Draws the chart, if it can be seen and has changed. */
  draw() {
    const { chart, view } = this;
    if (!chart || !this.visible || !view) {
      return;
    }
    const drawn = view.history.join();
    if (drawn === this.#drawn) {
      return;
    }
    this.#drawn = drawn;
    chart.replaceChildren();
    (this.kind === "informer" ? drawStates : drawQueue)(chart, view.history);
  }

}

function makeMember() {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("class", "ic-slots");
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("aria-hidden", "true");
  return make("li", {}, make("span", {}), picture);
}

/** Draws which of all slots a member holds, and which of them are moving. */
function drawMember(line, { slots, moving, kind, text }, total) {
  setText(line.firstElementChild, text);
  const picture = line.lastElementChild;
  const drawn = `${kind} ${slots} ${moving} ${total}`;
  if (picture.dataset.drawn === drawn) {
    return;
  }
  picture.dataset.drawn = drawn;
  picture.replaceChildren();
  picture.setAttribute("viewBox", `0 0 ${total} 10`);
  shape(picture, "rect", { x: 0, y: 0, width: total, height: 10, class: "ic-all" });
  for (const [held, name] of [[slots, `ic-${kind}`], [moving, "ic-moving"]]) {
    for (const [from, to] of rangesOf(held)) {
      shape(picture, "rect", { x: from, y: 0, width: to - from + 1, height: 10, class: name });
    }
  }
}

/** The ranges of a text such as "0-12,20", each as [first, last]. */
function rangesOf(text) {
  return text === "" ? [] : text.split(",").map((range) => range.split("-").map(Number)).map(([from, to]) => [from, to ?? from]);
}

function slotsOf(text) {
  return rangesOf(text).reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

function shape(svg, name, attributes) {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  svg.append(element);
}

function drawStates(svg, history) {
  const offset = SAMPLES - history.length;
  for (let from = 0, to; from < history.length; from = to) {
    for (to = from + 1; history[to] === history[from]; to++);
    shape(svg, "rect", { x: offset + from, y: 0, width: to - from, height: 10, class: history[from] });
  }
}

function drawQueue(svg, history) {
  const top = Math.max(8, ...history);
  const last = SAMPLES - 1;
  const offset = SAMPLES - history.length;
  const points = history.map((value, i) => `L${((offset + i) * SAMPLES) / last} ${29 - (27 * value) / top}`).join("");
  shape(svg, "path", { d: `M${(offset * SAMPLES) / last} 31${points}L${SAMPLES} 31` });
}

function written(write) {
  const answer = write && [write.httpStatus && `HTTP ${write.httpStatus}`, write.reason, write.refusedBy && `by ${write.refusedBy}`, ...write.fields];
  return write ? ` of ${write.verb} ${write.resource} ${write.key} (${answer.filter(Boolean).join(" ") || "no response"})` : "";
}

function since(time, now) {
  return duration((now - Date.parse(time)) / 1000);
}

export function ready(reconciler) {
  return Object.values(reconciler.queue.ready).reduce((sum, value) => sum + value, 0);
}

const byReason = (numbers) => Object.entries(numbers).map(([reason, value]) => `${words(reason)} ${number(value)}`).join(", ") || "none";

const local = (time) => (time ? new Date(time).toLocaleString("en-GB") : "");

const shardOf = ({ key, index, total, slots }) => typeof index === "number"
  ? `${index}/${total} by ${words(key)}` : `${number(slotsOf(slots))} of ${number(total)} slots by ${words(key)}`;

const FILTERS = {
  SERVER: "the API server, which sends nothing else",
  CLIENT: "this application; the API server sends everything"
};

const DETAILS = {
  informer: (item) => ({
    "Handlers": item.handlers.join(", ") || "none",
    "In this state since": local(item.since),
    "First filled": local(item.syncedAt),
    "Relists": byReason(item.relists),
    "Ends of watches": byReason(item.watchRestarts),
    "Older responses dropped": number(item.regressions),
    "Cannot be read": number(item.quarantined),
    "Encoding": item.encoding ?? "",
    "Metadata cut out by": item.metadata ? FILTERS[item.metadata] : "",
    "Shard": item.shard ? shardOf(item.shard) : "",
    "Shard cut out by": item.shard ? FILTERS[item.shard.mode] ?? "not known yet" : "",
    "Slots in the cache": item.shard?.listed ?? "",
    "Of other shards, dropped": item.shard ? number(item.shard.foreign) : "",
    "Missing RBAC": item.requiredRbac.join("; ")
  }),
  handler: (item) => ({
    "Bean": item.bean,
    "Methods": Object.entries(item.methods).map(([event, method]) => `${words(event)}: ${method}`).join("; "),
    "Initial state handled": local(item.syncedAt),
    "Workers": number(item.concurrency),
    "Resync": item.resync === "0s" ? "none" : item.resync,
    "Room in the queue": number(item.queueCapacity),
    "Wait for a retry": number(item.waitingForRetry),
    "Retries": number(item.retries),
    "Given up": number(item.exhausted),
    "Merged": number(item.merged),
    "Only while leading": item.leaderOnly ? "yes" : "no"
  }),
  reconciler: (item) => ({
    "Bean": item.bean ?? "",
    "Caches": item.sources.map((source) => `${source.informer} (${words(source.role)}) ${words(source.state)}`).join(", ") || "none",
    "In this state since": local(item.since),
    "Oldest ready key": duration(age(item.queue.oldestReadyAge)),
    "Ready by lane": byReason(item.queue.ready),
    "Conflicts": number(item.runs.conflicts),
    "Own writes not seen in time": number(item.runs.ownWriteTimeouts),
    "Workers": number(item.settings.concurrency),
    "Resync": item.settings.resync === "0s" ? "none" : item.settings.resync,
    "Time limit of a run": item.settings.timeout,
    "Namespaces": item.settings.namespaces.includes("*") ? "all" : item.settings.namespaces.join(", "),
    "Field manager": item.settings.fieldManager,
    "Only while leading": item.leaderOnly ? "yes" : "no",
    "Missing RBAC": item.requiredRbac.join("; ")
  }),
  leader: (item) => ({
    "This replica": item.identity,
    "In this state since": local(item.since),
    "Term since": local(item.term?.since),
    "Terms of this replica": number(item.terms),
    "Missing RBAC": item.requiredRbac.join("; ")
  }),
  shards: (item) => ({
    "Lease of this replica": item.lease ?? "none",
    "In this state since": local(item.since),
    "Slots here": item.slots || "none",
    "Left of the term": item.slack ? duration(age(item.slack)) : "",
    "Gained": number(item.gained),
    "Lost": number(item.lost),
    "Renewals": number(item.renewals),
    "Missing RBAC": item.requiredRbac.join("; ")
  })
};
