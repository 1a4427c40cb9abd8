// How an event of the network is shown.
import type { ClientEvent, Drift } from "address-query";
import { html, type TemplateResult } from "lit";
import { lazy } from "../format/lazy.js";
import { cleanText } from "../format/text.js";
import type { NetworkEntry } from "../service/network-log.js";
import { badge, type Tone } from "../table/cells.js";

const LABELS: Readonly<Record<NetworkEntry["event"]["kind"], readonly [label: string, tone: Tone]>> = {
  request: ["request", "plain"],
  response: ["response", "good"],
  wait: ["wait", "warn"],
  retry: ["retry", "bad"],
  credits: ["credits", "plain"],
  drift: ["drift", "warn"],
};

const timeFormat = lazy(
  () =>
    new Intl.DateTimeFormat(undefined, {
      hourCycle: "h23",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      fractionalSecondDigits: 3,
    }),
);

const formatMs = (ms: number | undefined): string => (ms === undefined ? "" : `${Math.round(ms)} ms`);

/** The path and the query: the instance is the same for all. */
function shortenUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname.replace(/^.*\/api\/v2/, "") + decodeURIComponent(search);
}

const describeDrift = ({ kind, record, field, found }: Drift): string =>
  `${record}.${field}: ${kind.replaceAll("_", " ")}, found ${found}`;

function describeResult({ kind, status, code, ms, credits }: ClientEvent): string {
  if (kind === "retry") return `${code ?? "failed"}, again in ${formatMs(ms)}`;
  if (kind === "credits") return `${credits} left`;
  return status === undefined ? "" : `HTTP ${status}`;
}

export function eventRow({ time, event }: NetworkEntry): TemplateResult {
  const [label, tone] = LABELS[event.kind];
  const subject = event.kind === "drift" ? describeDrift(event.drift) : shortenUrl(event.url);
  const title = event.kind === "drift" ? subject : event.url;
  const [attempt, ms, result] =
    event.kind === "drift"
      ? ["", "", ""]
      : [
          event.attempt > 1 ? `attempt ${event.attempt}` : "",
          event.kind === "retry" ? "" : formatMs(event.ms),
          describeResult(event),
        ];
  return html`<tr data-kind=${event.kind}>
    <td class="number">${timeFormat().format(time)}</td>
    <td>${badge(label, tone)}</td>
    <td class="mono subject"><bdi title=${cleanText(title, 600)}>${cleanText(subject, 200)}</bdi></td>
    <td class="number end">${ms}</td>
    <td>${cleanText([result, attempt].filter(Boolean).join(", "), 120)}</td>
  </tr>`;
}
