// <informers-console>: shows the response of the endpoint "informers", and sends it actions. See docs/console.md.

import { GOOD, age, count, duration, levelOf, number, problemsOf, stateOf } from "./advice.js";
import { Card, SAMPLES, make, newId, ready, setText } from "./cards.js";
import { Refusal, act, readAll, readSettings } from "./reader.js";

const PERIOD = 1000; // milliseconds between two reads
const MOST_BACKOFF = 30000;
const ACTED = 5000; // milliseconds in which a change of state is the effect of an action
const SHOWN = 48; // cards of a section, unless all are asked for
const PROBLEMS = 12; // lines
const NAMES = 4; // in a line; more of the same sort share one

const KINDS = { informers: "informer", handlers: "handler", reconcilers: "reconciler" };

const TITLES = { leader: "Leader election", shards: "Shards", informers: "Informers", handlers: "Handlers", reconcilers: "Reconcilers" };

const ALONE = new Set(["leader", "shards"]); // sections with at most one card

const EMPTY = {
  informers: "There is no informer yet. Inject a Lister, or write a handler.",
  handlers: "There is no handler yet. Annotate a class with @InformerHandler."
};

const HELP = {
  "unauthorized": "Sign in, then reload the page.",
  "forbidden": "Ask for the right to read it.",
  "not-exposed": "Expose it: management.endpoints.web.exposure.include=informers,informersconsole"
};

const DONE = { PAUSE: "paused", RESUME: "resumed", RESYNC: "resync has begun", START: "started", STOP: "stopped",
  TRIGGER: "triggered", YIELD: "yields" };

const CONFIRM = {
  STOP: ["Stop", "Nothing is delivered to it, or run by it, until it is started again. Then it begins with all that is there."],
  TRIGGER: ["Trigger", "A run is queued for one key, or for every key if the field is empty."],
  YIELD: ["Yield", "What runs is finished, then another replica may lead. Alone, this one leads again after a while."]
};

class InformersConsole extends HTMLElement {

  #cards = new Map();
  #histories = new Map();
  #sections = {};
  #connection = null;
  #failures = 0;
  #timer = null;
  #reading = null;
  #readAt = 0;
  #items = null;
  #states = null;
  #all = new Set();
  #paused = false;
  #settings = null;
  #acted = new Map();
  #visibility;
  #announcer;
  #seen;
  #bannerText;
  #bannerNext;
  #retry;
  #bannerMore;
  #banner;
  #note;
  #tiles;
  #problemList;
  #problems;
  #toolbar;
  #filter;
  #onlyProblems;
  #pause;
  #updated;
  #matchCount;
  #dialog;
  #now;
  #lastSample;

  connectedCallback() {
    if (!this.#sections.informers) {
      addStyle();
      this.#build();
    }
    this.#visibility = () => this.#schedule(document.hidden ? null : 0);
    document.addEventListener("visibilitychange", this.#visibility);
    this.#schedule(0);
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.#visibility);
    this.#schedule(null);
  }

  /** What config.json says: { application, endpoint, writable }; null before it was read. */
  get settings() {
    return this.#settings;
  }

  get #endpoint() {
    const own = this.getAttribute("endpoint");
    if (own) {
      return new URL(own, document.baseURI);
    }
    return this.#settings.endpoint ? new URL(this.#settings.endpoint, import.meta.url) : null;
  }

  get #level() {
    return Number(this.getAttribute("heading-level") ?? 2);
  }

  get #period() {
    return Number(this.getAttribute("period") ?? PERIOD);
  }

  #hides(part) {
    return (this.getAttribute("hide") ?? "").split(/\s+/).includes(part);
  }

  // ---- what is there from the start

  #build() {
    this.#announcer = make("p", { class: "ic-hidden ic-announce", role: "status", "aria-live": "polite" });
    this.#seen = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
      const card = this.#cards.get(`${target.dataset.kind} ${target.dataset.id}`);
      if (card) {
        card.visible = isIntersecting;
        card.draw();
      }
    }), { rootMargin: "200px" });
    this.replaceChildren(this.#announcer, this.#buildBanner(), this.#buildTiles(), this.#buildProblems(), this.#buildToolbar(),
      ...Object.keys(TITLES).map((name) => this.#buildSection(name)), this.#buildDialog());
  }

  #buildBanner() {
    this.#bannerText = make("p", { class: "ic-banner-text", role: "alert" });
    this.#bannerNext = make("span", { class: "ic-quiet" });
    this.#retry = make("button", { type: "button", class: "ic-button ic-small" }, "Try now");
    this.#retry.addEventListener("click", () => this.#connection === "unauthorized" ? location.reload() : this.refresh());
    this.#bannerMore = make("div", { class: "ic-banner-more", hidden: "" }, this.#retry, this.#bannerNext);
    this.#banner = make("div", { class: "ic-banner" }, this.#bannerText, this.#bannerMore);
    this.#note = make("p", { class: "ic-note", hidden: "" });
    return make("div", {}, this.#banner, this.#note);
  }

  #buildTiles() {
    this.#tiles = make("dl", { class: "ic-tiles", hidden: "" });
    for (const [field, title] of [["informers", "Informers live"], ["handlers", "Handlers running"],
      ["reconcilers", "Reconcilers active"], ["objects", "Objects in caches"], ["queued", "Waiting in queues"],
      ["failing", "Failing keys"]]) {
      this.#tiles.append(make("div", {}, make("dt", {}, title), make("dd", { "data-field": field }, "–")));
    }
    return this.#tiles;
  }

  #buildProblems() {
    const title = make(`h${this.#level}`, { class: "ic-title", id: newId() }, "Needs attention");
    this.#problemList = make("ul", { class: "ic-problems" });
    this.#problems = make("section", { class: "ic-section ic-attention", "data-section": "problems", "aria-labelledby": title.id,
      hidden: "" }, title, this.#problemList);
    return this.#problems;
  }

  #buildToolbar() {
    const id = newId();
    this.#filter = make("input", { id, type: "search", class: "ic-input", autocomplete: "off", spellcheck: "false",
      placeholder: "name, resource, namespace, cluster or state" });
    this.#filter.addEventListener("input", () => this.#filtered());
    this.#onlyProblems = make("input", { type: "checkbox" });
    this.#onlyProblems.addEventListener("change", () => this.#filtered());
    this.#pause = make("button", { type: "button", class: "ic-button ic-small ic-pause", "aria-pressed": "false" }, "Pause updates");
    this.#pause.addEventListener("click", () => this.#togglePause());
    this.#updated = make("span", { class: "ic-updated ic-quiet" });
    this.#matchCount = make("span", { class: "ic-matches ic-quiet", role: "status" });
    this.#toolbar = make("div", { class: "ic-toolbar", role: "search", "aria-label": "Filter", hidden: "" },
      make("label", { class: "ic-label", for: id }, "Filter"), this.#filter,
      make("label", { class: "ic-check" }, this.#onlyProblems, "Only what needs attention"), this.#matchCount,
      make("span", { class: "ic-space" }), this.#updated, this.#pause);
    return this.#toolbar;
  }

  #buildSection(name) {
    const title = make(`h${this.#level}`, { class: "ic-title", id: newId() }, TITLES[name], " ");
    const number = make("small", {});
    title.append(number);
    const groups = make("div", { class: "ic-groups" });
    const empty = make("p", { class: "ic-quiet ic-empty", hidden: "" });
    const more = make("button", { type: "button", class: "ic-button ic-small ic-show", hidden: "" });
    more.addEventListener("click", () => {
      this.#all[this.#all.has(name) ? "delete" : "add"](name);
      this.#showAll();
    });
    const element = make("section", { class: "ic-section", "data-section": name, "aria-labelledby": title.id, hidden: "" },
      title, empty, groups, more);
    this.#sections[name] = { element, number, groups, empty, more, byCluster: new Map() };
    return element;
  }

  #buildDialog() {
    const title = make(`h${this.#level}`, { class: "ic-dialog-title", id: newId() });
    const text = make("p", { id: newId() });
    const label = make("label", { class: "ic-label" }, "Key");
    const keys = make("datalist", { id: newId() });
    const input = make("input", { id: newId(), class: "ic-input", type: "text", autocomplete: "off", spellcheck: "false", list: keys.id });
    label.htmlFor = input.id;
    const field = make("div", { class: "ic-dialog-field" }, label, input, keys);
    const go = make("button", { type: "submit", class: "ic-button ic-go" });
    const cancel = make("button", { type: "button", class: "ic-button" }, "Cancel");
    const form = make("form", {}, title, text, field, make("div", { class: "ic-dialog-buttons" }, go, cancel));
    const element = make("dialog", { class: "ic-dialog", "aria-labelledby": title.id, "aria-describedby": text.id }, form);
    cancel.addEventListener("click", () => element.close());
    this.#dialog = { element, title, text, field, input, keys, go };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      element.close();
      this.#dialog.confirmed(input.value.trim());
    });
    return element;
  }

  // ---- reading, again and again

  #schedule(delay) {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (delay !== null && this.isConnected && !document.hidden && (!this.#paused || this.#failures > 0)) {
      this.#timer = setTimeout(() => this.refresh(), delay);
    }
  }

  /** Reads and shows what is so now. */
  refresh() {
    clearTimeout(this.#timer);
    this.#reading ??= this.#read().finally(() => this.#reading = null);
    return this.#reading;
  }

  async #read() {
    try {
      if (!this.#settings || this.#failures > 0) { // the application may have been started anew
        this.#settings = await readSettings();
        this.dispatchEvent(new CustomEvent("informers-console-settings", { bubbles: true, detail: this.#settings }));
      }
      const endpoint = this.#endpoint;
      if (!endpoint) {
        throw new Refusal("not-exposed", "The endpoint informers is not exposed.");
      }
      const { items, now } = await readAll(endpoint);
      this.#remember(items, now);
      this.#failures = 0;
      this.#showConnection("live");
      this.#items = items;
      this.#now = now;
      this.#showAll();
      this.dispatchEvent(new CustomEvent("informers-console-state", { bubbles: true, detail: items }));
      this.#schedule(this.#period);
    } catch (failure) {
      this.#failures++;
      this.#showFailure(refusalOf(failure));
    }
  }

  #showFailure(failure) {
    const delay = failure.reason === "away" ? Math.min(MOST_BACKOFF, this.#period * 2 ** (this.#failures - 1)) : MOST_BACKOFF;
    // A browser may ask for a password at each 401, so that one is left to the button.
    const again = failure.reason === "unauthorized" ? null : delay;
    const began = this.#connection !== failure.reason;
    this.#schedule(again); // whatever becomes of showing it
    this.#showConnection(failure.reason);
    const old = this.#items ? ` What you see is how it was at ${clock(this.#readAt)}.` : "";
    setText(this.#bannerText, `${failure.message}${old} ${HELP[failure.reason] ?? ""}`.trim());
    setText(this.#bannerNext, again ? `again in ${duration(again / 1000)}` : "");
    setText(this.#retry, failure.reason === "unauthorized" ? "Reload the page" : "Try now");
    this.#bannerMore.hidden = false;
    this.#showAll();
    if (began) {
      this.dispatchEvent(new CustomEvent("informers-console-away",
        { bubbles: true, detail: { reason: failure.reason, status: failure.status, message: failure.message } }));
    }
  }

  #showConnection(connection) {
    const before = this.#connection;
    this.#connection = connection;
    this.dataset.connection = connection;
    if (connection !== "live") {
      return;
    }
    if (before && before !== "live") {
      this.#announce("The application responds again.");
    }
    if (this.#banner.contains(document.activeElement)) {
      this.#pause.focus(); // the button that had the focus goes
    }
    setText(this.#bannerText, "");
    this.#bannerMore.hidden = true;
    this.#readAt = Date.now();
    setText(this.#updated, `updated ${clock(this.#readAt)}`);
    const note = this.#settings.writable ? ""
      : "Nothing can be changed here: management.endpoint.informers.access is not unrestricted.";
    this.#note.hidden = !note;
    setText(this.#note, note);
  }

  #togglePause() {
    this.#paused = !this.#paused;
    this.#pause.setAttribute("aria-pressed", String(this.#paused));
    this.#schedule(this.#paused ? null : 0);
  }

  #announce(text) {
    setText(this.#announcer, text);
  }

  // ---- the past, for the charts

  #remember(items, now) {
    const missed = this.#items ? Math.round((Date.now() - this.#lastSample) / this.#period) - 1 : 0;
    this.#lastSample = Date.now();
    const known = new Set();
    for (const [name, kind] of Object.entries(KINDS)) {
      for (const item of items[name]) {
        const id = `${kind} ${item.id}`;
        known.add(id);
        const history = this.#histories.get(id) ?? (kind === "informer" ? past(item, now, this.#period) : []);
        const unknown = kind === "informer" ? "UNKNOWN" : history.at(-1) ?? 0;
        for (let i = 0; i < Math.min(missed, SAMPLES); i++) {
          history.push(unknown);
        }
        history.push({ informer: () => item.state, handler: () => item.queueSize, reconciler: () => ready(item) }[kind]());
        history.splice(0, history.length - SAMPLES);
        this.#histories.set(id, history);
      }
    }
    for (const id of this.#histories.keys()) {
      if (!known.has(id)) {
        this.#histories.delete(id);
      }
    }
    this.#announceChanges(items);
  }

  #announceChanges(items) {
    const states = new Map();
    const changed = new Map();
    const alone = (item) => (item ? [{ id: "This replica", ...item }] : []);
    for (const [name, kind] of [...Object.entries(KINDS), ["leader", "leader"], ["shards", "shards"]]) {
      for (const item of ALONE.has(name) ? alone(items[name]) : items[name]) {
        const state = stateOf(kind, item).toLowerCase().replaceAll("_", " ");
        const before = this.#states?.get(`${kind} ${item.id}`);
        states.set(`${kind} ${item.id}`, state);
        // What an action has done was said with it.
        if (before && before !== state && !(Date.now() - this.#acted.get(item.id) < ACTED)) {
          changed.set(`${kind} ${state}`, [...(changed.get(`${kind} ${state}`) ?? []), item.id]);
        }
      }
    }
    this.#states = states;
    const sentences = [...changed].map(([key, ids]) => {
      const [kind, ...state] = key.split(" ");
      return ids.length > NAMES ? `${count(ids.length, kind)} are ${state.join(" ")}`
        : `${ids.join(", ")} ${ids.length === 1 ? "is" : "are"} ${state.join(" ")}`;
    });
    if (sentences.length > 0) {
      this.#announce(`${sentences.join("; ")}.`);
    }
  }

  // ---- what is shown

  #showAll() {
    const items = this.#items;
    if (!items) {
      return;
    }
    const away = this.#connection !== "live";
    const rated = {};
    for (const [name, kind] of Object.entries(KINDS)) {
      rated[name] = items[name].map((item) => this.#rate(kind, item));
    }
    for (const name of ALONE) {
      rated[name] = items[name] ? [this.#rate(name, { id: name, ...items[name] })] : [];
    }
    this.#toolbar.hidden = this.#hides("toolbar");
    this.#tiles.hidden = this.#hides("tiles");
    this.#showTiles(items, away);
    this.#showProblems(rated, away);
    let shown = 0;
    let total = 0;
    for (const name of Object.keys(TITLES)) {
      const matching = rated[name].filter((entry) => this.#matches(entry));
      shown += matching.length;
      total += rated[name].length;
      this.#showSection(name, matching, rated[name].length, away);
    }
    setText(this.#matchCount, this.#isFiltered ? `${number(shown)} of ${number(total)}` : "");
  }

  #rate(kind, item) {
    const problems = problemsOf(kind, item, this.#now);
    return { kind, item, problems, level: levelOf(kind, item, problems) };
  }

  get #isFiltered() {
    return this.#filter.value.trim() !== "" || this.#onlyProblems.checked;
  }

  #matches({ kind, item, problems }) {
    if (this.#onlyProblems.checked && problems.length === 0) {
      return false;
    }
    const text = [item.id, item.cluster, stateOf(kind, item), item.resource, item.informer, item.primary, item.spec?.resource,
      item.spec?.kind, item.lease, item.group, ...(item.spec?.namespaces ?? []), ...(item.settings?.namespaces ?? [])].join(" ").toLowerCase();
    return this.#filter.value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  }

  #filtered() {
    this.#showAll();
  }

  #showTiles(items, away) {
    const of = (part, all) => away ? "–" : `${number(part.length)} of ${number(all.length)}`;
    const sum = (all, value) => number(all.reduce((total, item) => total + value(item), 0));
    const values = {
      informers: of(items.informers.filter(({ state }) => state === "LIVE"), items.informers),
      handlers: of(items.handlers.filter(({ state }) => state === "RUNNING"), items.handlers),
      reconcilers: of(items.reconcilers.filter(({ state }) => state === "ACTIVE"), items.reconcilers),
      objects: sum(items.informers, (item) => item.cacheSize),
      queued: sum([...items.handlers.map((item) => item.queueSize), ...items.reconcilers.map(ready)], (value) => value),
      failing: sum(items.reconcilers, (item) => item.failingKeys)
    };
    for (const [field, value] of Object.entries(values)) {
      const tile = this.#tiles.querySelector(`[data-field="${field}"]`);
      setText(tile, value);
      tile.parentElement.hidden = items.reconcilers.length === 0 && (field === "reconcilers" || field === "failing");
    }
    this.#tiles.querySelector("[data-field=failing]").toggleAttribute("data-bad", items.reconcilers.some((item) => item.failingKeys > 0));
  }

  /** Problems of the same sort are one line if there are many. */
  #showProblems(rated, away) {
    const lines = new Map();
    for (const entry of Object.values(rated).flat()) {
      for (const problem of entry.problems) {
        const key = `${entry.kind} ${problem.code}`;
        lines.set(key, [...(lines.get(key) ?? []), { ...entry, problem }]);
      }
    }
    const all = [...lines.values()].flatMap((group) => group.length > NAMES ? [group] : group.map((one) => [one]))
      .sort((a, b) => b[0].problem.level - a[0].problem.level);
    const shown = all.slice(0, PROBLEMS);
    this.#problems.hidden = away || shown.length === 0 || this.#hides("problems");
    this.problemCount = all.length;
    const list = this.#problemList;
    const wanted = new Map(shown.map((group) => [`${group[0].problem.code} ${group.map(({ kind, item }) => `${kind} ${item.id}`).slice(0, NAMES)}`, group]));
    for (const line of [...list.children]) {
      if (!wanted.has(line.dataset.key)) {
        if (line.contains(document.activeElement)) {
          this.#filter.focus(); // the problem that was looked at is gone
        }
        line.remove();
      }
    }
    let place = list.firstElementChild;
    for (const [key, group] of wanted) {
      let line = [...list.children].find((child) => child.dataset.key === key);
      if (!line) {
        line = this.#makeProblem(key, group);
        list.insertBefore(line, place);
      }
      place = line.nextElementSibling;
      line.dataset.level = group[0].problem.level;
      const [{ kind, problem }] = group;
      const one = group.length === 1;
      setText(line.querySelector(".ic-what"), one ? problem.text : `${count(group.length, kind)}: ${problem.all ?? problem.text}`);
      setText(line.querySelector(".ic-advice"), one && problem.detail ? `${problem.advice} ${problem.detail}` : problem.advice);
    }
  }

  #makeProblem(key, group) {
    const line = make("li", { "data-key": key });
    const names = make("span", { class: "ic-names" });
    for (const { kind, item } of group.slice(0, NAMES)) {
      const link = make("a", { href: `#${encodeURIComponent(item.id)}`, class: "ic-link" },
        { leader: `Lease ${item.lease}`, shards: `Group ${item.group}` }[kind] ?? item.id);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.#reveal(kind, item.id);
      });
      names.append(link, " ");
    }
    if (group.length > NAMES) {
      names.append("…");
    }
    line.append(names, make("span", { class: "ic-what" }), " ", make("span", { class: "ic-advice" }));
    if (group[0].problem.rbac && this.#endpoint) {
      const cluster = group[0].item.cluster ? `?cluster=${encodeURIComponent(group[0].item.cluster)}` : "";
      line.append(" ", make("a", { href: `${this.#endpoint.pathname}/rbac${cluster}`, class: "ic-link" }, "All rules that are needed"));
    }
    return line;
  }

  #reveal(kind, id) {
    if (!this.#cards.get(`${kind} ${id}`)?.element.isConnected) {
      this.#filter.value = id;
      this.#onlyProblems.checked = false;
      this.#showAll();
    }
    const card = this.#cards.get(`${kind} ${id}`);
    card?.heading.scrollIntoView({ block: "center" });
    card?.heading.focus({ preventScroll: true });
  }

  #showSection(name, matching, total, away) {
    const section = this.#sections[name];
    const optional = ALONE.has(name) || name === "reconcilers";
    section.element.hidden = this.#hides(name) || (optional && total === 0) || (this.#isFiltered && matching.length === 0 && total > 0);
    setText(section.number, ALONE.has(name) ? "" : number(total));
    section.empty.hidden = total > 0;
    setText(section.empty, EMPTY[name] ?? "");
    const limit = this.#all.has(name) ? Infinity : SHOWN;
    const sorted = matching.toSorted((a, b) => b.level - a.level || (a.item.id < b.item.id ? -1 : 1));
    // What has the focus is kept.
    const shown = sorted.filter((entry, i) => i < limit
      || this.#cards.get(`${entry.kind} ${entry.item.id}`)?.element.contains(document.activeElement));
    section.more.hidden = sorted.length <= SHOWN;
    setText(section.more, this.#all.has(name) ? `Show the first ${SHOWN}` : `Show all ${number(sorted.length)} ${TITLES[name].toLowerCase()}`);
    const clusters = new Map();
    for (const entry of shown) {
      const cluster = entry.item.cluster ?? "";
      clusters.set(cluster, [...(clusters.get(cluster) ?? []), entry]);
    }
    const worst = (cluster) => Math.max(...clusters.get(cluster).map(({ level }) => level));
    const names = [...clusters.keys()].sort((a, b) => worst(b) - worst(a) || (b === "default") - (a === "default") || (a < b ? -1 : 1));
    names.forEach((cluster) => this.#showGroup(section, cluster, clusters.get(cluster), away));
    for (const [cluster, group] of section.byCluster) {
      if (!clusters.has(cluster)) {
        group.cards.forEach((card) => this.#forget(card));
        group.element.remove();
        section.byCluster.delete(cluster);
      }
    }
    const groups = names.map((cluster) => section.byCluster.get(cluster).element);
    if (!isUsed(section.groups) || groups.some((group) => !group.isConnected)) {
      arrange(section.groups, groups);
    }
  }

  #showGroup(section, cluster, entries, away) {
    if (!section.byCluster.has(cluster)) {
      const grid = make("div", { class: "ic-cards" });
      const element = make("div", { class: "ic-group" });
      if (cluster) {
        const title = make(`h${this.#level + 1}`, { class: "ic-cluster", id: newId() }, `Cluster ${cluster}`);
        element.setAttribute("role", "group");
        element.setAttribute("aria-labelledby", title.id);
        element.append(title);
      }
      element.append(grid);
      section.byCluster.set(cluster, { element, grid, cards: new Set() });
    }
    const group = section.byCluster.get(cluster);
    const cards = entries.map(({ kind, item, problems, level }) => {
      const key = `${kind} ${item.id}`;
      if (!this.#cards.has(key)) {
        const card = new Card(kind, item.id, this.#level + (cluster ? 2 : 1), (...action) => this.#asked(...action));
        this.#cards.set(key, card);
        this.#seen.observe(card.element);
      }
      const card = this.#cards.get(key);
      card.show(item, { problems, level, away, now: this.#now, history: this.#histories.get(key) ?? [], writable: this.#settings.writable && !away });
      return card;
    });
    for (const card of group.cards) {
      if (!cards.includes(card)) {
        this.#forget(card);
      }
    }
    group.cards = new Set(cards);
    if (!isUsed(group.element) || cards.some((card) => !card.element.isConnected)) {
      arrange(group.grid, cards.map((card) => card.element));
    }
  }

  #forget(card) {
    if (card.element.contains(document.activeElement)) {
      this.#filter.focus();
    }
    this.#seen.unobserve(card.element);
    card.element.remove();
    this.#cards.delete(`${card.kind} ${card.id}`);
  }

  // ---- actions

  #asked(card, action) {
    if (!CONFIRM[action]) {
      this.#act(card, action);
      return;
    }
    const { element, title, text, field, input, keys, go } = this.#dialog;
    const [verb, explained] = CONFIRM[action];
    setText(title, action === "YIELD" ? "Yield the leadership?" : `${verb} ${card.id}?`);
    setText(text, explained);
    setText(go, verb);
    field.hidden = action !== "TRIGGER";
    input.value = "";
    input.disabled = field.hidden;
    keys.replaceChildren(...(card.item.longestFailing ?? []).map((failing) => make("option", { value: failing.key })));
    this.#dialog.confirmed = (key) => this.#act(card, action, action === "TRIGGER" ? key : "");
    element.showModal();
  }

  async #act(card, action, key) {
    card.setBusy(true);
    this.#acted.set(card.id, Date.now());
    let ok = true;
    let message;
    try {
      await act(this.#endpoint, card.id, action, key);
      message = `${card.id} ${DONE[action]}${key ? ` for ${key}` : ""}`;
    } catch (failure) {
      ok = false;
      message = refusalOf(failure).message;
    } finally {
      card.setBusy(false);
    }
    card.showResult(ok, `${message}${ok ? `, ${clock(Date.now())}` : ""}`);
    this.#announce(ok ? `${message}.` : `${card.id}: ${message}`);
    this.dispatchEvent(new CustomEvent("informers-console-action", { bubbles: true, detail: { id: card.id, action, key, ok, message } }));
    await this.#reading; // it may have begun before the action
    await this.refresh();
  }

}

/** What is thrown by other code is shown too: the page must not stop and look as if all were well. */
function refusalOf(failure) {
  if (failure instanceof Refusal) {
    return failure;
  }
  console.error(failure);
  return new Refusal("error", `The console cannot show the response (${failure.message}).`);
}

/** The state of an informer since it is in it: the page need not have been open. */
function past({ state, since }, now, period) {
  return new Array(Math.max(0, Math.min(SAMPLES, Math.floor((now - Date.parse(since)) / period)))).fill(state);
}

/** Nothing moves under the pointer, nor away from the focus. */
function isUsed(element) {
  return element.matches(":hover, :focus-within");
}

/** Puts elements in order, and moves no more of them than must be. */
function arrange(parent, elements) {
  let place = parent.firstElementChild;
  for (const element of elements) {
    if (element === place) {
      place = place.nextElementSibling;
    } else {
      parent.insertBefore(element, place);
    }
  }
}

function clock(time) {
  return new Date(time).toLocaleTimeString("en-GB");
}

/** On a page that does not link the style sheet. */
function addStyle() {
  const address = new URL("console.css", import.meta.url).href;
  if (![...document.querySelectorAll("link[rel~=stylesheet]")].some((link) => link.href === address)) {
    document.head.append(make("link", { rel: "stylesheet", href: address }));
  }
}

customElements.define("informers-console", InformersConsole);
