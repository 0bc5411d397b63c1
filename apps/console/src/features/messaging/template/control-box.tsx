// Wraps a composite form control so that one invalid part does not mark all as invalid.
import { NoFormStyle } from "antd/es/form/context";
import type { ReactNode } from "react";
import "./template.css";

export function ControlBox({ id, children }: { id: string | undefined; children: ReactNode }) {
  return (
    <div className="template-input" {...(id && { id })}>
      <NoFormStyle status>{children}</NoFormStyle>
    </div>
  );
}
