// Wires the page: state → controls and view → panel. Every change goes through navigate(), and so into the URL.
import { areaOf, areas, firstTab, tabById } from "./areas.js";
import { byId, el } from "./dom.js";
import { makeFilters } from "./filters.js";
import { isAddress, shortHash, visibleText } from "./format.js";
import { openPage } from "./page.js";
import { showError, showPrompt } from "./results.js";
import { clientFor, sampleAddresses } from "./source.js";
import { firstPage, isSame, pushState, readState, replaceState, urlOf } from "./state.js";
import { makeTabs } from "./tabs.js";

const addressInput = byId("address");
const addressError = byId("address-error");
const samplePicker = byId("sample");
const baseUrlInput = byId("base-url");
const sourceForm = byId("source-form");

let state = readState();
let running = null; // the AbortController of the view on show

const selectTab = makeTabs(byId("areas"), byId("tabs"), byId("panel"), areas, (list) => {
  if (list !== state.list) navigate(firstPage({ ...state, list, filters: {} }));
});
const showFilters = makeFilters(byId("filters"), (filters) => {
  const next = firstPage({ ...state, filters });
  if (!isSame(next, state)) navigate(next);
});

function navigate(next) {
  pushState(next);
  show(next);
}

function show(next) {
  const sameList = next.list === state.list && next.address === state.address && next.source === state.source;
  state = next;
  showControls();
  load(sameList);
}

function showControls() {
  selectTab(state.list);
  byId("area-note").textContent = areaOf(state.list).note;
  showFilters(state.list, state.filters, state.source);
  addressInput.value = state.address;
  sayAddressError(state.address && !isAddress(state.address));
  showSource(state.source !== "");
  baseUrlInput.value = state.source;
  if (!state.source) showSamples();
  const subject = state.list.needsAddress && state.address ? [visibleText(shortHash(state.address), 20)] : [];
  document.title = [state.list.label, ...subject, "address-query"].join(" · ");
}

function showSource(isService) {
  sourceForm.elements.source.value = isService ? "service" : "sample";
  byId("base-url-row").hidden = !isService;
  byId("sample-field").hidden = isService;
}

function showSamples() {
  const samples = sampleAddresses();
  if (samplePicker.options.length === 0) {
    samplePicker.append(
      el("option", { value: "" }, "Another address"),
      ...samples.map(({ hash, label }) => el("option", { value: hash.toLowerCase() }, label)),
    );
  }
  const chosen = samples.find(({ hash }) => hash.toLowerCase() === state.address.toLowerCase());
  samplePicker.value = chosen ? chosen.hash.toLowerCase() : "";
  byId("sample-description").textContent = chosen?.description ?? "Pick one to see what its lists hold.";
}

function sayAddressError(isWrong) {
  addressError.textContent = isWrong ? "This is not an address: expected 0x followed by 40 hex digits." : "";
  addressInput.setAttribute("aria-invalid", String(Boolean(isWrong)));
}

function load(keepRows = false) {
  running?.abort();
  running = new AbortController();
  const { list, address, filters, source } = state;
  if (list.needsAddress && !isAddress(address) && !filters[list.ownAddresses]) {
    showPrompt("No address yet", source ? "Enter an address above." : "Enter an address above, or pick a sample.");
    return;
  }
  // What a view works with. Its signal ends with the view: after that it must not touch the panel.
  const visit = { state, keepRows, signal: running.signal, reload, turn };
  visit.context = {
    address,
    filtered: Object.keys(filters).length > 0,
    hrefOf: (hash) => urlOf(stateFor(hash, true)),
  };
  try {
    visit.client = clientFor(source);
  } catch (error) {
    showError(error, [["Retry", reload]]);
    return;
  }
  (list.open ?? openPage)(visit);
}

// The button that was pressed goes away with what it stood in; the focus waits on the panel for what comes.
const focusPanel = () => byId("panel").focus({ preventScroll: true });

function reload() {
  load();
  focusPanel();
}

function turn(next) {
  navigate(next);
  focusPanel();
  byId("panel").scrollIntoView({ block: "start" });
}

/**
 * The state that looking up an address leads to: the same tab for it, or its transfers from a list of all addresses.
 * A link leads from its balance on to its history.
 */
function stateFor(address, isLink = false) {
  const same = state.list.needsAddress ? state.list : firstTab;
  const list = (isLink && tabById(same.linksTo)) || same;
  return firstPage({ ...state, list, address, filters: {} });
}

function lookUp(address) {
  sayAddressError(!isAddress(address));
  if (!isAddress(address)) {
    addressInput.focus();
    return;
  }
  navigate({ ...stateFor(address), source: chosenSource() });
}

/** What the source form says, connected or not: a URL just typed must not be dropped by looking up an address. */
function chosenSource() {
  return sourceForm.elements.source.value === "service" ? baseUrlInput.value.trim() : "";
}

byId("address-form").addEventListener("submit", (event) => {
  event.preventDefault();
  lookUp(addressInput.value.trim());
});

samplePicker.addEventListener("change", () => {
  const chosen = sampleAddresses().find(({ hash }) => hash.toLowerCase() === samplePicker.value);
  if (chosen) lookUp(chosen.hash);
});

sourceForm.addEventListener("change", (event) => {
  if (event.target.name !== "source") return;
  const isService = event.target.value === "service";
  showSource(isService);
  // A service is read only once its URL has been given; the sample data is there at once.
  if (isService) baseUrlInput.focus();
  else if (state.source) navigate(withFirstSample(firstPage({ ...state, source: "" })));
});

sourceForm.addEventListener("submit", (event) => {
  event.preventDefault();
  navigate(firstPage({ ...state, source: chosenSource(), filters: {} }));
});

byId("results").addEventListener("click", (event) => {
  const link = event.target.closest("a[data-address]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  turn(stateFor(link.dataset.address, true));
});

window.addEventListener("popstate", () => {
  // Following the skip link changes only the fragment.
  const there = readState();
  if (!isSame(there, state)) show(there);
});

/** The sample data greets with its first address, so that the page never starts empty. */
function withFirstSample(bare) {
  return bare.source || bare.address ? bare : { ...bare, address: sampleAddresses()[0].hash };
}

const start = withFirstSample(state);
replaceState(start);
show(start);
