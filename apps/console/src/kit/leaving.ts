// Unsaved input of the open forms, and the question before it is lost.

/** Asks the user; true: the input may be discarded. */
export type AskToLeave = () => Promise<boolean>;

/** One for each form with unsaved input; the last one is on top of the others. */
const guards = new Set<AskToLeave>();

export const hasUnsavedInput = (): boolean => guards.size > 0;

/** Asks before the input of a form is lost; returns the function that ends this. */
export function guardInput(ask: AskToLeave): () => void {
  guards.add(ask);
  return () => guards.delete(ask);
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
