// The section switch and the tabs of each section. Tabs follow the ARIA pattern: roving tabindex, arrows, Home and End.
import { el } from "./dom.js";

/**
 * `onSelect(tab)` is called when a tab is activated. A section button activates the tab that was last selected there.
 * Returns `showSelectedTab(tab)`, which marks a tab and its section as selected.
 */
export function createTabs(sectionNav, tabContainer, panel, sections, onSelect) {
  // A row per section: its button and its tablist.
  const rows = sections.map((section) => {
    const { tablist, markSelected } = createTablist(section, panel, onSelect);
    let lastTab = section.tabs[0];
    const button = el("button", { type: "button", click: () => onSelect(lastTab) }, section.label);
    const update = (tab) => {
      const isCurrent = section.tabs.includes(tab);
      tablist.hidden = !isCurrent;
      if (isCurrent) {
        lastTab = tab;
        button.setAttribute("aria-current", "true");
        markSelected(tab);
      } else {
        button.removeAttribute("aria-current");
      }
    };
    return { tablist, button, update };
  });
  sectionNav.append(...rows.map(({ button }) => button));
  tabContainer.append(...rows.map(({ tablist }) => tablist));
  return (tab) => rows.forEach(({ update }) => update(tab));
}

function createTablist({ label, tabs }, panel, onSelect) {
  const createButton = (tab) => {
    const attributes = { type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": panel.id };
    return el("button", { ...attributes, click: () => onSelect(tab) }, tab.label);
  };
  const buttons = tabs.map(createButton);
  const tablist = el("div", { class: "tabs", role: "tablist", "aria-label": label }, buttons);

  // Arrows only move the focus; Enter or Space activates. Activating each focused tab would send a request for it.
  tablist.addEventListener("keydown", (event) => {
    const current = buttons.indexOf(document.activeElement);
    const last = buttons.length - 1;
    const target = {
      ArrowRight: current === last ? 0 : current + 1,
      ArrowLeft: current === 0 ? last : current - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (current < 0 || target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setTabStop(buttons[target]);
    buttons[target].focus();
  });
  // When the focus returns with the Tab key, it must land on the selected tab.
  tablist.addEventListener("focusout", (event) => {
    if (tablist.contains(event.relatedTarget)) return;
    setTabStop(buttons.find((button) => button.getAttribute("aria-selected") === "true"));
  });

  /** Makes one button the only one that the Tab key reaches. */
  function setTabStop(target) {
    for (const button of buttons) button.tabIndex = button === target ? 0 : -1;
  }

  function markSelected(tab) {
    const selected = buttons[tabs.indexOf(tab)];
    for (const button of buttons) button.setAttribute("aria-selected", String(button === selected));
    setTabStop(tablist.contains(document.activeElement) ? document.activeElement : selected);
    panel.setAttribute("aria-labelledby", selected.id);
    selected.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  return { tablist, markSelected };
}
