// Button 进入租户 in navbar and drawer, for platform staff; its dialog loads lazily with the component
// library.
import { useState } from "react";
import { useAhead } from "../../kit/late.ts";
import { mayLeavePage } from "../../kit/leaving.ts";
import { lateDialog } from "../../ui/display/late-part.tsx";
import { Glyph } from "../glyph.tsx";
import { closeDrawer } from "../layout-state.ts";
import { inLibrary } from "../library-part.tsx";

const ChooseTenant = lateDialog<{ open: boolean; onClose: () => void }>(
  () =>
    inLibrary(
      import("../../features/identity/impersonation/choose-tenant.tsx").then(
        (it) => it.ChooseTenant,
      ),
    ),
  ({ open, onClose }) => (open ? onClose : null),
);

export function TenantSwitch({ className }: { className: string }) {
  const [isOpen, setIsOpen] = useState(false);
  useAhead(ChooseTenant);
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
          setIsOpen(true);
        }}
      >
        <Glyph name="visit" />
        <span>进入租户</span>
      </button>
      <ChooseTenant open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
