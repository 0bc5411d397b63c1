// Note above a form whose unsaved input was restored; it can be given up.
import Alert from "antd/es/alert";
import { Button } from "../display/button.tsx";
import type { Restored } from "./draft.ts";

interface RestoredNoteProps {
  restored: Restored;
  fields: readonly { name: string; label: string }[];
  onForget: () => void;
}

export function RestoredNote({ restored, fields, onForget }: RestoredNoteProps) {
  return (
    <Alert
      className="ui-form-wide"
      type="info"
      showIcon
      role="status"
      title={textOf(restored, fields)}
      action={<Button onClick={onForget}>放弃恢复</Button>}
    />
  );
}

function textOf(
  { values, omitted, isOutdated }: Restored,
  fields: RestoredNoteProps["fields"],
): string {
  const labels = fields.filter(({ name }) => omitted.includes(name)).map(({ label }) => label);
  const without = labels.join("、");
  const note =
    Object.keys(values).length > 0
      ? `已恢复上次未保存的内容${without && `（不含${without}）`}`
      : `上次未保存的${without}没有保留，请重新填写`;
  return `${note}${isOutdated ? "；这条记录后来有改动，请核对后再保存" : ""}`;
}
