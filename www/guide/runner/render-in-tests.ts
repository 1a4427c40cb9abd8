// Renders components in tests: what `@testing-library/react` is to the examples that are tests. Its own needs React's development build.
import * as dom from "@testing-library/dom";
import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";

const rendered: { root: Root; container: HTMLElement }[] = [];

function render(content: ReactNode): void {
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  root.render(content);
  rendered.push({ root, container });
}

function cleanup(): void {
  for (const { root, container } of rendered.splice(0)) {
    root.unmount();
    container.remove();
  }
}

/** The module. */
export const testingLibrary = { ...dom, render, cleanup };
