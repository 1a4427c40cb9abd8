// Draws the chart of a balance with uPlot.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatDecimal, formatInteger } from "../format/number.js";
import type { Point, Unit } from "./balance-points.js";

const AXIS_FONT = "12px system-ui, sans-serif";

/** Computes a colour of the style sheet for the theme. A canvas does not understand `var()` and `light-dark()`. */
function readColor(target: HTMLElement, declared: string): string {
  target.style.color = declared;
  const { color } = getComputedStyle(target);
  target.style.color = "";
  return color;
}

/** Numbers of an axis, short enough for its width. */
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumSignificantDigits: 4 });
const formatAxis = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.001 ? formatDecimal(value.toFixed(18), 6) : compact.format(value);

const DAY = 86_400;
/** Intervals between the labelled days of an axis, in seconds. */
const DAY_STEPS = [1, 2, 5, 10, 30, 60, 180, 365, 730, 1825].map((days) => days * DAY);
const dayFormat = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" });
const monthFormat = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", timeZone: "UTC" });

function formatDays(seconds: readonly number[]): string[] {
  const range = (seconds.at(-1) ?? 0) - (seconds[0] ?? 0);
  const format = range > 300 * DAY ? monthFormat : dayFormat;
  return seconds.map((second) => format.format(second * 1000));
}

/** Draws `points` into `target`. `onMove` gets the index of the point under the cursor, or null. */
export function drawPlot(
  target: HTMLElement,
  points: readonly Point[],
  unit: Unit,
  onMove: (index: number | null) => void,
): uPlot {
  const [accent, muted, line, fill] = [
    readColor(target, "var(--accent)"),
    readColor(target, "var(--muted)"),
    readColor(target, "var(--line)"),
    readColor(target, "color-mix(in srgb, var(--accent) 13%, transparent)"),
  ];
  const axis: uPlot.Axis = {
    stroke: muted,
    font: AXIS_FONT,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
  };
  // A balance stays the same until its next change.
  const paths = uPlot.paths.stepped?.({ align: 1 });
  const steps = paths ? { paths } : {};
  const options: uPlot.Options = {
    width: target.clientWidth,
    height: Number.parseInt(getComputedStyle(target).getPropertyValue("--plot"), 10),
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: { x: { time: unit !== "block" } },
    axes: [
      unit !== "block"
        ? { ...axis, space: 80, incrs: DAY_STEPS, values: (_plot, values) => formatDays(values) }
        : { ...axis, space: 100, values: (_plot, values) => values.map((value) => formatInteger(Math.round(value))) },
      { ...axis, size: 64, values: (_plot, values) => values.map(formatAxis) },
    ],
    series: [{}, { stroke: accent, width: 2, fill, points: { show: points.length < 40, size: 5, fill: accent }, ...steps }],
    legend: { show: false },
    cursor: { y: false, points: { size: 8 } },
    hooks: { setCursor: [({ cursor }) => onMove(cursor.idx ?? null)] },
  };
  return new uPlot(options, [points.map(({ x }) => x), points.map(({ y }) => y)], target);
}

/** Moves the cursor to a point. */
export function moveCursor(plot: uPlot, point: Point): void {
  plot.setCursor({ left: plot.valToPos(point.x, "x"), top: plot.valToPos(point.y, "y") });
}
