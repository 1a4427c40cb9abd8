// Pictures of sample NFTs and tokens, as data URLs that a page can show without a network.

import type { Random } from "../random.js";

const toDataUrl = (content: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 60'>${content}</svg>`)}`;

const background = (colour: string): string => `<path fill='${colour}' d='M0 0h60v60H0z'/>`;

/** What a picture can show. `hue` is from 0 to 359. */
const MOTIFS = {
  lantern: (_random: Random, hue: number) =>
    `${background("#1c2430")}<circle cx='30' cy='32' r='15' fill='hsl(${hue} 70% 60%)'/>` +
    "<path d='M22 13h16M30 7v10M24 50h12' stroke='#fff' stroke-width='3'/>",
  tide: (random: Random, hue: number) =>
    background(`hsl(${hue} 60% 85%)`) +
    [20, 34, 46]
      .map((y, i) => {
        const height = 4 + random.nextInt(8);
        return `<path fill='hsl(${hue} 60% ${66 - i * 16}%)' d='M0 ${y}q15-${height} 30 0t30 0v40H0z'/>`;
      })
      .join(""),
  part: (random: Random, hue: number) =>
    `${background("#e9e4d8")}<circle cx='30' cy='30' r='16' fill='none' stroke='hsl(${hue} 35% 40%)' stroke-width='9' ` +
    `stroke-dasharray='${3 + random.nextInt(6)} 3'/><circle cx='30' cy='30' r='11' fill='hsl(${hue} 35% 55%)'/>`,
  boat: (_random: Random, hue: number) =>
    `${background(`hsl(${hue} 55% 80%)`)}<path fill='#fff' d='M12 34h36L39 46H21zM31 12v19h15z'/>` +
    `<path fill='hsl(${hue} 55% 45%)' d='M29 9v22H13z'/>`,
  tiles: (random: Random, hue: number) =>
    background(`hsl(${hue} 45% 22%)`) +
    Array.from({ length: 7 }, () => {
      const [x, y] = [random.nextInt(4) * 15, random.nextInt(4) * 15];
      return `<path fill='hsl(${(hue + random.nextInt(60)) % 360} 65% 60%)' d='M${x} ${y}h15v15H${x}z'/>`;
    }).join(""),
};

const MOTIFS_BY_COLLECTION: Readonly<Record<string, keyof typeof MOTIFS>> = {
  Lanterns: "lantern",
  "Harbor Lights": "lantern",
  "Paper Boats": "boat",
  "Tide Passes": "tide",
  "Workshop Parts": "part",
};

/** Creates a picture of an item of a collection. */
export function createPicture(random: Random, collection: string | null): string {
  const motif = MOTIFS[MOTIFS_BY_COLLECTION[collection ?? ""] ?? "tiles"];
  return toDataUrl(motif(random, random.nextInt(360)));
}

/** Creates the icon of a token: a disc with a letter. */
export const createIcon = (letter: string, colour: string): string =>
  toDataUrl(
    `<circle cx='30' cy='30' r='30' fill='${colour}'/>` +
      `<text x='30' y='41' font-family='sans-serif' font-size='32' text-anchor='middle' fill='#fff'>${letter}</text>`,
  );
