// Copies text, with a fallback where the clipboard API is missing (no HTTPS) or denied by policy.
import { messageOf, toast } from "../../kit/feedback.ts";

/** Copies for a button and shows the result as a toast. */
export async function copyWithToast(text: string, done = "已复制"): Promise<boolean> {
  try {
    await copyText(text);
    toast.success(done);
    return true;
  } catch (error) {
    toast.error(messageOf(error));
    return false;
  }
}

export async function copyText(text: string): Promise<void> {
  try {
    return await navigator.clipboard.writeText(text);
  } catch {
    copyAsSelection(text);
  }
}

function copyAsSelection(text: string): void {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "visually-hidden";
  const focused = document.activeElement;
  // Appended inside the open dialog: its focus trap would take the focus back from outside.
  const host = focused?.closest('dialog, [role="dialog"]') ?? document.body;
  host.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error("浏览器不允许复制，请改用下载");
}
