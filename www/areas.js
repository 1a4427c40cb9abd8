// The areas of the page and their tabs: the eight lists of the REST interface, and the account module.
import { accountTabs } from "./account.js";
import { lists } from "./lists.js";

export const areas = [
  { id: "lists", label: "Lists", note: "Eight lists of the REST interface, page by page", tabs: lists },
  {
    id: "account",
    label: "Account",
    note: "Balances, tokens and whole histories from the module/action interface",
    tabs: accountTabs,
  },
];

const tabs = areas.flatMap((area) => area.tabs);

export const firstTab = tabs[0];
export const tabById = (id) => tabs.find((tab) => tab.id === id);
export const areaOf = (tab) => areas.find((area) => area.tabs.includes(tab));
