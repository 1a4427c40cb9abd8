// The copy buttons of the page: `<button data-copy="text">`.

const COPIED_MS = 1500;

/** Announces a message to users of screen readers. */
export function announce(message: string): void {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = message;
}

async function copy(button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(button.dataset["copy"] ?? "");
  } catch {
    announce("The browser does not allow copying");
    return;
  }
  announce((button.getAttribute("aria-label") ?? "Copy").replace("Copy", "Copied"));
  button.classList.add("copied");
  setTimeout(() => button.classList.remove("copied"), COPIED_MS);
}

/** One listener for all buttons: tables have hundreds of them. */
export function startCopyButtons(root: Document): void {
  root.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-copy]") : null;
    if (button) void copy(button);
  });
}
