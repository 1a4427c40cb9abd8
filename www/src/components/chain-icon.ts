// The icon of a service: a disc in a colour of its chain.
import { html, type TemplateResult } from "lit";
import type { Service } from "../service/service.js";

/** Gives each chain a fixed hue, far from the hues of its neighbours. */
const GOLDEN_ANGLE = 137.5;

export const chainIcon = ({ chainId, label }: Pick<Service, "chainId" | "label">): TemplateResult =>
  html`<svg class="chain-icon" viewBox="0 0 16 16" aria-hidden="true" fill="hsl(${Math.round((chainId ?? label.length) * GOLDEN_ANGLE + 90) % 360} 55% 50%)">
    <circle cx="8" cy="8" r="8" /><path fill="#fff" d="M8 3.2 11.2 8 8 12.8 4.8 8Z" /></svg>`;
