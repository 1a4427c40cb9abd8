// A table that shows a limited number of rows and a "Show more" button for the next ones.
import { announce, el } from "./dom.js";
import { groupDigits } from "./format.js";
import { createTable } from "./panel.js";

const ROWS_PER_STEP = 200;

/** Returns the nodes to place on the page: the table and, if there are more rows, a footer with the button. */
export function createExpandableTable(tab, items, context) {
  const table = createTable(tab, items.slice(0, ROWS_PER_STEP), context);
  if (items.length <= ROWS_PER_STEP) return [table];

  const tableBody = table.querySelector("tbody");
  const status = el("p");
  const button = el("button", { type: "button", click: showMore });
  const footer = el("div", { class: "show-more" }, status, button);
  let shownCount = ROWS_PER_STEP;
  updateFooter();
  return [table, footer];

  function showMore() {
    const nextItems = items.slice(shownCount, shownCount + ROWS_PER_STEP);
    tableBody.append(...createTable(tab, nextItems, context).querySelector("tbody").children);
    shownCount += nextItems.length;
    updateFooter();
    announce(status.textContent);
    if (footer.hidden) table.focus({ preventScroll: true }); // the focused button is gone
  }

  function updateFooter() {
    status.textContent = `Showing the first ${groupDigits(shownCount)} of ${groupDigits(items.length)}`;
    button.textContent = `Show ${Math.min(ROWS_PER_STEP, items.length - shownCount)} more`;
    footer.hidden = shownCount === items.length;
  }
}
