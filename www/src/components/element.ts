// The base class of all elements of the page.
import { LitElement } from "lit";
import { nextTask } from "../scheduling/next-task.js";

/**
 * An element that renders into the document, not into a shadow root: one set of style sheets applies to the whole page, and
 * labels and descriptions can refer to any element by its id.
 */
export class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** A large part of the page, which first renders in a separate task. All parts in one task would delay input. */
export class PagePart extends PageElement {
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask();
    await super.scheduleUpdate();
  }
}
