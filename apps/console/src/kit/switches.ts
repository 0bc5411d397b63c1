// Preferences that are on or off, off unless chosen: kept in the browser and saved with the account.
import { SWITCHES, type SwitchName } from "@cabinet/contract/identity/account/account.rules.ts";
import { create } from "zustand";
import { markUnsaved } from "./unsaved.ts";

const keys: Record<SwitchName, string> = {
  tagView: "cupboard:tag-view",
  isCompact: "cupboard:compact",
  isSetupHidden: "cupboard:setup-hidden",
};

const read = (name: SwitchName) => [name, localStorage.getItem(keys[name]) === "1"] as const;
const store = create(() => Object.fromEntries(SWITCHES.map(read)) as Record<SwitchName, boolean>);

export function useSwitch(name: SwitchName): boolean {
  return store((state) => state[name]);
}

export function isSwitchedOn(name: SwitchName): boolean {
  return store.getState()[name];
}

/** Applies the preference that was changed in another browser. */
export function adoptSwitch(name: SwitchName, isOn: boolean): void {
  if (isOn) localStorage.setItem(keys[name], "1");
  else localStorage.removeItem(keys[name]);
  store.setState({ [name]: isOn });
}

export function chooseSwitch(name: SwitchName, isOn: boolean): void {
  adoptSwitch(name, isOn);
  markUnsaved(name);
}

/** The style sheet reads the density. */
function showDensity(): void {
  document.documentElement.dataset.density = isSwitchedOn("isCompact") ? "compact" : "usual";
}
showDensity();
store.subscribe(showDensity);
