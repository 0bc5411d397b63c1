// 导出 button; its dialog is loaded and mounted when it is pressed.
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Button, type ButtonProps } from "../display/button.tsx";
import type { ExportInput } from "./export-dialog.tsx";

const ExportDialog = lazy(() => import("./export-dialog.tsx"));

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
      <Suspense>
        {presses > 0 && <ExportDialog key={presses} input={input} scope={scope} />}
      </Suspense>
    </>
  );
}
