// A bar of shares of a whole. The smallest shares are folded into the last one.
import { html, svg, type TemplateResult } from "lit";

const WIDTH = 400;
/** The minimum width, so that small shares are still visible. */
const MIN_WIDTH = 3;

/** Draws shares from 0 to 1. A list beside the drawing names them, so the drawing needs no text alternative. */
export function shares(items: readonly number[]): TemplateResult {
  const widths = items.map((share) => Math.max(MIN_WIDTH, share * WIDTH));
  const total = widths.reduce((sum, width) => sum + width, 0);
  let x = 0;
  const part = (share: number, index: number) => {
    const width = ((widths[index] ?? 0) / total) * WIDTH;
    x += width;
    return svg`<rect class="share-${Math.min(index, 5)}" x=${x - width} y="0" width=${Math.max(1, width - 2)} height="10"><title>${(share * 100).toFixed(1)} %</title></rect>`;
  };
  return html`<svg class="shares" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">${items.map(part)}</svg>`;
}
