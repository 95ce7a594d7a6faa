// <informers-console endpoint="actuator/informers">
class InformersConsole extends HTMLElement {

  connectedCallback() {
    this.textContent = "connecting";
  }

}

customElements.define("informers-console", InformersConsole);
