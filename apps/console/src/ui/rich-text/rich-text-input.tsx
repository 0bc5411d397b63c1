// Form control for rich text; the editor is a lazy chunk.
import { RICH_TEXT_MAX } from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import { latePart } from "../display/late-part.tsx";
import type { RichTextEditorProps } from "./rich-text-editor.tsx";
import "./rich-text-editor.css";

export const RichTextInput = latePart<RichTextEditorProps>(
  async () => (await import("./rich-text-editor.tsx")).RichTextEditor,
  { waiting: <output className="ui-editor ui-editor-place">正在打开编辑器…</output> },
);

/** Form validation beyond the field's schema. */
export function richTextProblem(value: unknown): string | null {
  const { length } = String(value ?? "");
  if (length <= RICH_TEXT_MAX) return null;
  return `内容过长（含格式共 ${length} 个字符，最多 ${RICH_TEXT_MAX}），请删减后再保存`;
}
