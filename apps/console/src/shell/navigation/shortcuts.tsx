// 快捷键: dialog with the keys of the console, opened by `?`.
import { type ReactNode, useEffect, useState } from "react";
import { Dialog } from "../dialog.tsx";
import "./shortcuts.css";

const groups: readonly [title: string, keys: readonly (readonly [string, string])[]][] = [
  [
    "全局",
    [
      ["Ctrl K", "打开搜索"],
      ["?", "查看快捷键"],
      ["Esc", "关闭弹窗、抽屉和菜单"],
      ["Enter", "查询；确认弹窗"],
    ],
  ],
  [
    "列表",
    [
      ["J", "详情中：下一条"],
      ["K", "详情中：上一条"],
    ],
  ],
  [
    "格口管理",
    [
      ["← ↑ → ↓", "选择格口"],
      ["Home / End", "第一个、最后一个格口"],
      ["Enter", "查看格口"],
      ["O", "开门"],
    ],
  ],
  [
    "盘点",
    [
      ["← →", "上一格、下一格"],
      ["C", "更正差异"],
      ["Enter", "确认并到下一格"],
    ],
  ],
  [
    "设备型号布局",
    [
      ["Ctrl A", "全选格口"],
      ["Delete", "删除所选"],
      ["Ctrl Z / Ctrl Y", "撤销、重做"],
    ],
  ],
];

/** Typed text and open dialogs keep their `?`. */
const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest("input, textarea, select, [contenteditable], dialog, [role=dialog]") !== null;

/** The dialog while it is open. */
export function useShortcuts(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key === "?" && !event.ctrlKey && !event.altKey && !event.metaKey;
      if (!isShortcut || event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      setIsOpen(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title="快捷键" width={660} onClose={() => setIsOpen(false)}>
      <div className="shortcuts">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
