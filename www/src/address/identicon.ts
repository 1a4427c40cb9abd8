// A small picture made from an address, by which users recognise it.
import { svg, html, type TemplateResult } from "lit";

const SIZE = 5;
const HUES = 360;

/** Five by five squares, symmetric, in a hue derived from the hash. */
export function identicon(address: string): TemplateResult {
  const digits = [...address.slice(2).toLowerCase()].map((digit) => Number.parseInt(digit, 16) || 0);
  const hue = (digits.slice(0, 6).reduce((sum, digit) => sum * 16 + digit, 0) * 47) % HUES;
  const squares = digits.slice(6, 6 + SIZE * 3).flatMap((digit, index) => {
    const [column, row] = [Math.floor(index / SIZE), index % SIZE];
    if (digit % 2 === 1) return [];
    return column === 2
      ? [[column, row]]
      : [
          [column, row],
          [SIZE - 1 - column, row],
        ];
  });
  return html`<svg class="identicon" viewBox="-1 -1 7 7" aria-hidden="true" fill="hsl(${hue} 55% 52%)">
    ${squares.map(([x, y]) => svg`<rect x=${x} y=${y} width="1.02" height="1.02" />`)}
  </svg>`;
}
