// The areas and their rows of tabs. A row follows the ARIA tab pattern: roving tabindex, arrows, Home and End.
import { el } from "./dom.js";

/**
 * `choose(tab)` is called when a tab is activated; an area leads to the tab of it that was last on show.
 * Returns `select(tab)`, which shows a tab as the chosen one.
 */
export function makeTabs(nav, holder, panel, areas, choose) {
  const rows = areas.map((area) => {
    const row = makeRow(area, panel, choose);
    let last = area.tabs[0];
    const button = el("button", { type: "button", click: () => choose(last) }, area.label);
    const show = (tab) => {
      const isHere = area.tabs.includes(tab);
      if (isHere) last = tab;
      row.list.hidden = !isHere;
      if (isHere) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (isHere) row.select(tab);
    };
    return { list: row.list, button, show };
  });
  nav.append(...rows.map(({ button }) => button));
  holder.append(...rows.map(({ list }) => list));
  return (tab) => rows.forEach(({ show }) => show(tab));
}

function makeRow({ label, tabs: lists }, panel, choose) {
  const tabs = lists.map((list) =>
    el(
      "button",
      { type: "button", role: "tab", id: `tab-${list.id}`, "aria-controls": panel.id, click: () => choose(list) },
      list.label,
    ),
  );
  const tablist = el("div", { class: "tabs", role: "tablist", "aria-label": label }, tabs);

  // Arrows move the focus and Enter or Space activates: following the focus would send a request for every tab passed.
  tablist.addEventListener("keydown", (event) => {
    const here = tabs.indexOf(document.activeElement);
    const last = tabs.length - 1;
    const target = {
      ArrowRight: here === last ? 0 : here + 1,
      ArrowLeft: here === 0 ? last : here - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (here < 0 || target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    rove(tabs[target]);
    tabs[target].focus();
  });
  // A Tab away and back must land on the chosen tab again.
  tablist.addEventListener("focusout", (event) => {
    if (!tablist.contains(event.relatedTarget)) rove(tabs.find((tab) => tab.getAttribute("aria-selected") === "true"));
  });

  function rove(current) {
    for (const tab of tabs) tab.tabIndex = tab === current ? 0 : -1;
  }

  function select(list) {
    const chosen = tabs[lists.indexOf(list)];
    for (const tab of tabs) tab.setAttribute("aria-selected", String(tab === chosen));
    rove(tablist.contains(document.activeElement) ? document.activeElement : chosen);
    panel.setAttribute("aria-labelledby", chosen.id);
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  return { list: tablist, select };
}
