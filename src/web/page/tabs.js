// The tabs of the tools: one panel is shown at a time. Arrow keys move between tabs, as in the WAI-ARIA pattern for tabs.

/** Shows the panel of a tab: "rank", "study", "play", "load", "position", "words" or "help". */
export function openTab(name) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const is = tab.id === `tab-${name}`;
    tab.ariaSelected = String(is);
    tab.tabIndex = is ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !is;
    if (is) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/** Binds clicks and arrow keys to the tabs. */
export function wireTabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const open = (tab) => openTab(tab.id.slice("tab-".length));
  for (const tab of tabs) {
    tab.onclick = () => open(tab);
    tab.onkeydown = (event) => {
      const at = tabs.indexOf(tab);
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      open(tabs[next % tabs.length]);
      tabs[next % tabs.length].focus();
    };
  }
  openTab("rank");
}
