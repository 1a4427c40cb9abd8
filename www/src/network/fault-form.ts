// Adds faults to the sample service, to show how the client handles them.
import type { FaultKind } from "address-query/testing";
import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { faults, setFaults } from "../service/sample.js";

/** With more, the client soon stops retrying, to spare a service that is down. */
const MAX_PERCENT = 60;

const KINDS: readonly FaultKind[] = [
  "latency",
  "no_response",
  "stalled_body",
  "network_error",
  "rate_limited_reset",
  "rate_limited_retry_after",
  "rate_limited_retry_date",
  "rate_limited_no_reset",
  "rate_limited_no_headers",
  "internal_server_error",
  "bad_gateway",
  "service_unavailable",
  "gateway_timeout",
  "html_challenge_page",
  "html_forbidden_page",
  "truncated_body",
  "connection_reset_in_body",
  "null_body",
  "duplicate_cursor_keys",
  "repeated_cursor",
  "schema_drift",
  "wrong_type",
  "new_blocks",
];

@customElement("aq-fault-form")
export class FaultForm extends PageElement {
  protected override render(): TemplateResult {
    const { rate, kinds } = faults;
    const percent = Math.round(rate * 100);
    const setRate = ({ target }: Event) => this.set(Number((target as HTMLInputElement).value) / 100, kinds);
    const toggle = (kind: FaultKind, isChosen: boolean) =>
      this.set(
        rate,
        KINDS.filter((item) => (item === kind ? isChosen : kinds.includes(item))),
      );
    return html`<fieldset class="faults">
      <legend>Faults of the sample data</legend>
      <label class="fault-rate">Share of the requests
        <input type="range" min="0" max=${MAX_PERCENT} step="5" .value=${String(percent)} @input=${setRate} />
        <output>${percent} %</output></label>
      <details>
        <summary>Kinds: ${kinds.length === 0 ? "all that a client can recover from" : `${kinds.length} chosen`}</summary>
        <div class="chips">${KINDS.map(
          (kind) => html`<label class="chip"><input type="checkbox" .checked=${kinds.includes(kind)}
            @change=${(event: Event) => toggle(kind, (event.target as HTMLInputElement).checked)} />${kind.replaceAll("_", " ")}</label>`,
        )}</div>
      </details>
    </fieldset>`;
  }

  private set(rate: number, kinds: readonly FaultKind[]): void {
    setFaults({ rate, kinds });
    this.requestUpdate();
  }
}
