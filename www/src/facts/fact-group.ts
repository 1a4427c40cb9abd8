// Facts with a common title, in a card.
import { html, type TemplateResult } from "lit";
import { definitions } from "../table/cells.js";
import "../table/record-table.css";
import "./facts.css";

export interface FactGroup {
  title: string;
  /** Their names and values. */
  facts: readonly (readonly [name: string, value: unknown])[];
  /** Whether the values are long. */
  isWide?: boolean;
}

export const factGroup = ({ title, facts, isWide }: FactGroup): TemplateResult =>
  html`<section class="card ${isWide ? "wide" : ""}" aria-label=${title}><h2>${title}</h2>${definitions(facts)}</section>`;
