// Creates line plots as SVG, with a logarithmic x axis and a linear y axis from zero. Points can have quartiles, drawn as a band.

const WIDTH = 760;
const HEIGHT = 320;
const MARGIN = { left: 64, right: 16, top: 44, bottom: 48 };
const COLORS = ["#6b7280", "#2563eb", "#d97706"];

/** `series` are `{ name, points: [{ x, y, low, high }] }`, drawn in this order. `low` and `high` are optional. */
export function createPlot({ title, x: xLabel, y: yLabel, series }) {
  const points = series.flatMap(({ points }) => points);
  const [minX, maxX] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const dataMaxY = Math.max(...points.map(({ y, high }) => Math.max(y, high ?? 0)));
  const yStep = roundStep(dataMaxY / 4);
  const maxY = yStep * Math.ceil(dataMaxY / yStep);
  const toX = (x) =>
    roundPixels(MARGIN.left + (Math.log(x / minX) / Math.log(maxX / minX)) * (WIDTH - MARGIN.left - MARGIN.right));
  const toY = (y) => roundPixels(HEIGHT - MARGIN.bottom - (y / maxY) * (HEIGHT - MARGIN.top - MARGIN.bottom));

  const elements = [];
  for (let y = 0; y <= maxY + yStep / 2; y += yStep) {
    elements.push(`<path d="M${MARGIN.left} ${toY(y)}H${WIDTH - MARGIN.right}" stroke="#e5e7eb"/>`);
    elements.push(createText(MARGIN.left - 8, toY(y) + 4, Number(y.toPrecision(6)), "end"));
  }
  for (const x of getTicks(minX, maxX))
    elements.push(createText(toX(x), HEIGHT - MARGIN.bottom + 18, x.toLocaleString("en"), "middle"));
  series.forEach(({ name, points }, i) => {
    const color = COLORS[i % COLORS.length];
    const createPath = (getValue, points) => points.map((point) => `${toX(point.x)} ${toY(getValue(point))}`).join("L");
    const pointsWithBand = points.filter(({ low }) => low !== undefined);
    if (pointsWithBand.length > 1) {
      const band = `M${createPath(({ high }) => high, pointsWithBand)}L${createPath(({ low }) => low, pointsWithBand.toReversed())}Z`;
      elements.push(`<path d="${band}" fill="${color}" opacity="0.15"/>`);
    }
    elements.push(`<path d="M${createPath(({ y }) => y, points)}" fill="none" stroke="${color}" stroke-width="2"/>`);
    elements.push(createText(MARGIN.left + 8 + i * 180, 36, name, "start", color));
  });
  elements.push(createText(MARGIN.left, 18, title, "start", "#111827", "bold"));
  elements.push(createText((MARGIN.left + WIDTH - MARGIN.right) / 2, HEIGHT - 10, xLabel, "middle"));
  elements.push(`<g transform="translate(16 ${HEIGHT / 2}) rotate(-90)">${createText(0, 0, yLabel, "middle")}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
${elements.join("\n")}
</svg>
`;
}

const roundPixels = (pixels) => Number(pixels.toFixed(1));

/** Rounds a step up to 1, 2, 5 or 10 times a power of ten. */
function roundStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].find((factor) => factor * power >= step) * power;
}

/** The ticks of the x axis: powers of ten, and the ends of the axis if they are not too close to one. */
function getTicks(min, max) {
  const powers = [];
  for (let x = 10 ** Math.ceil(Math.log10(min)); x <= max; x *= 10) powers.push(x);
  const hasSpace = (end) => powers.every((x) => Math.abs(Math.log(x / end)) > Math.log(max / min) / 12);
  return [...powers, ...[min, max].filter(hasSpace)];
}

function createText(x, y, content, anchor, fill = "#374151", weight = "normal") {
  const escaped = String(content).replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${fill}" font-weight="${weight}">${escaped}</text>`;
}
