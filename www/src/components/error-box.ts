// Shows an error: what failed, what to do, and a button that tries again.
import type { AddressQueryError, ErrorCode } from "address-query";
import { isAddressQueryError } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { formatCount } from "../format/number.js";
import { cleanText } from "../format/text.js";

/** Advice for the user. For the other codes, the message is enough. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  network: "Check the connection and the URL of the instance. The instance must allow requests from other origins (CORS).",
  timeout: "The instance is slow or overloaded. Try again later.",
  rate_limited: "The instance limits requests. Wait a little, or use an API key.",
  unsupported_chain: "Choose another chain.",
  unsupported_version: "The instance is too old for this list. Choose another instance.",
  decode: "The response is not as documented. Please report it with the path above.",
  cursor: "The instance cannot continue this list. Read it from the beginning.",
  load: "Reload the page.",
};

/** What to do after a response with an error status. */
const describeStatus = (status: number): string | null => {
  if (status === 403) return "The instance refused the request. Check the API key, or choose another instance.";
  return status >= 500 ? "The instance may be down. Try again later." : null;
};

const toAdvice = ({ code, status }: AddressQueryError): string | null =>
  (code === "http_status" && status ? describeStatus(status) : ADVICE[code]) ?? null;

const describe = (error: AddressQueryError): string[] =>
  [
    error.path && `at ${error.path}`,
    error.parameter && `parameter ${error.parameter}`,
    error.status && `HTTP ${error.status}`,
    error.attempts && formatCount(error.attempts, "attempt"),
  ].filter((detail): detail is string => Boolean(detail));

export function errorBox(error: unknown, retry?: () => void): TemplateResult {
  const known = isAddressQueryError(error) ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  const details = known ? describe(known) : [];
  const advice = known && toAdvice(known);
  return html`<div class="error-box" role="alert">
    <p><strong class="error-code">${known?.code ?? "error"}</strong> <bdi>${cleanText(message, 400)}</bdi></p>
    ${details.length > 0 ? html`<p class="error-details"><bdi>${cleanText(details.join(", "), 300)}</bdi></p>` : nothing}
    ${advice ? html`<p class="error-advice">${advice}</p>` : nothing}
    ${retry ? html`<p><button type="button" @click=${retry}>Retry</button></p>` : nothing}
  </div>`;
}
