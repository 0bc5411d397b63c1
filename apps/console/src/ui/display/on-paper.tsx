// Line that is on paper only: what is printed, and when.
import { type ReactNode, useSyncExternalStore } from "react";
import { formatDateTime } from "../../kit/format.ts";

let isPrinting = false;

function subscribe(onChange: () => void): () => void {
  const begin = () => {
    isPrinting = true;
    onChange();
  };
  const end = () => {
    isPrinting = false;
    onChange();
  };
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  return () => {
    removeEventListener("beforeprint", begin);
    removeEventListener("afterprint", end);
  };
}

/** Not hidden on screen but absent: a page without it has fewer elements, and no text twice. */
export function OnPaper({ children }: { children?: ReactNode }) {
  if (!useSyncExternalStore(subscribe, () => isPrinting)) return null;
  return (
    <p className="ui-on-paper">
      {children}
      <span>打印时间：{formatDateTime(Date.now())}</span>
    </p>
  );
}
