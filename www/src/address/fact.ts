// One fact of the header: its name and its value. Each value is read independently.
import { isAddressQueryError } from "address-query";
import { html, type TemplateResult } from "lit";
import type { Reading } from "../components/reading.js";
import { skeleton } from "../components/skeleton.js";
import { cleanText } from "../format/text.js";

/** A failed part in one line, so that the header keeps its height. The message is the tooltip. */
export function failedPart(part: string, error: unknown, retry: () => void): TemplateResult {
  const code = isAddressQueryError(error) ? error.code : "error";
  const message = error instanceof Error ? error.message : String(error);
  return html`<span class="failed-part" role="alert" title=${cleanText(message)}>
    <span class="error-code">${code}</span>
    <button type="button" class="link" aria-label="Retry: ${part}" @click=${retry}>Retry</button></span>`;
}

/** Shows a part of `reading`, a placeholder of the same height, or the error. */
export function fact<Args extends readonly unknown[], Value>(
  name: string,
  reading: Reading<Args, Value>,
  render: (value: Value) => unknown,
): TemplateResult {
  const placeholder = () => skeleton("short");
  return html`<div class="fact">
    <dt>${name}</dt>
    <dd>${reading.render({
      initial: placeholder,
      pending: placeholder,
      complete: render,
      error: (error) => failedPart(name, error, () => void reading.run()),
    })}</dd>
  </div>`;
}
