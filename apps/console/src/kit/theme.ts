// Light or dark theme: the user's choice, stored locally for the first paint, else the system's.
import type { Theme } from "@cabinet/contract/identity/account/account.rules.ts";
import { create } from "zustand";
import { markUnsaved } from "./unsaved.ts";

const KEY = "cupboard:theme";
export const THEME = "theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

function readChoice(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

interface ThemeState {
  choice: Theme;
  isSystemDark: boolean;
}

const themeStore = create<ThemeState>(() => ({
  choice: readChoice(),
  isSystemDark: systemDark.matches,
}));
systemDark.addEventListener("change", () => {
  themeStore.setState({ isSystemDark: systemDark.matches });
});

function isDark({ choice, isSystemDark }: ThemeState): boolean {
  return choice === "system" ? isSystemDark : choice === "dark";
}

export function useIsDark(): boolean {
  return themeStore(isDark);
}

export function useTheme(): Theme {
  return themeStore(({ choice }) => choice);
}

export function currentTheme(): Theme {
  return themeStore.getState().choice;
}

/** Applies the preference that was changed in another browser. */
export function adoptTheme(choice: Theme): void {
  if (choice === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  themeStore.setState({ choice });
}

export function chooseTheme(choice: Theme): void {
  adoptTheme(choice);
  markUnsaved(THEME);
}

/** Choosing the system's current theme follows the system again. */
export function toggleTheme(): void {
  const { isSystemDark } = themeStore.getState();
  const wanted = isDark(themeStore.getState()) ? "light" : "dark";
  chooseTheme((wanted === "dark") === isSystemDark ? "system" : wanted);
}

function apply(): void {
  document.documentElement.dataset.theme = isDark(themeStore.getState()) ? "dark" : "light";
}
apply();
themeStore.subscribe(apply);
