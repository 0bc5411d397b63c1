// State of the signed-in user, stored in the browser until sign-out (specification §3, user state).
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import { create } from "zustand";
import { persist } from "zustand/middleware";

interface UserState {
  /** Owner of this state: another account starts empty. */
  owner: string;
  /** Last menu sent by the server: sidebar and buttons render at once after a reload. */
  menu: readonly MenuEntry[];
  /** Version notice that the user has closed. */
  version: string;
  versionUpdateTime: string;
  faultCount: number;
  /** Whether a risen fault count shows a toast, and malfunction notices appear. */
  isHint: boolean;
  /** The tenant's own logo above the menu; null: the product's logo. */
  logoId: string | null;
  /** Empty until the server has told it. */
  displayName: string;
}

export const noUserState: UserState = {
  owner: "",
  menu: [],
  version: "",
  versionUpdateTime: "",
  faultCount: 0,
  isHint: true,
  logoId: null,
  displayName: "",
};

export const userStore = create<UserState>()(
  persist(() => noUserState, { name: "cupboard:user-state", version: 1 }),
);

export function clearUserState(): void {
  userStore.setState(noUserState, true);
}
