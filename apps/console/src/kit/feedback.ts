// Toasts and confirmations for any code; the app supplies the component library once it has loaded.

export type ToastKind = "success" | "error" | "info" | "warning";

export interface Confirmation {
  title: string;
  content?: string;
  /** Default 确定. */
  ok?: string;
  cancel?: string;
  isDanger?: boolean;
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

export const toast = {
  /** With `undo`, a button 撤销 is beside the text for some seconds. */
  success: (text: string, undo?: Undo) => show("success", text, undo),
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
