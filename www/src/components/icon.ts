// Icons of Lucide (ISC), drawn inline with the colour of the text.
import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import type { IconNode } from "lucide";

const SHAPES: Readonly<Record<string, (shape: Record<string, unknown>) => SVGTemplateResult>> = {
  path: ({ d }) => svg`<path d=${d} />`,
  circle: ({ cx, cy, r }) => svg`<circle cx=${cx} cy=${cy} r=${r} />`,
  rect: ({ x, y, width, height, rx }) => svg`<rect x=${x} y=${y} width=${width} height=${height} rx=${rx} />`,
  line: ({ x1, y1, x2, y2 }) => svg`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`,
};

/** An icon without a text alternative: its button or the text beside it names its meaning. */
export const icon = (node: IconNode): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${node.map(([tag, shape]) => SHAPES[tag]?.(shape))}</svg>`;
