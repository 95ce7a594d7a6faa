// The picture in words, for those who do not see it. It is not announced by itself.

import { byId, clock, count, setText } from "./dom.js";
import { on } from "./feed.js";

const PERIOD = 2000; // milliseconds: a text that changes all the time cannot be read

export function showWords() {
  let state = null;
  let lost = false;
  on("state", (now) => {
    lost = false;
    if (!state) {
      tell(now, lost);
    }
    state = now;
  });
  on("lost", () => lost = true);
  setInterval(() => state && tell(state, lost), PERIOD);
}

function tell(state, lost) {
  const list = byId("words");
  const sentences = state.informers.map((informer) => words(informer, state, lost));
  while (list.childElementCount > sentences.length) {
    list.lastElementChild.remove();
  }
  sentences.forEach((sentence, i) => setText(list.children[i] ?? list.appendChild(document.createElement("li")), sentence));
}

function words({ id, state, cacheSize, resourceVersion, lists, lastList, received }, { handlers, reconcilers }, lost) {
  const last = lastList.reason ? `, the last of ${count(lastList.objects, "object")} at ${clock(lastList.at)}` : "";
  const ends = [
    ...handlers.filter((handler) => handler.informer === id)
      .map((handler) => `${handler.id} (${handler.queueSize} wait, ${handler.processed} handled, ${handler.failed} failed)`),
    ...reconcilers.filter((reconciler) => reconciler.informers.includes(id))
      .map((reconciler) => `${reconciler.id} (${reconciler.queueSize} ready, ${count(reconciler.runs, "run")})`),
  ];
  const is = lost ? "unknown" : state.toLowerCase().replace("_", " ");
  return `${id} is ${is}: ${count(cacheSize, "object")} in the cache, at version ${resourceVersion || "–"}. Read by `
    + `${count(lists, "list")}${last}. ${count(received.events, "event")} and ${count(received.bookmarks, "bookmark")} came `
    + `by watches. They go to ${ends.join(" and ") || "no handler"}.`;
}
