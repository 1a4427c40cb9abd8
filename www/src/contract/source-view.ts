// The files of a contract's source code, with highlighting. All of it is untrusted: it is shown as text, with hidden characters marked.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { formatCount } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { copyButton } from "../table/cells.js";
import { type Part, toLines } from "./syntax.js";

export interface SourceFile {
  path: string;
  code: string;
}

/** Lines that are shown at once: each is an element, and source code can be megabytes long. */
const LINES = 400;
const MAX_LINE = 2000;
/** Longer files are not highlighted. */
const MAX_HIGHLIGHTED = 500_000;

const toPlainLines = (code: string): Part[][] => code.split(/\r?\n/).map((text) => [{ meaning: "plain", text }]);

@customElement("aq-source-view")
export class SourceView extends PageElement {
  @property({ attribute: false }) sources: readonly SourceFile[] = [];
  @state() private chosen = 0;
  @state() private limit = LINES;
  private lines: readonly Part[][] = [];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("sources")) this.chosen = 0;
    if (!changed.has("sources") && !changed.has("chosen")) return;
    const code = this.sources[this.chosen]?.code ?? "";
    this.limit = LINES;
    this.lines = code.length > MAX_HIGHLIGHTED ? toPlainLines(code) : toLines(code);
  }

  protected override render(): TemplateResult {
    const { sources, chosen, lines, limit } = this;
    const hidden = lines.length - limit;
    const option = ({ path }: SourceFile, index: number) =>
      html`<option value=${index} .selected=${index === chosen}>${cleanText(path, 120)}</option>`;
    return html`<div class="source-line">
        ${
          sources.length > 1
            ? html`<select aria-label="File" @change=${({ target }: Event) => (this.chosen = (target as HTMLSelectElement).selectedIndex)}>${sources.map(option)}</select>`
            : html`<bdi class="mono">${cleanText(sources[0]?.path ?? "", 120)}</bdi>`
        }
        <span class="none">${formatCount(lines.length, "line")}</span>${copyButton(sources[chosen]?.code ?? "", "source code")}</div>
      <pre class="code mono" tabindex="0" aria-label="Source code"><code>${lines.slice(0, limit).map(line)}</code></pre>
      ${hidden > 0 ? html`<p class="more"><button type="button" @click=${() => (this.limit += LINES)}>Show ${formatCount(Math.min(hidden, LINES), "more line")}</button></p>` : nothing}`;
  }
}

/** Replaces tabs, which would be marked as control characters. */
const toText = (text: string): string => cleanText(text.replaceAll("\t", "    "), MAX_LINE);

const line = (parts: Part[]): TemplateResult =>
  html`<span class="code-line">${parts.map(({ meaning, text }) => (meaning === "plain" ? toText(text) : html`<i class=${meaning}>${toText(text)}</i>`))}\n</span>`;
