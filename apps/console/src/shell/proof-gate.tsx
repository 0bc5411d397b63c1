// Shows the dialog that a sensitive call asks for.
import { lazy, Suspense } from "react";
import { proofStore } from "../kit/proof.ts";

const ProofDialog = lazy(async () => {
  const [{ AntdProvider }, { ProofDialog: Dialog }] = await Promise.all([
    import("./antd-provider.tsx"),
    import("../domain/proof/proof-dialog.tsx"),
  ]);
  return {
    default: (props: Parameters<typeof Dialog>[0]) => (
      <AntdProvider>
        <Dialog {...props} />
      </AntdProvider>
    ),
  };
});

export function ProofGate() {
  const { finish } = proofStore();
  return <Suspense>{finish && <ProofDialog finish={finish} />}</Suspense>;
}
