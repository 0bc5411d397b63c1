// Leaving a page with unsaved input asks first: links of the console, reload, closing the window.
import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";

/** `mayLeave` asks the user; it is called only while there is something to lose. */
export function useLeaveGuard(isDirty: boolean, mayLeave: () => Promise<boolean>): void {
  const navigate = useNavigate();
  const onClick = useEffectEvent(async (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const opensElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!link || opensElsewhere || link.target || link.origin !== location.origin) return;
    event.preventDefault();
    event.stopPropagation();
    if (await mayLeave()) void navigate(`${link.pathname}${link.search}`);
  });
  useEffect(() => {
    if (!isDirty) return;
    const onClickFirst = (event: MouseEvent) => void onClick(event);
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener("click", onClickFirst, true);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      document.removeEventListener("click", onClickFirst, true);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [isDirty]);
}
