// Placeholders for content that is being read.
import { html, type TemplateResult } from "lit";

/** A grey bar of a line's height, `width` characters wide. */
export const skeleton = (width: "short" | "medium" = "medium"): TemplateResult =>
  html`<span class="skeleton ${width}" aria-hidden="true"></span>`;

/** An empty table as high as the window, which keeps the content below it out of view. */
export const rowsSkeleton: TemplateResult = html`<div class="skeleton rows" aria-hidden="true"></div>`;
