// Whether the application responds.

import { byId, clock, setText } from "./dom.js";
import { on } from "./feed.js";

function show(state, text) {
  byId("connection").dataset.state = state;
  setText(byId("connection"), text);
}

export function showConnection() {
  const gone = byId("gone");
  on("open", () => show("LIVE", "connected"));
  on("state", () => {
    show("LIVE", "connected");
    gone.hidden = true;
  });
  on("lost", (stateAt) => {
    show("STALE", "reconnecting");
    if (stateAt) {
      setText(gone, `The application does not respond. What you see is what it was at ${clock(stateAt)}.`);
      gone.hidden = false;
    }
  });
}
