// Asks for the password or second factor again before a sensitive call; the dialog belongs to the shell.
import { create } from "zustand";

/** Called with the time of the press that gave the proof, by the server's clock; null: the user cancels. */
export type FinishProof = (provenAt: number | null) => void;

/** Set while the dialog is open. */
export const proofStore = create<{ finish: FinishProof | null }>(() => ({ finish: null }));

let asked: Promise<number | null> | null = null;

/** When the user pressed to prove: the call that is repeated counts as pressed then. Calls that come together are asked for once. */
export function askForProof(): Promise<number | null> {
  asked ??= new Promise<number | null>((resolve) => {
    proofStore.setState({ finish: resolve });
  }).finally(() => {
    asked = null;
    proofStore.setState({ finish: null });
  });
  return asked;
}
