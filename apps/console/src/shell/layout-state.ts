// Sidebar and device state: open state kept in a cookie (1 open, 0 closed), mobile below the tablet breakpoint.
import { create } from "zustand";
import { below } from "../kit/tokens.ts";

const COOKIE = "sidebarStatus";
const YEAR_SECONDS = 31_536_000;

export type Device = "desktop" | "mobile";

const mobileQuery = below("tablet");

function readCookie(): boolean {
  return !document.cookie.split("; ").includes(`${COOKIE}=0`);
}

function deviceNow(): Device {
  return mobileQuery.matches ? "mobile" : "desktop";
}

interface LayoutState {
  device: Device;
  isSidebarOpen: boolean;
}

/** Changing to mobile collapses the sidebar; changing back to desktop restores the saved state. */
function stateFor(device: Device): LayoutState {
  return { device, isSidebarOpen: device === "desktop" && readCookie() };
}

export const layoutStore = create<LayoutState>(() => stateFor(deviceNow()));

mobileQuery.addEventListener("change", () => layoutStore.setState(stateFor(deviceNow())));

export function toggleSidebar(): void {
  const { device, isSidebarOpen } = layoutStore.getState();
  if (device === "desktop") {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing on plain HTTP.
    document.cookie = `${COOKIE}=${isSidebarOpen ? 0 : 1}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  }
  layoutStore.setState({ isSidebarOpen: !isSidebarOpen });
}

/** Called on mobile after each navigation and a click outside. */
export function closeDrawer(): void {
  if (layoutStore.getState().device === "mobile") layoutStore.setState({ isSidebarOpen: false });
}
