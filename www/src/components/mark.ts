// The mark of the package: an A whose bar is a query.
import { html, type TemplateResult } from "lit";

/** The icon in `index.html` is the same. */
export const mark: TemplateResult = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="9" />
  <path d="M8.5 22.5 13.6 10q2.4-5.5 4.8 0l5.1 12.5M11.4 17.6h6.2M21.4 17.6h.1" />
</svg>`;
