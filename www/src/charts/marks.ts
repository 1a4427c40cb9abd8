// The marks of a drawing: its elements with a `<title>`. One of them is the current one, and its value is shown below the drawing.

const CURRENT = "current";

/** Makes a mark the current one, or none. */
function setCurrent(drawing: Element, mark: Element | null): void {
  drawing.querySelector(`.${CURRENT}`)?.classList.remove(CURRENT);
  mark?.classList.add(CURRENT);
  const output = drawing.parentElement?.querySelector("output");
  if (output) output.textContent = mark?.querySelector("title")?.textContent ?? "";
}

/** Shows the mark under the pointer. Away from all marks, it shows none unless the drawing has the focus. */
export function showMark({ type, target, currentTarget }: Event): void {
  const drawing = currentTarget as Element;
  const isLeft = type === "pointerleave" || type === "blur";
  const mark = !isLeft && target instanceof Element ? target.closest(":has(> title)") : null;
  if (isLeft || mark) setCurrent(drawing, mark);
}

/** Moves to another mark: up and down within a column, left and right to the next column. */
export function moveToMark(event: KeyboardEvent): void {
  const drawing = event.currentTarget as HTMLElement;
  const marks = [...drawing.querySelectorAll(":has(> title)")];
  const stride = Number(drawing.dataset["stride"]);
  const last = marks.length - 1;
  const at = marks.findIndex((mark) => mark.classList.contains(CURRENT));
  const steps: Record<string, number> = { ArrowLeft: -stride, ArrowRight: stride, ArrowUp: -1, ArrowDown: 1 };
  const step = steps[event.key];
  // The first key shows the last mark: the newest one.
  const moved = step === undefined ? { Home: 0, End: last }[event.key] : at < 0 ? last : at + step;
  if (moved === undefined) return;
  event.preventDefault();
  const mark = marks[Math.max(0, Math.min(last, moved))] ?? null;
  setCurrent(drawing, mark);
  mark?.scrollIntoView({ block: "nearest", inline: "nearest" });
}
