// Shows the dialog that a sensitive call asks for.
import type { ComponentProps } from "react";
import type { ProofDialog } from "../domain/proof/proof-dialog.tsx";
import { useAhead } from "../kit/late.ts";
import { proofStore } from "../kit/proof.ts";
import { lateDialog } from "../ui/display/late-part.tsx";
import { inLibrary } from "./library-part.tsx";

const LateProofDialog = lateDialog<ComponentProps<typeof ProofDialog>>(
  () => inLibrary(import("../domain/proof/proof-dialog.tsx").then((it) => it.ProofDialog)),
  ({ finish }) =>
    () =>
      finish(null),
);

export function ProofGate() {
  const { finish } = proofStore();
  useAhead(LateProofDialog);
  return finish && <LateProofDialog finish={finish} />;
}
