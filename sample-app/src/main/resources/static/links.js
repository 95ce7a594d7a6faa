// Links to what the actuator really exposes.

export async function showLinks() {
  const { _links: links } = await (await fetch("actuator")).json();
  for (const link of document.querySelectorAll("[data-endpoint]")) {
    link.hidden = !links[link.dataset.endpoint];
  }
}
