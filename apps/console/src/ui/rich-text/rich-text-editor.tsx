// Rich-text editor limited to the tags of the allow-list; uploads images and sanitizes pasted HTML.
import { EditorContent, useEditor, useEditorState } from "@tiptap/react";
import { useContext, useEffect, useRef, useState } from "react";
import { ApiError } from "../../kit/errors.ts";
import { messageOf, toast } from "../../kit/feedback.ts";
import { Button } from "../display/button.tsx";
import { Modal } from "../display/overlays.tsx";
import type { Control } from "../form/control.ts";
import { RunningUploads } from "../form/running-uploads.ts";
import { cleanPasted } from "./clean-html.ts";
import { richTextExtensions } from "./rich-text-extensions.ts";
import { RichTextToolbar } from "./rich-text-toolbar.tsx";
import { imageProblem, type RichTextUpload, sendImage } from "./rich-text-upload.ts";
import { RichTextView } from "./rich-text-view.tsx";
import "./rich-text.css";
import "./rich-text-editor.css";

export interface RichTextEditorProps extends Control<string> {
  /** Accessible name. */
  label: string;
  upload: RichTextUpload;
  /** Owner of the images; default: the session's tenant. */
  tenantId?: number | undefined;
  placeholder?: string;
}

const imagesIn = (files: FileList | null | undefined) =>
  [...(files ?? [])].filter((file) => file.type.startsWith("image/"));

export function RichTextEditor(props: RichTextEditorProps) {
  const { label, upload, tenantId, placeholder = "请输入正文", id, value = "", onChange } = props;
  const [sending, setSending] = useState(0);
  const [preview, setPreview] = useState<string | null>(null);
  const running = useContext(RunningUploads);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);

  const editor = useEditor({
    extensions: richTextExtensions,
    content: value,
    // The content security policy forbids injected style elements.
    injectCSS: false,
    editorProps: {
      attributes: {
        ...(id && { id }),
        class: "ui-rich-text ui-editor-text",
        role: "textbox",
        "aria-label": label,
        "aria-multiline": "true",
      },
      transformPastedHTML: cleanPasted,
      handlePaste: (_, event) => take(imagesIn(event.clipboardData?.files)),
      handleDrop: (_, event) => take(imagesIn((event as DragEvent).dataTransfer?.files)),
    },
    onUpdate: ({ editor: changed }) => onChange?.(changed.isEmpty ? "" : changed.getHTML()),
  });
  const facts = useEditorState({
    editor,
    selector: ({ editor: shown }) => ({
      isEmpty: shown?.isEmpty ?? true,
      length: shown?.state.doc.textContent.length ?? 0,
    }),
  });

  function take(files: File[]): boolean {
    for (const file of files) void insert(file);
    return files.length > 0;
  }

  const insert = async (file: File) => {
    const problem = imageProblem(file);
    if (problem) {
      toast.warning(problem);
      return;
    }
    setSending((count) => count + 1);
    running.count += 1;
    try {
      const { address, name } = await sendImage(upload, file, tenantId, leaving.current.signal);
      const alt = name.replace(/\.[^.]+$/, "");
      editor?.chain().focus().setImage({ src: address, alt }).run();
    } catch (error) {
      const isCancelled = error instanceof ApiError && error.kind === "aborted";
      if (!isCancelled) toast.error(messageOf(error));
    } finally {
      running.count -= 1;
      setSending((count) => count - 1);
    }
  };

  if (!editor) return null;
  return (
    <div className="ui-editor">
      <RichTextToolbar editor={editor} onImage={(file) => void insert(file)} />
      <div className="ui-editor-body">
        {facts?.isEmpty && (
          <span className="ui-editor-placeholder" aria-hidden="true">
            {placeholder}
          </span>
        )}
        <EditorContent editor={editor} />
      </div>
      <footer className="ui-editor-foot">
        <span role="status">
          {sending > 0 ? `正在上传 ${sending} 张图片…` : `${facts?.length ?? 0} 字`}
        </span>
        <Button
          size="small"
          disabled={facts?.isEmpty ?? true}
          onClick={() => setPreview(editor.getHTML())}
        >
          预览
        </Button>
      </footer>
      <Modal
        open={preview !== null}
        title="预览"
        footer={null}
        width={700}
        scrollLock={false}
        destroyOnHidden
        onCancel={() => setPreview(null)}
      >
        <RichTextView html={preview ?? ""} />
      </Modal>
    </div>
  );
}
