// Toolbar of the rich-text editor: each button is labelled and shows whether it is active at the
// cursor.

import { fileKindRules } from "@cabinet/contract/kit/upload.rules.ts";
import { linkProblem } from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import { type Editor, useEditorState } from "@tiptap/react";
import Input from "antd/es/input";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "../display/button.tsx";
import "../display/basics.css";

interface Tool {
  key: string;
  title: string;
  text: ReactNode;
  isOn?: (editor: Editor) => boolean;
  isBlocked?: (editor: Editor) => boolean;
  run: (editor: Editor) => void;
}

const groups: Tool[][] = [
  [
    {
      key: "undo",
      title: "撤销",
      text: "撤销",
      isBlocked: (editor) => !editor.can().undo(),
      run: (editor) => editor.chain().focus().undo().run(),
    },
    {
      key: "redo",
      title: "重做",
      text: "重做",
      isBlocked: (editor) => !editor.can().redo(),
      run: (editor) => editor.chain().focus().redo().run(),
    },
  ],
  [
    {
      key: "h2",
      title: "大标题",
      text: "大标题",
      isOn: (editor) => editor.isActive("heading", { level: 2 }),
      run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
    },
    {
      key: "h3",
      title: "小标题",
      text: "小标题",
      isOn: (editor) => editor.isActive("heading", { level: 3 }),
      run: (editor) => editor.chain().focus().toggleHeading({ level: 3 }).run(),
    },
  ],
  [
    {
      key: "bold",
      title: "加粗（Ctrl+B）",
      text: <b>B</b>,
      isOn: (editor) => editor.isActive("bold"),
      run: (editor) => editor.chain().focus().toggleBold().run(),
    },
    {
      key: "italic",
      title: "斜体（Ctrl+I）",
      text: <i>I</i>,
      isOn: (editor) => editor.isActive("italic"),
      run: (editor) => editor.chain().focus().toggleItalic().run(),
    },
    {
      key: "underline",
      title: "下划线（Ctrl+U）",
      text: <u>U</u>,
      isOn: (editor) => editor.isActive("underline"),
      run: (editor) => editor.chain().focus().toggleUnderline().run(),
    },
    {
      key: "strike",
      title: "删除线",
      text: <s>S</s>,
      isOn: (editor) => editor.isActive("strike"),
      run: (editor) => editor.chain().focus().toggleStrike().run(),
    },
  ],
  [
    {
      key: "bullet",
      title: "项目符号列表",
      text: "符号列表",
      isOn: (editor) => editor.isActive("bulletList"),
      run: (editor) => editor.chain().focus().toggleBulletList().run(),
    },
    {
      key: "ordered",
      title: "编号列表",
      text: "编号列表",
      isOn: (editor) => editor.isActive("orderedList"),
      run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    },
    {
      key: "quote",
      title: "引用",
      text: "引用",
      isOn: (editor) => editor.isActive("blockquote"),
      run: (editor) => editor.chain().focus().toggleBlockquote().run(),
    },
    {
      key: "rule",
      title: "分隔线",
      text: "分隔线",
      run: (editor) => editor.chain().focus().setHorizontalRule().run(),
    },
    {
      key: "clear",
      title: "清除格式",
      text: "清除格式",
      run: (editor) => editor.chain().focus().unsetAllMarks().clearNodes().run(),
    },
  ],
];

interface RichTextToolbarProps {
  editor: Editor;
  onImage: (file: File) => void;
}

export function RichTextToolbar({ editor, onImage }: RichTextToolbarProps) {
  const [isLinking, setIsLinking] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const state = useEditorState({
    editor,
    selector: ({ editor: shown }) => ({
      on: groups.flat().flatMap((tool) => (tool.isOn?.(shown) ? [tool.key] : [])),
      blocked: groups.flat().flatMap((tool) => (tool.isBlocked?.(shown) ? [tool.key] : [])),
      isLink: shown.isActive("link"),
    }),
  });
  return (
    <>
      <div className="ui-editor-tools ui-sideways" role="toolbar" aria-label="排版">
        {groups.map((tools) => (
          <span key={tools[0]?.key} className="ui-editor-group">
            {tools.map(({ key, title, text, isOn, run }) => (
              <button
                key={key}
                type="button"
                title={title}
                aria-label={title}
                disabled={state.blocked.includes(key)}
                {...(isOn && { "aria-pressed": state.on.includes(key) })}
                onClick={() => run(editor)}
              >
                {text}
              </button>
            ))}
          </span>
        ))}
        <span className="ui-editor-group">
          <button
            type="button"
            title="插入或修改链接"
            aria-pressed={state.isLink}
            onClick={() => setIsLinking(true)}
          >
            链接
          </button>
          <button type="button" title="插入图片" onClick={() => chooser.current?.click()}>
            图片
          </button>
          <input
            ref={chooser}
            type="file"
            // Not `hidden`: antd shows every file input inside a form.
            style={{ display: "none" }}
            aria-label="选择图片"
            accept={fileKindRules.IMAGE.accept}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) onImage(file);
              target.value = "";
            }}
          />
        </span>
      </div>
      {isLinking && <LinkBar editor={editor} onClose={() => setIsLinking(false)} />}
    </>
  );
}

/** Not a `<form>`: it is nested inside one. */
function LinkBar({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const before = String(editor.getAttributes("link").href ?? "");
  const [link, setLink] = useState(before);
  const [problem, setProblem] = useState<string | null>(null);
  const apply = () => {
    const found = linkProblem(link);
    setProblem(found);
    if (found) return;
    const href = link.trim();
    const chain = editor.chain().focus().extendMarkRange("link");
    if (editor.state.selection.empty && before === "") {
      const mark = { type: "link", attrs: { href } };
      chain.insertContent({ type: "text", text: href, marks: [mark] }).run();
    } else chain.setLink({ href }).run();
    onClose();
  };
  const remove = () => {
    editor.chain().focus().extendMarkRange("link").unsetLink().run();
    onClose();
  };
  return (
    <div className="ui-editor-link">
      <Input
        autoFocus
        aria-label="链接地址"
        placeholder="https://、mailto: 或 tel:"
        maxLength={500}
        value={link}
        status={problem ? "error" : ""}
        onChange={(event) => setLink(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (event.key !== "Enter") return;
          event.preventDefault();
          apply();
        }}
      />
      <Button type="primary" onClick={apply}>
        确定
      </Button>
      {before && <Button onClick={remove}>取消链接</Button>}
      <Button onClick={onClose}>关闭</Button>
      {problem && (
        <p className="ui-editor-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
