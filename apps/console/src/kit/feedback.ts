// Toasts and questions that any code may show; the app lends the component library when it is there.

export type ToastKind = "success" | "error" | "info" | "warning";

export interface Confirmation {
  title: string;
  content?: string;
  /** 确定 unless said. */
  ok?: string;
  cancel?: string;
  isDanger?: boolean;
}

export interface FeedbackHost {
  toast: (kind: ToastKind, text: string) => void;
  confirm: (question: Confirmation) => Promise<boolean>;
}

const { promise: hostReady, resolve: resolveHost } = Promise.withResolvers<FeedbackHost>();

/** Called once by the app; what was said before is shown then. */
export function lendFeedback(host: FeedbackHost): void {
  resolveHost(host);
}

function show(kind: ToastKind, text: string): void {
  hostReady.then((host) => host.toast(kind, text));
}

export const toast = {
  success: (text: string) => show("success", text),
  error: (text: string) => show("error", text),
  info: (text: string) => show("info", text),
  warning: (text: string) => show("warning", text),
};

/** True when the user agreed. */
export async function confirm(question: Confirmation): Promise<boolean> {
  return (await hostReady).confirm(question);
}

/** What to tell the user of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : "操作未成功，请稍后重试";
}
