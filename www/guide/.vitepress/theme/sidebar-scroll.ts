// Scrolls the sidebar to the entry of the page.
import { nextTick, onMounted, watch } from "vue";
import { useRoute } from "vitepress";

export function useEntryInView(): void {
  const route = useRoute();
  onMounted(() => watch(() => route.path, scrollToEntry, { immediate: true }));
}

async function scrollToEntry() {
  await nextTick();
  const sidebar = document.querySelector(".VPSidebar");
  const entry = sidebar?.querySelector(".VPSidebarItem.is-active");
  if (!sidebar || !entry) return;
  const [view, place] = [sidebar.getBoundingClientRect(), entry.getBoundingClientRect()];
  // The links above show where the entry is.
  if (place.top < view.top || place.bottom > view.bottom) sidebar.scrollTop += place.top - view.top - view.height / 2;
}
