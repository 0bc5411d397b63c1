// The frame of a form control that is made of several: what is wrong with one does not redden them all.
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
