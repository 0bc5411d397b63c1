// Light or dark: the user's choice in this browser, else the system's.
import { create } from "zustand";

type ThemeChoice = "light" | "dark";

const KEY = "cupboard:theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

function readChoice(): ThemeChoice | null {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : null;
}

const themeStore = create(() => ({ choice: readChoice(), isSystemDark: systemDark.matches }));
systemDark.addEventListener("change", () => {
  themeStore.setState({ isSystemDark: systemDark.matches });
});

function isDark(state: { choice: ThemeChoice | null; isSystemDark: boolean }): boolean {
  return state.choice === null ? state.isSystemDark : state.choice === "dark";
}

export function useIsDark(): boolean {
  return themeStore(isDark);
}

/** Choosing what the system has anyway follows the system again. */
export function toggleTheme(): void {
  const { isSystemDark } = themeStore.getState();
  const wanted: ThemeChoice = isDark(themeStore.getState()) ? "light" : "dark";
  const choice = (wanted === "dark") === isSystemDark ? null : wanted;
  if (choice) localStorage.setItem(KEY, choice);
  else localStorage.removeItem(KEY);
  themeStore.setState({ choice });
}

function apply(): void {
  document.documentElement.dataset.theme = isDark(themeStore.getState()) ? "dark" : "light";
}
apply();
themeStore.subscribe(apply);
