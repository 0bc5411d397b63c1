// Button 进入租户 in navbar and drawer, for platform staff; its dialog loads lazily with the component
// library.
import { lazy, Suspense, useState } from "react";
import { mayLeavePage } from "../../ui/form/use-leave-guard.ts";
import { Glyph } from "../glyph.tsx";
import { closeDrawer } from "../layout-state.ts";

const ChooseTenant = lazy(async () => {
  const [{ AntdProvider }, { ChooseTenant: Choose }] = await Promise.all([
    import("../antd-provider.tsx"),
    import("../../features/identity/impersonation/choose-tenant.tsx"),
  ]);
  return {
    default: (props: { open: boolean; onClose: () => void }) => (
      <AntdProvider>
        <Choose {...props} />
      </AntdProvider>
    ),
  };
});

export function TenantSwitch({ className }: { className: string }) {
  const [stage, setStage] = useState<"untouched" | "open" | "closed">("untouched");
  return (
    <>
      <button
        type="button"
        className={className}
        title="进入租户"
        aria-haspopup="dialog"
        onClick={async () => {
          if (!(await mayLeavePage())) return;
          closeDrawer();
          setStage("open");
        }}
      >
        <Glyph name="visit" />
        <span>进入租户</span>
      </button>
      {stage !== "untouched" && (
        <Suspense fallback={null}>
          <ChooseTenant open={stage === "open"} onClose={() => setStage("closed")} />
        </Suspense>
      )}
    </>
  );
}
