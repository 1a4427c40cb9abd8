// The controls, values and states of the page.
import { AddressClient, type Fetch } from "address-query";
import { html } from "lit";
import { until } from "lit/directives/until.js";
import { Download, RotateCw } from "lucide";
import { failedPart } from "../address/fact.js";
import { errorBox } from "../components/error-box.js";
import { icon } from "../components/icon.js";
import "../components/menu.js";
import { rowsSkeleton, skeleton } from "../components/skeleton.js";
import { filterChips } from "../lists/filter-chips.js";
import { directionFilter, tokenTypeFilter } from "../lists/filters.js";
import * as cells from "../table/cells.js";
import type { Section } from "./foundations.js";

const nothingHappens = () => {};
const FILTERS = [tokenTypeFilter(["ERC-20", "ERC-721", "ERC-1155"]), directionFilter];

const choice = (label: string, options: readonly string[]) =>
  html`<fieldset class="segments" aria-label=${label}>${options.map(
    (option, index) => html`<label><input type="radio" name=${label} .checked=${index === 0} />${option}</label>`,
  )}</fieldset>`;

export const controls: Section = {
  id: "controls",
  title: "Controls",
  render: () => html`
    <div class="line wrap">
      <button type="button">Button</button>
      <button type="button" class="primary">Primary</button>
      <button type="button">${icon(Download)}With icon</button>
      <button type="button" class="icon-button" aria-label="Refresh">${icon(RotateCw)}</button>
      <button type="button" disabled>Disabled</button>
      <button type="button" class="link">Link</button>
      <input type="text" aria-label="Input" placeholder="Input" />
      <input type="text" aria-label="Invalid input" aria-invalid="true" value="0x12" />
    </div>
    <div class="line wrap">${filterChips(FILTERS, {}, nothingHappens, null)} ${filterChips(FILTERS, { type: "ERC-20,ERC-721", filter: "from" }, nothingHappens, null)}</div>
    <div class="line wrap">${choice("Theme", ["System", "Light", "Dark"])}</div>
    <div class="options"><button type="button" aria-pressed="true">Chosen option</button><button type="button">Other option</button></div>`,
};

const TONES = ["plain", "accent", "good", "out", "warn", "bad"] as const;

export const values: Section = {
  id: "values",
  title: "Values",
  render: ({ cells: context }) => html`
    <div class="line wrap">${TONES.map((tone) => cells.badge(tone, tone))} ${cells.badge("A label that is longer than its place allows it to be")}</div>
    <div class="line wrap">
      ${cells.coins("1234567890000000000", context)} ${cells.coins("-1", context, true)} ${cells.coins("5000000000000000000", context, true)}
      ${cells.amount("12", "300", "BAD")} ${cells.coins(null, context)} ${cells.integer(60_000)} ${cells.none()}
    </div>
    <div class="line wrap">
      ${cells.addressLink("0x1111111111111111111111111111111111111111", context)} ${cells.transaction(`0x${"ab".repeat(32)}`, context)} ${cells.block(18_000_000, context)}
      ${cells.tokenId("340282366920938463463374607431768211455")} ${cells.text("Hostile\u202etxt <b>name</b>")}
    </div>`,
};

/** The error of a call whose request fails. */
const fail = (fetch: Fetch): Promise<unknown> =>
  new AddressClient({ baseUrl: "https://sample.invalid", fetch, maxAttempts: 1 })
    .addresses()
    .then(nothingHappens, (error: unknown) => error);

const ERRORS = [
  () => fail(() => Promise.reject(new TypeError("connection refused"))),
  () => fail(async () => new Response("{}", { status: 403 })),
];

export const states: Section = {
  id: "states",
  title: "States",
  render: () => html`
    <div class="line wrap">${skeleton()} ${skeleton("short")} ${failedPart("Balance", new Error("It failed."), nothingHappens)}</div>
    <p class="empty">Logs: no records found.</p>
    <div class="empty"><h2>Cancelled</h2><button type="button">Retry</button></div>
    ${ERRORS.map((read) =>
      until(
        read().then((error) => errorBox(error, nothingHappens)),
        rowsSkeleton,
      ),
    )} ${errorBox(new Error("An error without a code"))}
    <div class="skeleton-sample">${rowsSkeleton}</div>`,
};
