// Renders a component or a hook of an example with React.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, type ReactElement, createElement } from "react";
import { createRoot } from "react-dom/client";
import { formatValue } from "./format.ts";

type Props = { address_hash: string };
type ResultHook = (address_hash: string) => { data?: { pages: { items: unknown[] }[] } };
type OnError = (error: unknown) => void;

/** How long to wait for something to show, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Renders a component; resolves when it shows something. */
export const renderComponent = (component: ComponentType<Props>, address_hash: string, onError: OnError): Promise<void> =>
  render(createElement(component, { address_hash }), onError);

/** Renders the data that a hook returns. */
export const renderHook = (useResult: ResultHook, address_hash: string, onError: OnError): Promise<void> =>
  render(createElement(HookResult, { useResult, address_hash }), onError);

function HookResult({ useResult, address_hash }: Props & { useResult: ResultHook }) {
  const { data } = useResult(address_hash);
  return data ? createElement("pre", null, formatValue(data.pages[0]?.items)) : null;
}

async function render(content: ReactElement, onError: OnError): Promise<void> {
  const root = document.querySelector("#root");
  if (!root) throw new Error("the frame has no element for a component");
  const shown = new Promise<void>((resolve) => {
    new MutationObserver(() => root.querySelector("li, pre, p") && resolve()).observe(root, { childList: true, subtree: true });
    setTimeout(resolve, MAX_WAIT_MS);
  });
  createRoot(root, { onUncaughtError: onError }).render(
    createElement(QueryClientProvider, { client: new QueryClient() }, content),
  );
  await shown;
}
