// A button that opens a panel. The browser closes it on Escape and on a click elsewhere, and returns the focus.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "./element.js";
import { placeBeside } from "./place.js";
import "./menu.css";

let lastId = 0;

@customElement("aq-menu")
export class Menu extends PageElement {
  /** Name of the button, for users of screen readers, and of the panel. */
  @property() label = "";
  /** Class of the button. */
  @property() look = "";
  /** What the button shows. */
  @property({ attribute: false }) face: unknown = nothing;
  /** Renders the panel, while it is open. */
  @property({ attribute: false }) content: () => unknown = () => nothing;
  /** Key of a shortcut that opens the menu. */
  @property() key = "";
  @state() private isOpen = false;
  private readonly panelId = `menu-${++lastId}`;
  /** The content may be loaded after the panel has opened. */
  private readonly size = new ResizeObserver(() => this.place());
  private readonly place = () => {
    const [button, panel] = [this.querySelector("button"), this.querySelector<HTMLElement>("[popover]")];
    if (button && panel) placeBeside(panel, button);
  };

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.follow(false);
  }

  close(): void {
    this.querySelector<HTMLElement>("[popover]")?.hidePopover();
  }

  protected override render(): TemplateResult {
    return html`<button type="button" class="menu-button ${this.look}" popovertarget=${this.panelId} aria-haspopup="dialog"
        aria-expanded=${this.isOpen ? "true" : "false"} aria-label=${this.label} data-key=${this.key || nothing}>${this.face}</button>
      <div id=${this.panelId} class="menu-panel" popover role="group" aria-label=${this.label}
        @beforetoggle=${this.onToggle} @toggle=${this.onToggled}>${this.isOpen ? this.content() : nothing}</div>`;
  }

  private onToggle({ newState, target }: ToggleEvent): void {
    const isOpen = newState === "open";
    if (isOpen) this.isOpen = true;
    this.follow(isOpen, target as Element);
  }

  /** The content of a closed panel stays until the browser has returned the focus from it. */
  private onToggled({ newState }: ToggleEvent): void {
    this.isOpen = newState === "open";
    if (this.isOpen) this.place();
  }

  /** Keeps the panel beside its button. */
  private follow(isOpen: boolean, panel?: Element): void {
    this.size.disconnect();
    removeEventListener("scroll", this.place);
    if (!isOpen) return;
    addEventListener("scroll", this.place, { passive: true });
    if (panel) this.size.observe(panel);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "aq-menu": Menu;
  }
}
