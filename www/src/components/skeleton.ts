// Placeholder for content that is being read.
import { html, type TemplateResult } from "lit";

/** A grey bar of a line's height, `width` characters wide. */
export const skeleton = (width: "short" | "medium" | "long" = "medium"): TemplateResult =>
  html`<span class="skeleton ${width}" aria-hidden="true"></span>`;
