// How far the window is scrolled.

let wasScrolled = false;
addEventListener("scroll", () => (wasScrolled = true), { once: true, passive: true });

/** Returns `scrollY`. Reading `scrollY` forces a layout, which can wait while the page loads. */
export const getScrollTop = (): number => (wasScrolled ? scrollY : 0);
