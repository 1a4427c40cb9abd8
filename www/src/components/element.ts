// The base class of all elements of the page.
import { LitElement } from "lit";

/**
 * An element that renders into the document, not into a shadow root: one set of style sheets applies to the whole page, and
 * labels and descriptions can refer to any element by its id.
 */
export class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
