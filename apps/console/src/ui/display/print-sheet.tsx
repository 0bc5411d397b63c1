// Sheet that is on paper only, in place of the whole console.
import type { ReactNode } from "react";
// biome-ignore lint/style/noRestrictedImports: a sheet for the printer has no events.
import { createPortal } from "react-dom";
import "./print-sheet.css";

export function PrintSheet({ children }: { children: ReactNode }) {
  return createPortal(
    <div className="ui-print scheme-light" aria-hidden="true">
      {children}
    </div>,
    document.body,
  );
}
