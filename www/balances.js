// The view of balances: reads those of a pasted list, marks the stale ones, and follows these until they are fresh.
import { el } from "./dom.js";
import { counted, visibleText } from "./format.js";
import { growingTable } from "./more.js";
import { pastedAddresses } from "./pasted.js";
import { settle, showBusy, showCancelled, showError, showLoading, showPrompt } from "./results.js";

/** For how long stale balances are followed. */
const FOLLOW_MS = 10_000;
const WRONG_SHOWN = 5;

const isOld = ({ balance, stale }) => stale === true || balance === null;

export function openBalances(visit) {
  const { address, filters } = visit.state;
  const pasted = pastedAddresses(filters.addresses ?? address);
  if (pasted.addresses.length > 0) return read(visit, pasted);
  showPrompt("No addresses", "Nothing in the list is an address: expected 0x followed by 40 hex digits.");
}

async function read(visit, pasted) {
  const own = new AbortController();
  const signal = AbortSignal.any([visit.signal, own.signal]);
  showLoading(visit.state.list, visit.keepRows, () => own.abort());
  const started = performance.now();
  try {
    const balances = await visit.client.account.balanceMulti({ address: pasted.addresses }, { signal });
    if (visit.signal.aborted) return;
    const milliseconds = Math.round(performance.now() - started);
    show(visit, pasted, balances, `${counted(balances.length, "balance")}, in ${milliseconds} ms`);
  } catch (error) {
    if (visit.signal.aborted) return;
    if (own.signal.aborted) showCancelled([["Retry", visit.reload]]);
    else showError(error, [["Retry", visit.reload]]);
  }
}

/** Asks again for the stale ones only; what stays stale after the deadline says so. */
async function follow(visit, pasted, balances) {
  const own = new AbortController();
  const signal = AbortSignal.any([visit.signal, own.signal]);
  const old = balances.filter(isOld);
  showBusy(`Following ${counted(old.length, "balance")} for at most ${FOLLOW_MS / 1000} s…`, () => own.abort(), true);
  const options = { signal, until: "fresh", freshWithinMs: FOLLOW_MS };
  try {
    const newer = await visit.client.account.balanceMulti({ address: old.map(({ account }) => account) }, options);
    if (visit.signal.aborted) return;
    const merged = balances.map((row) => {
      const at = old.indexOf(row);
      return at < 0 ? row : { ...newer[at], before: row.balance, isFollowed: true };
    });
    const left = newer.filter(isOld).length;
    const message = left === 0 ? "All balances are fresh" : `${newer.length - left} now fresh, ${left} still stale`;
    show(visit, pasted, merged, message, true);
  } catch (error) {
    if (visit.signal.aborted) return;
    const back = () => show(visit, pasted, balances, "Stopped following", true);
    if (own.signal.aborted) back();
    else showError(error, [["Retry", () => follow(visit, pasted, balances)], ["Back to the balances", back]]);
  }
}

function show(visit, pasted, balances, message, focusNext = false) {
  const { list } = visit.state;
  // An address in the list leads to its history, the one above as well.
  const context = { ...visit.context, address: "" };
  const old = balances.filter(isOld).length;
  const button = old > 0 ? followButton(() => follow(visit, pasted, balances)) : null;
  settle(message, ...notes(pasted), ...(button ? [staleNote(old, button)] : []), ...growingTable(list, balances, context));
  if (focusNext) (button ?? document.getElementById("panel")).focus({ preventScroll: true });
}

const followButton = (run) => el("button", { type: "button", class: "primary", click: run }, "Follow until fresh");

function staleNote(count, button) {
  const what = count === 1 ? "1 balance is stale" : `${count} balances are stale`;
  return el(
    "div",
    { class: "callout warn" },
    el("p", {}, `${what} or not known yet: the service is fetching what the chain says now.`),
    button,
  );
}

function notes({ wrong, repeated }) {
  const notes = [];
  if (wrong.length > 0) {
    const shown = wrong.slice(0, WRONG_SHOWN).map(({ text, place }) =>
      el("li", {}, `Entry ${place}: `, el("bdi", { class: "mono" }, visibleText(text, 60))),
    );
    const more = wrong.length > WRONG_SHOWN ? el("li", {}, `and ${wrong.length - WRONG_SHOWN} more`) : null;
    const what =
      wrong.length === 1
        ? "1 entry is not an address and was left out:"
        : `${wrong.length} entries are not addresses and were left out:`;
    notes.push(el("div", { class: "callout bad", role: "alert" }, el("p", {}, what), el("ul", {}, shown, more)));
  }
  if (repeated > 0) {
    const what = `${counted(repeated, "repetition")} of an address ${repeated === 1 ? "is" : "are"} not shown again.`;
    notes.push(el("p", { class: "note" }, what));
  }
  return notes;
}
