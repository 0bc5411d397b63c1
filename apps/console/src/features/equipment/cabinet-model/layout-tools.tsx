// Toolbar of the layout editor: size, undo and redo, numbering, board addresses, copying another
// layout.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { MAX_COLUMNS, MAX_ROWS } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import Dropdown from "antd/es/dropdown";
import InputNumber from "antd/es/input-number";
import Select from "antd/es/select";
import { useId } from "react";
import { call } from "../../../kit/api.ts";
import { messageOf, toast } from "../../../kit/feedback.ts";
import { useCall } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { type Draft, draftOf, fillAddresses, renumber, resize } from "./layout-draft.rules.ts";

interface LayoutToolsProps {
  draft: Draft;
  modelId: number | null;
  onDraft: (draft: Draft, kind?: string) => void;
  /** Undefined when there is nothing to undo or redo. */
  onUndo: (() => void) | undefined;
  onRedo: (() => void) | undefined;
}

const CHANNELS = [8, 12, 16, 24];
const addressItems = [
  { key: "column", label: "每列一块板：01-01、01-02…" },
  ...CHANNELS.map((count) => ({ key: String(count), label: `按格口号连续接线，每板 ${count} 路` })),
];

export function LayoutTools({ draft, modelId, onDraft, onUndo, onRedo }: LayoutToolsProps) {
  const id = useId();
  const { columns, rows } = draft;
  return (
    <div className="layout-tools">
      <label htmlFor={`${id}-columns`}>列数</label>
      <InputNumber
        id={`${id}-columns`}
        min={1}
        max={MAX_COLUMNS}
        precision={0}
        value={columns}
        onChange={(value) => value && onDraft(resize(draft, value, rows), "columns")}
      />
      <label htmlFor={`${id}-rows`}>行数</label>
      <InputNumber
        id={`${id}-rows`}
        min={1}
        max={MAX_ROWS}
        precision={0}
        value={rows}
        onChange={(value) => value && onDraft(resize(draft, columns, value), "rows")}
      />
      <span className="layout-tools-group">
        <Button disabled={!onUndo} onClick={onUndo}>
          撤销
        </Button>
        <Button disabled={!onRedo} onClick={onRedo}>
          重做
        </Button>
      </span>
      <Dropdown
        autoFocus
        trigger={["click"]}
        menu={{
          items: [
            { key: "columns", label: "逐列，自上而下" },
            { key: "rows", label: "逐行，自左而右" },
          ],
          onClick: ({ key }) => onDraft(renumber(draft, key === "rows" ? "rows" : "columns")),
        }}
      >
        <Button>自动编号</Button>
      </Dropdown>
      <Dropdown
        autoFocus
        trigger={["click"]}
        menu={{
          items: addressItems,
          onClick: ({ key }) =>
            onDraft(fillAddresses(draft, key === "column" ? null : Number(key))),
        }}
      >
        <Button>填写驱动板地址</Button>
      </Dropdown>
      <CopyFrom modelId={modelId} onDraft={onDraft} />
    </div>
  );
}

function CopyFrom({ modelId, onDraft }: Pick<LayoutToolsProps, "modelId" | "onDraft">) {
  const models = useCall(cabinetModelContract.options, {}, { toasts: true });
  const copy = async (id: number) => {
    try {
      const { layout, name } = await call(cabinetModelContract.get, { params: { id } });
      onDraft(draftOf(layout));
      toast.success(`已套用“${name}”的布局，可以撤销`);
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
  return (
    <Select<number>
      className="layout-copy"
      aria-label="套用其他类型的布局"
      placeholder="套用其他类型的布局"
      showSearch={{ optionFilterProp: "label" }}
      loading={models.isLoading}
      value={null}
      options={(models.data ?? [])
        .filter((model) => model.id !== modelId)
        .map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => void copy(id)}
    />
  );
}
