// Copies text, also where the browser gives a page no clipboard: without HTTPS, or by a rule of its own.
import { messageOf, toast } from "../kit/feedback.ts";

/** For a button: says what came of it. */
export async function copyAndTell(text: string, done = "已复制"): Promise<boolean> {
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
  // Inside the open dialog, which would take the focus back from outside.
  const host = focused?.closest('[role="dialog"]') ?? document.body;
  host.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error("浏览器不允许复制，请改用下载");
}
