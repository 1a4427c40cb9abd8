// Line plots as SVG: a logarithmic x axis, a linear y axis from zero, a band from lower to upper quartile where there is one.

const WIDTH = 760;
const HEIGHT = 320;
const FRAME = { left: 64, right: 16, top: 44, bottom: 48 };
const COLOURS = ["#6b7280", "#2563eb", "#d97706"];

/** `series` are `{ name, points: [{ x, y, low, high }] }`, drawn in this order. */
export function plot({ title, x: xLabel, y: yLabel, series }) {
  const points = series.flatMap(({ points }) => points);
  const [xLow, xHigh] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const step = tick(Math.max(...points.map(({ y, high }) => Math.max(y, high ?? 0))) / 4);
  const top = step * Math.ceil(Math.max(...points.map(({ y, high }) => Math.max(y, high ?? 0))) / step);
  const across = (x) => place(FRAME.left + (Math.log(x / xLow) / Math.log(xHigh / xLow)) * (WIDTH - FRAME.left - FRAME.right));
  const up = (y) => place(HEIGHT - FRAME.bottom - (y / top) * (HEIGHT - FRAME.top - FRAME.bottom));

  const parts = [];
  for (let y = 0; y <= top + step / 2; y += step) {
    parts.push(`<path d="M${FRAME.left} ${up(y)}H${WIDTH - FRAME.right}" stroke="#e5e7eb"/>`);
    parts.push(text(FRAME.left - 8, up(y) + 4, Number(y.toPrecision(6)), "end"));
  }
  for (const x of marks(xLow, xHigh)) parts.push(text(across(x), HEIGHT - FRAME.bottom + 18, x.toLocaleString("en"), "middle"));
  series.forEach(({ name, points }, i) => {
    const colour = COLOURS[i % COLOURS.length];
    const line = (value, points) => points.map((point) => `${across(point.x)} ${up(value(point))}`).join("L");
    const banded = points.filter(({ low }) => low !== undefined);
    if (banded.length > 1) {
      const band = `M${line(({ high }) => high, banded)}L${line(({ low }) => low, banded.toReversed())}Z`;
      parts.push(`<path d="${band}" fill="${colour}" opacity="0.15"/>`);
    }
    parts.push(`<path d="M${line(({ y }) => y, points)}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    parts.push(text(FRAME.left + 8 + i * 180, 36, name, "start", colour));
  });
  parts.push(text(FRAME.left, 18, title, "start", "#111827", "bold"));
  parts.push(text((FRAME.left + WIDTH - FRAME.right) / 2, HEIGHT - 10, xLabel, "middle"));
  parts.push(`<g transform="translate(16 ${HEIGHT / 2}) rotate(-90)">${text(0, 0, yLabel, "middle")}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
${parts.join("\n")}
</svg>
`;
}

const place = (pixels) => Number(pixels.toFixed(1));

/** A round number of about this size. */
function tick(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].find((factor) => factor * power >= size) * power;
}

/** Powers of ten, and the ends. */
function marks(low, high) {
  const powers = [];
  for (let x = 10 ** Math.ceil(Math.log10(low)); x <= high; x *= 10) powers.push(x);
  const isFree = (end) => powers.every((x) => Math.abs(Math.log(x / end)) > Math.log(high / low) / 12);
  return [...powers, ...[low, high].filter(isFree)];
}

function text(x, y, content, anchor, fill = "#374151", weight = "normal") {
  const safe = String(content).replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${fill}" font-weight="${weight}">${safe}</text>`;
}
