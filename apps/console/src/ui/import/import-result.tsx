// Last import step: the account of all lines, what the noun adds, and the lines that stayed behind.
import Alert from "antd/es/alert";
import type { ReactNode } from "react";
import { Button } from "../display/button.tsx";
import type { JudgedLine, ReadLines } from "./import.rules.ts";
import { ImportLines } from "./import-lines.tsx";
import { ImportAccount, SaveBadLines } from "./import-preview.tsx";
import type { ImportReply, ImportSpec } from "./import-spec.ts";

export interface ImportResultProps<Name extends string, Reply extends ImportReply> {
  spec: ImportSpec<Name, Reply>;
  reply: Reply;
  read: ReadLines<Name>;
  /** All lines of the file, including lines that were not sent. */
  lines: readonly JudgedLine<Name>[];
  onAgain: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function ImportResult<Name extends string, Reply extends ImportReply>(
  props: ImportResultProps<Name, Reply>,
) {
  const { spec, reply, lines, onAgain, onClose } = props;
  const left = lines.filter(({ state }) => state !== "done");
  const done = `已导入 ${reply.imported} ${spec.unit}`;
  return (
    <>
      <Alert
        type={left.length > 0 ? "warning" : "success"}
        showIcon
        role="status"
        title={left.length > 0 ? `${done}，${left.length} 行没有导入` : done}
      />
      <ImportAccount read={props.read} lines={lines} isDone />
      {props.children}
      {left.length > 0 && (
        <section className="import-left">
          <h3>没有导入的行</h3>
          <ImportLines thing={spec.thing} columns={spec.columns} lines={left} />
        </section>
      )}
      <div className="import-buttons">
        <SaveBadLines spec={spec} lines={left} />
        <Button onClick={onAgain}>导入其他文件</Button>
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
      </div>
    </>
  );
}
