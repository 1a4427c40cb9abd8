// A line chart of values over days.
import { html, svg, type TemplateResult } from "lit";
import { lazy } from "../format/lazy.js";
import { CURRENCY } from "../format/number.js";
import { chart } from "./figure.js";

export interface LinePoint {
  /** Unix milliseconds. */
  time: number;
  value: number;
  /** The day and the exact value, for the pointer and the table. */
  date: string;
  text: string;
}

/** Short enough beside the line. */
const AXIS = { notation: "compact", maximumSignificantDigits: 4 } as const;
const axisFormat = lazy(() => new Intl.NumberFormat(undefined, AXIS));
const fiatAxisFormat = lazy(() => new Intl.NumberFormat(undefined, { ...AXIS, ...CURRENCY }));
/** The padding has room for the highest and the lowest value. */
const [WIDTH, HEIGHT, PADDING] = [600, 190, 20];

/**
 * `points` are in ascending order of time, and `columns` name their unit of time and their value. A balance stays the same until the next
 * point. Worth is in US dollars.
 */
export function line(points: readonly LinePoint[], columns: readonly [string, string]): TemplateResult {
  const [unit, measure] = columns;
  const axis = (measure === "Worth" ? fiatAxisFormat : axisFormat)();
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return html`<p class="none">Too few changes for a chart.</p>`;
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const toX = (time: number) => ((time - first.time) / (last.time - first.time || 1)) * WIDTH;
  const toY = (value: number) => PADDING + (1 - (value - low) / (high - low || 1)) * (HEIGHT - 2 * PADDING);
  const joint = measure === "Balance" ? ["H", "V"] : ["L", " "];
  const path = points
    .map(({ time, value }, index) => {
      const [beforeX, beforeY] = index === 0 ? ["M", " "] : joint;
      return `${beforeX}${toX(time).toFixed(1)}${beforeY}${toY(value).toFixed(1)}`;
    })
    .join("");
  const hit = ({ time, date, text }: LinePoint, index: number) => {
    const next = points[index + 1];
    const x = toX(time);
    return svg`<rect class="hit" x=${x} y="0" width=${Math.max(6, next ? toX(next.time) - x : 6)} height=${HEIGHT}><title>${date}: ${text}</title></rect>`;
  };
  const drawing = html`<svg class="line-chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
      ${[0.25, 0.5, 0.75].map((share) => svg`<line x1="0" x2=${WIDTH} y1=${share * HEIGHT} y2=${share * HEIGHT} />`)}
      <path class="area" d="${path}V${HEIGHT}H0Z" /><path class="stroke" d=${path} />${points.map(hit)}</svg>
    <p class="line-range" aria-hidden="true"><span>${axis.format(high)}</span><span>${axis.format(low)}</span></p>
    <p class="line-ends"><span>${first.date}</span><span>${last.date}</span></p>`;
  return chart(`${measure} by ${unit.toLowerCase()}`, drawing, {
    columns,
    rows: points.map(({ date, text }) => [date, text]).reverse(),
  });
}
