// Asks for the password or second factor again before a sensitive call; the dialog belongs to the shell.
import { create } from "zustand";

/** Set while the dialog is open. */
export const proofStore = create<{ finish: ((isGiven: boolean) => void) | null }>(() => ({
  finish: null,
}));

let asked: Promise<boolean> | null = null;

/** False if the user cancels. Calls that come together are asked for once. */
export function askForProof(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    proofStore.setState({ finish: resolve });
  }).finally(() => {
    asked = null;
    proofStore.setState({ finish: null });
  });
  return asked;
}
