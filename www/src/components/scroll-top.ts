// How far the window is scrolled.

let wasScrolled = false;
addEventListener("scroll", () => (wasScrolled = true), { once: true, passive: true });

/** Returns `scrollY`. To ask the window for it computes the layout of the page, which can wait while the page is loaded. */
export const getScrollTop = (): number => (wasScrolled ? scrollY : 0);
