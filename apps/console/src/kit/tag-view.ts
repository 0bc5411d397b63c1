// Visibility of the tab bar: off unless the user switches it on (specification §2).
import { create } from "zustand";
import { markUnsaved } from "./unsaved.ts";

const KEY = "cupboard:tag-view";
export const TAG_VIEW = "tagView";

const tagViewStore = create(() => ({ isOn: localStorage.getItem(KEY) === "1" }));

export function useHasTabs(): boolean {
  return tagViewStore(({ isOn }) => isOn);
}

export function hasTabs(): boolean {
  return tagViewStore.getState().isOn;
}

/** Applies the preference that was changed in another browser. */
export function adoptTagView(isOn: boolean): void {
  if (isOn) localStorage.setItem(KEY, "1");
  else localStorage.removeItem(KEY);
  tagViewStore.setState({ isOn });
}

export function chooseTagView(isOn: boolean): void {
  adoptTagView(isOn);
  markUnsaved(TAG_VIEW);
}
