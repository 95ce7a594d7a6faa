// The page around <informers-console>: its title.

import "./console.js";

const element = document.querySelector("informers-console");
let name = "Informers console";

element.addEventListener("informers-console-settings", ({ detail }) => {
  if (detail.application) {
    name = `Informers of ${detail.application}`;
    document.getElementById("application").textContent = `Caches, handlers and reconcilers of ${detail.application}`;
  }
  document.title = name;
});
element.addEventListener("informers-console-state", () => {
  document.title = element.problemCount > 0 ? `(${element.problemCount}) ${name}` : name;
});
element.addEventListener("informers-console-away", () => document.title = `(away) ${name}`);
