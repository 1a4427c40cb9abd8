// The rows of the gallery: the heading of each collection, and its NFTs.
import type { NftInstance, Token } from "address-query";

/** Sizes in pixels, as in gallery.css: the narrowest tile, the gap between tiles, and the text below a picture. */
const MIN_TILE_WIDTH = 152;
const GAP = 12;
const TEXT_HEIGHT = 54;
const HEADING_HEIGHT = 46;

export interface Collection {
  token: Token | null;
  count: number;
}

export interface GalleryRow {
  key: string;
  /** For the heading of a collection. */
  collection?: Collection;
  /** For a row of tiles. */
  nfts: readonly NftInstance[];
}

/** Returns how many tiles fit into a row. */
export const countColumns = (width: number): number => Math.max(1, Math.floor((width + GAP) / (MIN_TILE_WIDTH + GAP)));

/** Returns the expected height of a row. */
export const estimateHeight = (row: GalleryRow | undefined, width: number, columns: number): number =>
  row?.collection ? HEADING_HEIGHT : Math.round((width + GAP) / columns + TEXT_HEIGHT);

/** Groups NFTs by contract, in the order of the list, and distributes them among rows. */
export function toRows(nfts: readonly NftInstance[], columns: number): GalleryRow[] {
  const groups = new Map<string, NftInstance[]>();
  for (const nft of nfts) {
    const key = nft.token?.address_hash ?? "";
    const group = groups.get(key);
    if (group) group.push(nft);
    else groups.set(key, [nft]);
  }
  return [...groups].flatMap(([key, group]) => {
    const rows: GalleryRow[] = [{ key, collection: { token: group[0]?.token ?? null, count: group.length }, nfts: [] }];
    for (let start = 0; start < group.length; start += columns)
      rows.push({ key: `${key} ${start}`, nfts: group.slice(start, start + columns) });
    return rows;
  });
}
