// What a state means, and what to do about it. Nothing here touches the page.

export const BAD = 3;
export const WARN = 2;
export const INFO = 1;
export const GOOD = 0;

const LEVELS = {
  FORBIDDEN: BAD, NOT_FOUND: BAD, REFUSED: BAD,
  STALE: WARN, PAUSED: WARN, DRAINING: WARN, LEAVING: WARN,
  NEW: INFO, SYNCING: INFO, JOINING: INFO, WAITING: INFO, STOPPED: INFO
};

const LONG_STATE = 60; // seconds in which a cache should be filled
const LONG_EVENT = 10; // seconds of one event
const LONG_WAIT = 60; // seconds of a key that is ready
const LONG_UNHELD = 30; // seconds of a slot without a holder
const RECENT = 600; // seconds for which events that were given up are news

/** What a card shows as its state. */
export function stateOf(kind, item) {
  if (kind !== "handler" || item.state !== "RUNNING") {
    return item.state;
  }
  if (item.standby) {
    return "STANDBY";
  }
  return item.awaiting.length > 0 ? "WAITING" : item.synced ? "RUNNING" : "SYNCING";
}

export function levelOf(kind, item, problems) {
  return Math.max(LEVELS[stateOf(kind, item)] ?? GOOD, ...problems.map((problem) => problem.level));
}

/**
 * What is wrong, each as { level, code, text, advice, all, detail, rbac }: `all` is the text if many have the same, `detail` is
 * about one only; `now` is the server's time in milliseconds.
 */
export function problemsOf(kind, item, now) {
  const seconds = (time) => (time ? Math.max(0, (now - Date.parse(time)) / 1000) : 0);
  return { informer, handler, reconciler, leader, shards }[kind](item, seconds);
}

function problem(level, code, text, advice, more) {
  return { level, code, text, advice, ...more };
}

function missing(rules) {
  return rules.length > 0 ? `Grant ${rules.join(" and ")}` : "Grant it to the service account";
}

function informer(item, seconds) {
  const found = [];
  const why = item.lastError ? `Last: ${item.lastError.verb}, ${item.lastError.message ?? item.lastError.reason}.` : "";
  if (item.state === "FORBIDDEN") {
    found.push(problem(BAD, "forbidden", "The API server denies access.", `${missing(item.requiredRbac)}.`, { rbac: true }));
  } else if (item.state === "NOT_FOUND") {
    found.push(problem(BAD, "not-found", `The API server does not know ${item.spec.resource} of ${item.spec.apiVersion}.`,
      "Install its CustomResourceDefinition, or correct group, version and plural.", { all: "The API server does not know the resource.", detail: item.lastError?.advice ?? "" }));
  } else if (item.state === "STALE") {
    found.push(problem(WARN, "stale", "No watch is open: the cache may be old.",
      "It continues by itself when the API server responds.", { detail: why }));
  } else if (item.state === "SYNCING" && seconds(item.since) > LONG_STATE) {
    found.push(problem(WARN, "syncing", `The cache has not been filled for ${duration(seconds(item.since))}.`,
      "Check whether the API server responds to the list.", { all: "The cache is not filled yet.", detail: why }));
  }
  if (item.quarantined > 0) {
    found.push(problem(WARN, "quarantined", `${count(item.quarantined, "object")} cannot be read.`,
      "The log names them and the field; the class may not fit the resource.", { all: "Objects cannot be read." }));
  }
  return found;
}

function handler(item, seconds) {
  const found = [];
  const last = item.lastError ? `Last: ${simple(item.lastError.exception)} for ${item.lastError.object}.` : "";
  stopped(found, item, "Start it to deliver events again.");
  if (item.state === "PAUSED") {
    found.push(problem(WARN, "paused", `Paused; ${count(item.queueSize, "event")} ${item.queueSize === 1 ? "waits" : "wait"}.`,
      "Resume it to deliver them.", { all: "Paused; events wait." }));
  }
  if (item.waitingForRetry > 0) {
    found.push(problem(WARN, "retry", `${count(item.waitingForRetry, "event")} failed and will be tried again.`,
      "The log has the exception.", { all: "Events failed and will be tried again.", detail: last }));
  }
  if (item.exhausted > 0 && seconds(item.lastError?.at) < RECENT) {
    found.push(problem(WARN, "exhausted", `${count(item.exhausted, "event")} given up after all attempts.`,
      "Mend the cause, then resync: every cached object is delivered again.",
      { all: "Events were given up after all attempts.", detail: last }));
  }
  if (item.state === "RUNNING" && item.queueSize >= item.queueCapacity) {
    found.push(problem(WARN, "full", "The queue is full: events of the same object are merged.",
      "Make the handler faster, or raise its concurrency."));
  }
  if (item.handling && seconds(item.handling.since) > LONG_EVENT) {
    found.push(problem(WARN, "busy", `Busy with ${item.handling.object} for ${duration(seconds(item.handling.since))}.`,
      "Look at what the handler waits for.", { all: "Busy with one event for long." }));
  }
  return found;
}

function reconciler(item) {
  const found = [];
  if (item.requiredRbac.length > 0) {
    found.push(problem(BAD, "forbidden", "The API server denies access.", `${missing(item.requiredRbac)}.`, { rbac: true }));
  }
  stopped(found, item, "Start it to run for changes again.");
  if (item.state === "PAUSED") {
    found.push(problem(WARN, "paused", "Paused; keys are queued and none is taken.", "Resume it to take them."));
  }
  if (item.failingKeys > 0) {
    found.push(problem(WARN, "failing", `${count(item.failingKeys, "key")} ${item.failingKeys === 1 ? "fails" : "fail"}.`,
      "The log has the exceptions. Each key is tried again by itself; trigger it to try at once.", { all: "Keys fail." }));
  }
  if (item.loops > 0) {
    found.push(problem(WARN, "loops", `${count(item.loops, "key")} run only because of their own writes.`,
      "Write only what differs, and no times or counters.", { all: "Keys run only because of their own writes." }));
  }
  if (item.queue.slowed > 0) {
    found.push(problem(WARN, "slowed", `${count(item.queue.slowed, "key")} slowed down: writes of this application cause the runs.`,
      "The log names the keys. Let only one writer decide each field.", { all: "Keys are slowed down because of own writes." }));
  }
  if (age(item.queue.oldestReadyAge) > LONG_WAIT) {
    found.push(problem(WARN, "late", `A key has waited ${duration(age(item.queue.oldestReadyAge))} for a worker.`,
      "Make the runs shorter, or raise the concurrency.", { all: "Keys wait long for a worker." }));
  }
  return found;
}

function stopped(found, item, advice) {
  if (item.state === "STOPPED" && item.autoStartup) {
    found.push(problem(WARN, "stopped", "Stopped.", advice));
  }
}

function leader(item) {
  const found = [];
  if (item.requiredRbac.length > 0) {
    found.push(problem(BAD, "forbidden", "The API server denies access to the Lease.", `${missing(item.requiredRbac)}.`,
      { rbac: true }));
  } else if (item.lastError) {
    found.push(problem(WARN, "error", `The request for the Lease failed: ${item.lastError.verb}, ${simple(item.lastError.reason)}.`,
      item.lastError.httpStatus === 404 ? "Check whether its namespace exists." : "It is tried again by itself; check whether the API server responds."));
  }
  return found;
}

function shards(item, seconds) {
  const found = [];
  if (item.state === "REFUSED") {
    found.push(problem(BAD, "refused", `Other replicas have another number of slots or another key (Lease ${item.refusedBy ?? "unknown"}).`,
      "Set kubernetes.informers.shard.slots and key to their values, or stop all replicas before you change them."));
  }
  if (item.requiredRbac.length > 0) {
    found.push(problem(BAD, "forbidden", "The API server denies access to the Leases.", `${missing(item.requiredRbac)}.`,
      { rbac: true }));
  } else if (item.lastError) {
    found.push(problem(WARN, "error", `The request for the Leases failed: ${item.lastError.verb}, ${simple(item.lastError.reason)}.`,
      item.lastError.httpStatus === 404 ? "Check whether their namespace exists." : "It is tried again by itself; check whether the API server responds."));
  }
  // Otherwise this replica does not see who holds the slots.
  const unheld = (item.state === "ACTIVE" ? item.unheld : []).filter(({ since }) => seconds(since) > LONG_UNHELD);
  if (unheld.length > 0) {
    found.push(problem(BAD, "unheld", `Slots ${unheld.map(({ slots }) => slots).join(",")} have no holder: nobody handles their objects.`,
      "Check whether replicas are running and reach the API server."));
  }
  return found;
}

/** The seconds of such as "12s". */
export function age(text) {
  return text ? Number.parseInt(text, 10) : 0;
}

export function duration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return whole < 120 ? `${whole} s` : whole < 7200 ? `${Math.floor(whole / 60)} min`
    : whole < 172800 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 86400)} d`;
}

export function number(value) {
  return value.toLocaleString("en");
}

export function count(value, noun) {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** The name of a class without its package. */
export function simple(name) {
  return name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf("$")) + 1);
}
