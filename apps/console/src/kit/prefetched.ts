// Answers of menu and 首页 that the sign-in has returned, until the first page takes them.
import type { Prefetched, SignedIn } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { currentSession } from "./session.ts";

interface Stored {
  token: string;
  /** By this browser's clock, in milliseconds. */
  arrivedAt: number;
  answers: Partial<Prefetched>;
}

let stored: Stored | null = null;

export function storePrefetched({ token }: SignedIn, answers: Prefetched): void {
  stored = { token, arrivedAt: Date.now(), answers: { ...answers } };
}

/** Returns the answer and when it arrived; null the second time, and for any other session. */
export function takePrefetched<Name extends keyof Prefetched>(
  name: Name,
): { answer: NonNullable<Prefetched[Name]>; arrivedAt: number } | null {
  if (!stored || stored.token !== currentSession()?.token) return null;
  const { [name]: answer, ...rest } = stored.answers;
  stored.answers = rest;
  return answer ? { answer, arrivedAt: stored.arrivedAt } : null;
}
