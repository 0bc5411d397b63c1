// Light or dark: the user's choice, kept in this browser for its first paint, else the system's.
import type { Theme } from "@cabinet/contract/account/account.rules.ts";
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

/** As it was chosen elsewhere. */
export function adoptTheme(choice: Theme): void {
  if (choice === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  themeStore.setState({ choice });
}

export function chooseTheme(choice: Theme): void {
  adoptTheme(choice);
  markUnsaved(THEME);
}

/** Choosing what the system has anyway follows the system again. */
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
