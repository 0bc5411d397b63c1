// Confirms before unsaved input is lost by links, Back and Forward, navigations in code, reload or
// closing.
import { useEffect, useEffectEvent } from "react";
import { type BlockerFunction, useBlocker } from "react-router";
import { type AskToLeave, guardInput, hasUnsavedInput, mayLeavePage } from "../../kit/leaving.ts";

/** While `isDirty`, leaving the page calls `mayLeave`. */
export function useLeaveGuard(isDirty: boolean, mayLeave: AskToLeave): void {
  const ask = useEffectEvent(mayLeave);
  useEffect(() => {
    if (!isDirty) return;
    const end = guardInput(() => ask());
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onUnload);
    return () => {
      end();
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [isDirty]);
}

/** Leaving means another path or a new query entry; a replaced query is the page's own state. */
const isLeaving: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) =>
  hasUnsavedInput() &&
  (currentLocation.pathname !== nextLocation.pathname ||
    (currentLocation.search !== nextLocation.search && historyAction !== "REPLACE"));

/**
 * Blocks navigations while the user is asked. Mounted once: the router supports one blocker at a
 * time.
 */
export function useLeaveBlocker(): void {
  const blocker = useBlocker(isLeaving);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    let isCurrent = true;
    void mayLeavePage().then((mayLeave) => {
      if (!isCurrent) return;
      if (mayLeave) blocker.proceed();
      else blocker.reset();
    });
    return () => {
      isCurrent = false;
    };
  }, [blocker]);
}
