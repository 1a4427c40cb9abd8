// Places an element beside another one, inside the window.

const GAP = 6;
const MARGIN = 8;

/** Places `card`, whose position is fixed, below `anchor`, or above it where there is no room below. */
export function placeBeside(card: HTMLElement, anchor: HTMLElement): void {
  const target = anchor.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const below = target.bottom + GAP;
  const top = below + height + MARGIN > innerHeight ? Math.max(MARGIN, target.top - GAP - height) : below;
  const left = Math.max(MARGIN, Math.min(target.left, document.documentElement.clientWidth - width - MARGIN));
  card.style.top = `${top}px`;
  card.style.left = `${left}px`;
}
