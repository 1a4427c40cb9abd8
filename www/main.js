// Entry point: connects the forms, the tabs and the panel.
// Every change of the page state goes through navigate(), so that the URL always describes the page.
import { getClient, getSampleAddresses } from "./data-source.js";
import { el, getById } from "./dom.js";
import { createFilterForm } from "./filter-form.js";
import { isAddress, sanitizeText, shortenHash } from "./format.js";
import { isSameState, pushState, readState, replaceState, toFirstPage, toUrl } from "./page-state.js";
import { showError, showPrompt } from "./panel.js";
import { openRestList } from "./rest-list-view.js";
import { defaultTab, findSection, findTab, sections } from "./sections.js";
import { createTabs } from "./tabs.js";

const addressInput = getById("address");
const addressError = getById("address-error");
const sampleSelect = getById("sample-select");
const baseUrlInput = getById("base-url");
const dataSourceForm = getById("data-source-form");

let state = readState();
let viewController = null; // the AbortController of the current view

const showSelectedTab = createTabs(getById("sections"), getById("tabs"), getById("panel"), sections, (tab) => {
  if (tab !== state.tab) navigate(toFirstPage({ ...state, tab, filters: {} }));
});
const showFilters = createFilterForm(getById("filters"), (filters) => {
  const next = toFirstPage({ ...state, filters });
  if (!isSameState(next, state)) navigate(next);
});

function navigate(next) {
  pushState(next);
  showState(next);
}

/** `keepRows`: the rows on display stay, dimmed, until those of the next state replace them. */
function showState(next) {
  const keepRows = next.tab === state.tab && next.address === state.address && next.source === state.source;
  state = next;
  updateControls();
  openView(keepRows);
}

function updateControls() {
  const { tab, address, filters, source } = state;
  showSelectedTab(tab);
  getById("section-description").textContent = findSection(tab).description;
  showFilters(tab, filters, source);
  addressInput.value = address;
  showAddressError(address !== "" && !isAddress(address));
  showDataSource(source !== "");
  baseUrlInput.value = source;
  if (!source) updateSampleSelect();
  const subject = tab.requiresAddress && address ? [sanitizeText(shortenHash(address), 20)] : [];
  document.title = [tab.label, ...subject, "address-query"].join(" · ");
}

function showDataSource(isLive) {
  dataSourceForm.elements.source.value = isLive ? "live" : "sample";
  getById("base-url-row").hidden = !isLive;
  getById("sample-field").hidden = isLive;
}

function updateSampleSelect() {
  const samples = getSampleAddresses();
  if (sampleSelect.options.length === 0) {
    sampleSelect.append(
      el("option", { value: "" }, "Custom address"),
      ...samples.map(({ hash, label }) => el("option", { value: hash.toLowerCase() }, label)),
    );
  }
  const selected = samples.find(({ hash }) => hash.toLowerCase() === state.address.toLowerCase());
  sampleSelect.value = selected ? selected.hash.toLowerCase() : "";
  getById("sample-description").textContent = selected?.description ?? "Choose an address to see what it contains.";
}

function showAddressError(isInvalid) {
  addressError.textContent = isInvalid ? "Invalid address. Enter 0x followed by 40 hex digits." : "";
  addressInput.setAttribute("aria-invalid", String(isInvalid));
}

function openView(keepRows = false) {
  viewController?.abort();
  viewController = new AbortController();
  const { tab, address, filters, source } = state;
  if (tab.requiresAddress && !isAddress(address) && !filters[tab.addressListFilter]) {
    const hint = source ? "Search for an address above." : "Search for an address above, or choose a sample address.";
    showPrompt("No address selected", hint);
    return;
  }
  const context = {
    address,
    hasFilters: Object.keys(filters).length > 0,
    getHref: (hash) => toUrl(getLinkState(hash)),
  };
  let client;
  try {
    client = getClient(source);
  } catch (error) {
    showError(error, [["Retry", reload]]);
    return;
  }
  // After the signal is aborted, another view owns the panel and this one must not change it.
  const view = { state, client, context, keepRows, signal: viewController.signal, reload, navigate: navigateToTop };
  (tab.openView ?? openRestList)(view);
}

/** Moves the focus to the panel, because the pressed button is about to be removed. */
const focusPanel = () => getById("panel").focus({ preventScroll: true });

function reload() {
  openView();
  focusPanel();
}

function navigateToTop(next) {
  navigate(next);
  focusPanel();
  getById("panel").scrollIntoView({ block: "start" });
}

/** Returns the state after a search: the same tab, or the default tab if this one has no address. */
function getSearchState(address) {
  const tab = state.tab.requiresAddress ? state.tab : defaultTab;
  return toFirstPage({ ...state, tab, address, filters: {} });
}

/** Returns the state that an address link in the table opens. */
function getLinkState(address) {
  const searchState = getSearchState(address);
  return { ...searchState, tab: findTab(searchState.tab.addressLinkTab) ?? searchState.tab };
}

function search(address) {
  showAddressError(!isAddress(address));
  if (!isAddress(address)) {
    addressInput.focus();
    return;
  }
  navigate({ ...getSearchState(address), source: getSelectedSource() });
}

/** Reads the data source from the form, so that a search also uses a base URL that is typed but not connected yet. */
function getSelectedSource() {
  return dataSourceForm.elements.source.value === "live" ? baseUrlInput.value.trim() : "";
}

getById("search-form").addEventListener("submit", (event) => {
  event.preventDefault();
  search(addressInput.value.trim());
});

sampleSelect.addEventListener("change", () => {
  const selected = getSampleAddresses().find(({ hash }) => hash.toLowerCase() === sampleSelect.value);
  if (selected) search(selected.hash);
});

dataSourceForm.addEventListener("change", (event) => {
  if (event.target.name !== "source") return;
  const isLive = event.target.value === "live";
  showDataSource(isLive);
  // Live data needs a base URL first; sample data is available at once.
  if (isLive) baseUrlInput.focus();
  else if (state.source) navigate(withDefaultAddress(toFirstPage({ ...state, source: "" })));
});

dataSourceForm.addEventListener("submit", (event) => {
  event.preventDefault();
  navigate(toFirstPage({ ...state, source: getSelectedSource(), filters: {} }));
});

getById("results").addEventListener("click", (event) => {
  const link = event.target.closest("a[data-address]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigateToTop(getLinkState(link.dataset.address));
});

window.addEventListener("popstate", () => {
  // The skip link changes only the fragment, and needs no reload.
  const next = readState();
  if (!isSameState(next, state)) showState(next);
});

/** Selects the first sample address if there is none, so that the page does not start empty. */
function withDefaultAddress(next) {
  return next.source || next.address ? next : { ...next, address: getSampleAddresses()[0].hash };
}

const initialState = withDefaultAddress(state);
replaceState(initialState);
showState(initialState);
