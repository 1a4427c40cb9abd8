// The foundations of the design: colours, type, icons and marks.
import { html } from "lit";
import { Activity, ChevronDown, Download, RotateCw, Search, Settings, X } from "lucide";
import { identicon } from "../address/identicon.js";
import { chainIcon } from "../components/chain-icon.js";
import { mark } from "../components/mark.js";
import { icon } from "../components/icon.js";
import type { TabContext } from "../table/context.js";

export interface Section {
  id: string;
  title: string;
  render: (context: TabContext) => unknown;
}

/** Swatches of the classes in component-gallery.css: the page allows no style attributes. */
const COLORS = ["surface", "page", "inset", "line", "line-strong", "muted", "text", "accent-soft", "accent", "accent-strong"];
const MEANINGS = ["good-soft", "good", "out-soft", "out", "warn-soft", "warn", "bad-soft", "bad", "highlight"];

export const colors: Section = {
  id: "colors",
  title: "Colours",
  render: () =>
    [COLORS, MEANINGS].map(
      (names) =>
        html`<div class="swatches">${names.map((name) => html`<span><i class="swatch ${name}"></i>${name}</span>`)}</div>`,
    ),
};

export const typeScale: Section = {
  id: "type",
  title: "Type",
  render: () => html`
    <p class="type-figure number">$3,309,758.33</p>
    <p class="type-heading">hub.sample.eth</p>
    <p>Text of 14 pixels, with <strong>rank by weight</strong> and <span class="none">by colour</span>. 0123456789</p>
    <p class="type-small">Labels of 12.5 pixels: token transfers, 22 days ago</p>
    <p class="mono">0xb73Fc943f7f0836328cce02C7141e861DF8038eF</p>`,
};

export const icons: Section = {
  id: "icons",
  title: "Icons",
  render: () =>
    html`<div class="line wrap">${Object.entries({ Activity, ChevronDown, Download, RotateCw, Search, Settings, X }).map(
      ([name, node]) => html`<span class="icon-sample">${icon(node)} ${name}</span>`,
    )}</div>`,
};

const ADDRESSES = [
  "0xb73Fc943f7f0836328cce02C7141e861DF8038eF",
  "0x1111111111111111111111111111111111111111",
  `0x${"a7c3".repeat(10)}`,
];
const CHAINS = [1, 10, 100, 137, 8453, 42161];

export const marks: Section = {
  id: "marks",
  title: "Marks",
  render: () => html`<div class="line wrap">${mark} ${ADDRESSES.map(identicon)}
    ${CHAINS.map((chainId) => chainIcon({ chainId, label: "" }))}</div>`,
};
