// A picture from an untrusted URL: loaded when it comes into view, without a referrer, and only if it is not too large.
import { html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { settings } from "../settings/settings.js";
import { type PictureProblem, toPictureUrl } from "../format/picture-url.js";
import { PageElement } from "./element.js";
import "./picture.css";

/** Pictures with more pixels are removed again: each needs four bytes of memory per pixel. */
const MAX_PIXELS = 16_000_000;

const REASONS: Record<PictureProblem | "failed", string> = {
  none: "No picture",
  ipfs: "On IPFS",
  unsafe: "URL not allowed",
  "too large": "Too large",
  failed: "Not available",
};

@customElement("aq-picture")
export class Picture extends PageElement {
  /** Untrusted URLs, the best one first. If one cannot be shown, the next is tried. */
  @property({ attribute: false }) urls: readonly unknown[] = [];
  /** Text alternative. "" where text beside the picture describes it. */
  @property() label = "";
  /** Shown instead of the reason why there is no picture. */
  @property() fallback = "";
  /** Number of URLs that failed to load, and why the last one did. */
  @state() private failures = 0;
  @state() private problem: PictureProblem | "failed" = "none";
  @state() private isLoaded = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("urls") || changed.get("urls")?.join() === this.urls.join()) return;
    this.failures = 0;
    this.problem = "none";
    this.isLoaded = false;
  }

  protected override render(): TemplateResult {
    const candidates = [...new Set(this.urls)].map((url) => toPictureUrl(url, settings.ipfsGateway));
    const urls = candidates.flatMap((candidate) => ("url" in candidate ? [candidate.url] : []));
    const url = urls[this.failures];
    if (url === undefined) {
      const problems = candidates.flatMap((candidate) => ("problem" in candidate ? [candidate.problem] : []));
      const problem = this.failures > 0 ? this.problem : (problems.find((item) => item !== "none") ?? "none");
      return html`<span class="no-picture" data-problem=${problem}>${this.fallback || REASONS[problem]}</span>`;
    }
    return html`<img class=${this.isLoaded ? "loaded" : ""} src=${url} alt=${this.label} loading="lazy" decoding="async"
      referrerpolicy="no-referrer" @load=${this.onLoad} @error=${() => this.fail("failed")} />`;
  }

  private onLoad({ target }: Event): void {
    const { naturalWidth, naturalHeight } = target as HTMLImageElement;
    if (naturalWidth * naturalHeight > MAX_PIXELS) this.fail("too large");
    else this.isLoaded = true;
  }

  private fail(problem: "failed" | "too large"): void {
    this.failures += 1;
    this.problem = problem;
    this.isLoaded = false;
  }
}
