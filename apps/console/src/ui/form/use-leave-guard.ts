// Confirms before unsaved input is lost by links, Back and Forward, navigations in code, reload or
// closing.
import { useEffect, useEffectEvent } from "react";
import { type BlockerFunction, useBlocker } from "react-router";

/** Asks the user; true: the input may be discarded. */
type Ask = () => Promise<boolean>;

/** One for each form with unsaved input; the last one is on top of the others. */
const guards = new Set<Ask>();

/** While `isDirty`, leaving the page calls `mayLeave`. */
export function useLeaveGuard(isDirty: boolean, mayLeave: Ask): void {
  const ask = useEffectEvent(mayLeave);
  useEffect(() => {
    if (!isDirty) return;
    const guard = () => ask();
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    guards.add(guard);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      guards.delete(guard);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [isDirty]);
}

let asking: Promise<boolean> | null = null;

/** For leaving the page without a navigation: asks once if there is unsaved input. */
export async function mayLeavePage(): Promise<boolean> {
  const guard = [...guards].at(-1);
  if (!guard) return true;
  asking ??= guard().finally(() => {
    asking = null;
  });
  return asking;
}

/** Same before a navigation in code, which then does not ask again. */
export async function leavePage(): Promise<boolean> {
  const mayLeave = await mayLeavePage();
  if (mayLeave) releasePage();
  return mayLeave;
}

/** After a save: the next navigation does not ask. */
export function releasePage(): void {
  guards.clear();
}

/** Leaving means another path or a new query entry; a replaced query is the page's own state. */
const isLeaving: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) =>
  guards.size > 0 &&
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
