// Toasts and confirmations for any code; the app supplies the component library once it has loaded.
import { REPLAYED_TEXT } from "@cabinet/contract/kit/repeat.rules.ts";

export type ToastKind = "success" | "error" | "info" | "warning";

export interface Confirmation {
  title: string;
  content?: string;
  /** Default 确定. */
  ok?: string;
  cancel?: string;
  isDanger?: boolean;
  /** Takes the question back: it is answered with false. */
  signal?: AbortSignal;
}

/** Makes the opposite call of what the toast reports. */
export type Undo = () => Promise<unknown>;

export interface FeedbackHost {
  toast: (kind: ToastKind, text: string, undo?: Undo) => void;
  confirm: (question: Confirmation) => Promise<boolean>;
}

const { promise: hostReady, resolve: resolveHost } = Promise.withResolvers<FeedbackHost>();

/** Called once by the app; earlier calls are queued and shown then. */
export function lendFeedback(host: FeedbackHost): void {
  resolveHost(host);
}

function show(kind: ToastKind, text: string, undo?: Undo): void {
  hostReady.then((host) => host.toast(kind, text, undo));
}

/** Longer than a caller takes from the answer to its toast. */
const UNTOLD_MS = 1_000;
let untold: ReturnType<typeof setTimeout> | null = null;

/** The answer that arrives now is that of an earlier press: the success that its caller reports is told as such. */
export function noteReplay(): void {
  takeReplay();
  untold = setTimeout(() => takeReplay() && show("warning", REPLAYED_TEXT), UNTOLD_MS);
}

/** True, once, for a caller that says itself that nothing was done again. */
export function takeReplay(): boolean {
  const isUntold = untold !== null;
  clearTimeout(untold ?? undefined);
  untold = null;
  return isUntold;
}

export const toast = {
  /** With `undo`, a button 撤销 is beside the text for some seconds. */
  success: (text: string, undo?: Undo) =>
    takeReplay() ? show("warning", REPLAYED_TEXT) : show("success", text, undo),
  error: (text: string) => show("error", text),
  info: (text: string) => show("info", text),
  warning: (text: string) => show("warning", text),
};

/** Resolves to true if the user agreed. */
export async function confirm(question: Confirmation): Promise<boolean> {
  return (await hostReady).confirm(question);
}

/** Message for the user from anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : "操作未成功，请稍后重试";
}
