// The menu that exports the records of a tab: the formats, then the progress, then the file.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Estimate } from "address-query/estimate";
import { customElement, property, state } from "lit/decorators.js";
import { Download } from "lucide";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { icon } from "../components/icon.js";
import "../components/menu.js";
import { nextTask } from "../scheduling/next-task.js";
import { formatBytes } from "../format/bytes.js";
import { lazy } from "../format/lazy.js";
import { formatCount, formatInteger } from "../format/number.js";
import { describeEstimate, estimateExport } from "./estimate.js";
import { discardJob, type ExportJob, findJob, NDJSON, startJob } from "./job.js";
import type { ExportShortcuts, ExportSource } from "./source.js";
import "../components/stats.css";
import "./export.css";

const unitFormat = (unit: string) =>
  lazy(() => new Intl.NumberFormat(undefined, { style: "unit", unit, maximumFractionDigits: 1 }));
const [secondFormat, minuteFormat] = ["second", "minute"].map(unitFormat);

const formatDuration = (ms: number) =>
  ms < 90_000 ? secondFormat?.().format(Math.max(1, Math.round(ms / 1000))) : minuteFormat?.().format(ms / 60_000);
const percentFormat = lazy(() => new Intl.NumberFormat(undefined, { style: "percent" }));

// biome-ignore lint/suspicious/noExplicitAny: sources of all kinds of rows
type AnySource = ExportSource<any>;

/** How long a click permits a file dialog. Without a recent click, browsers show none. */
const CLICK_MS = 5000;
/** The export that the last click started. It may end while the menu of another tab is shown. */
let started: { job: ExportJob; time: number } | null = null;

const isOtherSource = (next?: AnySource, last?: AnySource): boolean => next?.key !== last?.key;

@customElement("aq-export-menu")
export class ExportMenu extends PageElement {
  @property({ attribute: false, hasChanged: isOtherSource }) source!: AnySource;
  /** Exports of the source that start with a click. */
  // biome-ignore lint/suspicious/noExplicitAny: sources of all kinds of rows
  @property({ attribute: false }) shortcuts: ExportShortcuts<any> | null = null;
  @state() private job: ExportJob | null = null;
  @state() private error: unknown = null;
  /** Requested when the menu opens, because it may cost credits. */
  private estimating: Promise<Estimate | null> | null = null;
  /** Null: not known. Undefined: not known yet. */
  @state() private expected: Estimate | null | undefined;
  private readonly onChange = () => {
    this.requestUpdate();
    this.saveIfShort();
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("source")) return;
    const { source } = this;
    this.estimating = null;
    this.expected = undefined;
    this.show(null);
    // The list has priority over the state of its export.
    const finding = nextTask().then(() => findJob(source));
    finding.then(
      (job) => {
        if (!isOtherSource(source, this.source)) this.show(job);
      },
      (error) => {
        this.error = error;
      },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.job?.removeEventListener("change", this.onChange);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.job?.addEventListener("change", this.onChange);
  }

  private show(job: ExportJob | null): void {
    this.job?.removeEventListener("change", this.onChange);
    job?.addEventListener("change", this.onChange);
    this.job = job;
    this.error = null;
    if (job) this.saveIfShort();
  }

  protected override render(): TemplateResult {
    const { job } = this;
    const label = this.describeShort();
    return html`<aq-menu .label=${label} .face=${html`${icon(Download)}<span>${label}</span>`} .content=${() => html`
        ${job === null ? this.renderFormats() : this.renderJob(job)}
        ${this.renderCredits()}
        ${this.error ? errorBox(this.error) : nothing}`}></aq-menu>`;
  }

  private describeShort(): string {
    const { job } = this;
    if (job === null) return "Export";
    const { fraction } = job;
    if (job.state === "running") return fraction === null ? "Exporting…" : `Exporting ${percentFormat().format(fraction)}`;
    return job.state === "complete" ? "Export ready" : "Export unfinished";
  }

  private renderFormats(): TemplateResult {
    this.estimating ??= this.estimate();
    const { source, estimating } = this;
    const formats = [...Object.keys(source.csv), NDJSON];
    const start = (format: string) => this.begin(startJob(source, format, estimating));
    return html`<p>All ${source.noun}s with the chosen filters, however many there are.</p>
      ${source.isEstimated ? html`<p role="status">${this.describeExpected()}</p>` : nothing}
      <p class="actions">${formats.map((format) => html`<button type="button" @click=${() => start(format)}>${format}</button>`)}</p>
      ${this.shortcuts ? this.renderShortcuts(this.shortcuts) : nothing}`;
  }

  /** Shows the exported list, so that the user finds the export there again. */
  // biome-ignore lint/suspicious/noExplicitAny: sources of all kinds of rows
  private renderShortcuts({ title, format, choices }: ExportShortcuts<any>): TemplateResult {
    const start = ({ source, show }: ExportShortcuts<unknown>["choices"][number]) => {
      this.begin(startJob(source as AnySource, format, estimateExport(source)));
      show();
    };
    return html`<p>${title}</p>
      <p class="actions">${choices.map((choice) => html`<button type="button" @click=${() => start(choice)}>${choice.label}</button>`)}</p>`;
  }

  private begin(job: ExportJob): void {
    started = { job, time: performance.now() };
    this.show(job);
  }

  private async estimate(): Promise<Estimate | null> {
    const { source } = this;
    const expected = await estimateExport(source);
    if (!isOtherSource(source, this.source)) this.expected = expected;
    return expected;
  }

  private describeExpected(): string {
    const { expected } = this;
    if (expected == null) return expected === null ? "The service does not say how many there are." : "Estimating…";
    const { min, max } = expected.seconds;
    const time = max === null ? `at least ${formatDuration(min * 1000)}` : `about ${formatDuration(((min + max) / 2) * 1000)}`;
    return `Takes ${time}: ${describeEstimate(expected, this.source.noun)}.`;
  }

  private renderJob(job: ExportJob): TemplateResult {
    const { state, format, records, bytes, total, fraction, remainingMs } = job;
    const count = formatCount(records, this.source.noun);
    const about = total === null || state === "complete" ? "" : ` of about ${formatInteger(Math.max(total, records))}`;
    const left = state === "running" && remainingMs !== null ? `, about ${formatDuration(remainingMs)} left` : "";
    const discard = html`<button type="button" @click=${() => this.discard(job)}>Discard</button>`;
    return html`
      <p role="status">${format}: ${count}${about}, ${formatBytes(bytes)}${left}</p>
      ${state === "complete" ? nothing : html`<progress aria-label="Export" max="1" .value=${fraction ?? 0}></progress>`}
      ${job.isPersistent ? nothing : html`<p>This browser cannot store the export. Keep the page open until the file is saved.</p>`}
      ${state === "failed" ? errorBox(job.error) : nothing}
      <p class="actions">
        ${state === "running" ? html`<button type="button" @click=${() => job.stop()}>Cancel</button>` : nothing}
        ${state === "complete" ? html`<button type="button" class="primary" @click=${() => this.save(job)}>Save file</button>` : nothing}
        ${state === "stopped" || state === "failed" ? html`<button type="button" class="primary" @click=${() => void job.run()}>Resume</button>` : nothing}
        ${state === "running" ? nothing : discard}
      </p>`;
  }

  private renderCredits(): TemplateResult | typeof nothing {
    const credits = this.source.remainingCredits?.() ?? null;
    return credits === null ? nothing : html`<p>${formatCount(credits, "credit")} left in the plan of the API key</p>`;
  }

  /** Saves an export that ends while the click that started it still permits a file dialog. Others wait for another click. */
  private saveIfShort(): void {
    const { job } = this;
    if (!job || job !== started?.job || job.state === "running") return;
    const isShort = performance.now() - started.time < CLICK_MS && navigator.userActivation?.isActive;
    started = null;
    if (job.state === "complete" && isShort) this.save(job);
  }

  private save(job: ExportJob): void {
    this.error = null;
    job.save().catch((error) => {
      // The user closed the file dialog.
      if (!(error instanceof DOMException && error.name === "AbortError")) this.error = error;
    });
  }

  private discard(job: ExportJob): void {
    this.show(null);
    discardJob(job).catch((error) => {
      this.error = error;
    });
  }
}
