// Sticky bar of the edit page: unsaved parts, conflicts, buttons.
import Alert from "antd/es/alert";
import { Button } from "../../../ui/display/button.tsx";

export interface CabinetEditBarProps {
  /** Names of the parts with unsaved changes. */
  changed: readonly string[];
  failure: string | null;
  isBusy: boolean;
  /** Concurrent save by somebody else: their name and the parts they changed. */
  newer: { by: string | null; parts: readonly string[] } | null;
  /** Loads the newest version and discards the input. */
  onReset: () => void;
  /** Keeps the input and bases it on the newest version. */
  onKeep: () => void;
}

export function CabinetEditBar(props: CabinetEditBarProps) {
  const { changed, failure, isBusy, newer, onReset, onKeep } = props;
  const isDirty = changed.length > 0;
  return (
    <div className="cabinet-edit-bar">
      {newer && (
        <Alert
          type="warning"
          showIcon
          role="alert"
          title={`${newer.by ?? "其他人"}刚刚保存了新的内容${newer.parts.length > 0 ? `（${newer.parts.join("、")}）` : ""}`}
          description="您填写的内容仍在。载入最新会放弃您的修改；保留则以您填写的为准，保存时覆盖他人的修改。"
          action={
            <span className="cabinet-edit-choices">
              <Button size="small" onClick={onReset}>
                载入最新
              </Button>
              <Button size="small" onClick={onKeep}>
                保留我的修改
              </Button>
            </span>
          }
        />
      )}
      {failure && !newer && <Alert type="error" showIcon role="alert" title={failure} />}
      <div className="cabinet-edit-bar-line">
        <span className="cabinet-edit-changed" role="status">
          {isDirty ? `未保存的修改：${changed.join("、")}` : "暂无修改"}
        </span>
        <Button disabled={!isDirty || isBusy} onClick={onReset}>
          撤销修改
        </Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={isBusy}
          disabled={!isDirty || newer !== null}
        >
          保存
        </Button>
      </div>
    </div>
  );
}
