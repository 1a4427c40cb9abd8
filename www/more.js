// A table that begins with a bounded number of rows and grows by as many when the visitor asks for them.
import { announce, el } from "./dom.js";
import { counted, groupDigits } from "./format.js";
import { table } from "./results.js";

const STEP = 200;

/** Nodes to put on the page: the table and, where there is more to show, the line that says so. */
export function growingTable(list, items, context, step = STEP) {
  const node = table(list, items.slice(0, step), context);
  if (items.length <= step) return [node];

  const body = node.querySelector("tbody");
  const text = el("p", { class: "rest" });
  const button = el("button", { type: "button", click: grow });
  const foot = el("div", { class: "more" }, text, button);
  let shown = step;
  say();
  return [node, foot];

  function grow() {
    const next = table(list, items.slice(shown, shown + step), context).querySelector("tbody");
    body.append(...next.children);
    shown = Math.min(items.length, shown + step);
    say();
    announce(text.textContent);
    if (button.hidden) node.focus({ preventScroll: true });
  }

  function say() {
    text.textContent = `The first ${groupDigits(shown)} of ${counted(items.length, "row")} are shown.`;
    button.textContent = `Show ${Math.min(step, items.length - shown)} more`;
    button.hidden = shown === items.length;
    foot.hidden = button.hidden;
  }
}
