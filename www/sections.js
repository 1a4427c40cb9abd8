// The two sections of the page and their tabs: lists of the REST API, and the account module.
import { accountTabs } from "./account-tabs.js";
import { restLists } from "./rest-lists.js";

export const sections = [
  {
    label: "REST API",
    description: "Eight lists of the Blockscout REST API, one page at a time",
    tabs: restLists,
  },
  {
    label: "Account API",
    description: "Balances, token holdings and full histories from the Etherscan-compatible API",
    tabs: accountTabs,
  },
];

const tabs = sections.flatMap((section) => section.tabs);

export const defaultTab = tabs[0];
export const findTab = (id) => tabs.find((tab) => tab.id === id);
export const findSection = (tab) => sections.find((section) => section.tabs.includes(tab));
