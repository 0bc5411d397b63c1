// 导出 button; its dialog is loaded and mounted when it is pressed.
import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "../display/button.tsx";
import { lateDialog } from "../display/late-part.tsx";
import type { ExportDialogProps, ExportInput } from "./export-dialog.tsx";

export const LateExportDialog = lateDialog<ExportDialogProps & { onGiveUp: () => void }>(
  async () => (await import("./export-dialog.tsx")).default,
  ({ onGiveUp }) => onGiveUp,
);

export interface ExportButtonProps<Row> extends Omit<ButtonProps, "onClick"> {
  input: ExportInput<Row>;
  /** Shown below the question: what the file contains. */
  scope?: ReactNode;
}

export function ExportButton<Row>({ input, scope, ...button }: ExportButtonProps<Row>) {
  const [presses, setPresses] = useState(0);
  return (
    <>
      <Button {...button} onClick={() => setPresses(presses + 1)} />
      {presses > 0 && (
        <LateExportDialog
          key={presses}
          input={input}
          scope={scope}
          onGiveUp={() => setPresses(0)}
        />
      )}
    </>
  );
}
