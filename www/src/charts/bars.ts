// A bar chart with incoming amounts above a line and outgoing amounts below it.
import { html, svg, type TemplateResult } from "lit";
import { chart } from "./figure.js";

export interface Bar {
  /** Under the bar, and in the table. */
  label: string;
  name: string;
  incoming: number;
  outgoing: number;
  /** The exact values. */
  texts: readonly [incoming: string, outgoing: string];
}

const STEP = 30;
const HALF = 52;

export function bars(label: string, items: readonly Bar[]): TemplateResult {
  const top = Math.max(...items.flatMap(({ incoming, outgoing }) => [incoming, outgoing])) || 1;
  const toHeight = (value: number) => (value === 0 ? 0 : Math.max(1.5, (value / top) * HALF));
  const bar = ({ label: month, name, incoming, outgoing, texts }: Bar, index: number) => {
    const x = index * STEP + 5;
    const up = toHeight(incoming);
    return svg`<g><title>${name}: in ${texts[0]}, out ${texts[1]}</title>
      <rect class="hit" x=${index * STEP} y="0" width=${STEP} height=${HALF * 2 + 18} />
      <rect class="in" x=${x} y=${HALF - up} width="20" height=${up} rx="2" />
      <rect class="out" x=${x} y=${HALF + 1} width="20" height=${toHeight(outgoing)} rx="2" />
      <text x=${x + 10} y=${HALF * 2 + 14}>${month}</text></g>`;
  };
  const width = items.length * STEP;
  const drawing = html`<svg class="bars" viewBox="0 0 ${width} ${HALF * 2 + 18}"><line x1="0" x2=${width} y1=${HALF + 0.5} y2=${HALF + 0.5} />${items.map(bar)}</svg>`;
  return chart(label, drawing, { columns: ["Month", "In", "Out"], rows: items.map(({ name, texts }) => [name, ...texts]) });
}
