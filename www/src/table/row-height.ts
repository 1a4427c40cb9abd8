// The height of a row. On a narrow page, each row is a card: its cells are on several lines (record-table.css).
import { settings } from "../settings/settings.js";

/** `--row` of tokens.css, for each density. */
const ROW_HEIGHT = { comfortable: 48, compact: 42 };
const LINE_HEIGHT = 58;
/** The padding of a card, and its border. */
const CARD_PADDING = 17;

/** The maximum number of cells on a line of a card, for the same widths as in record-table.css. */
const PHONE = { query: matchMedia("(max-width: 40rem)"), cells: 2 };
const TABLET = { query: matchMedia("(max-width: 64rem)"), cells: 4 };

/** Whether rows are cards. */
export const hasCards = (): boolean => TABLET.query.matches;

/** Returns the class of a table, which distributes the cells of a card evenly among its lines on a tablet. */
export function getCardClass(columns: number): string {
  const lines = Math.ceil(columns / TABLET.cells);
  return `cells-${Math.ceil(columns / lines)}`;
}

/** Returns the height of a row without details. The browser must have computed the layout. */
export function getRowHeight(columns: number): number {
  const layout = [PHONE, TABLET].find(({ query }) => query.matches);
  return layout === undefined ? ROW_HEIGHT[settings.density] : Math.ceil(columns / layout.cells) * LINE_HEIGHT + CARD_PADDING;
}
