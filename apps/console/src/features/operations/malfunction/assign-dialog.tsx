// 派单 and 转派: choose an assignee among accounts that see the store and may work on malfunctions.

import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { Id, Strict } from "@cabinet/contract/kit/fields.ts";
import {
  type Malfunction,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import Input from "antd/es/input";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { OneSelect } from "../../../ui/form/one-select.tsx";
import { placeText } from "./malfunction-status.tsx";

const Form = Strict({
  operatorId: Type.Integer({ ...Id, title: "处理人" }),
  note: Type.Optional(Type.String({ title: "派单说明", maxLength: 200 })),
});

export interface Assigning {
  rows: readonly Malfunction[];
  /** Called after the assignment; clears the row selection. */
  onDone?: () => void;
}

export interface AssignDialogProps {
  /** Null while the dialog is closed. */
  assigning: Assigning | null;
  onClose: () => void;
}

export function AssignDialog({ assigning, onClose }: AssignDialogProps) {
  const last = useLast(assigning);
  const shown = last?.rows ?? [];
  const assign = useWrite(malfunctionContract.assign);
  const ids = shown.map(({ id }) => id);
  const answer = useCall(
    malfunctionContract.assignees,
    { query: { ids: ids.join(",") } },
    { enabled: assigning !== null },
  );
  const options = answer.data?.map(({ id, name, userType, openCount }) => ({
    id,
    name: `${name}（${userTypeText[userType]}，手上 ${openCount} 条）`,
  }));
  const [first] = shown;
  const isOne = shown.length === 1 && first;
  return (
    <FormDialog
      open={assigning !== null}
      title={`${isOne && first.assigneeName ? "转派" : "派单"}：${isOne ? `#${first.id} ${placeText(first)}` : `${ids.length} 条故障`}`}
      schema={Form}
      fields={[
        {
          name: "operatorId",
          label: "处理人",
          control: (
            <OneSelect
              answer={{ data: options, isLoading: answer.isLoading }}
              placeholder="选择能看到该门店的人员"
            />
          ),
          hint: answer.error?.message ?? "本人会收到后台提醒；按维护消息规则可同时发短信",
        },
        {
          name: "note",
          label: "派单说明",
          control: (
            <Input.TextArea rows={2} maxLength={200} placeholder="如：带一把备用锁，下午前处理" />
          ),
        },
      ]}
      submitText="派单"
      submit={async ({ operatorId, note = "" }) => {
        await assign.mutateAsync({ body: { ids, operatorId, note } });
        const name = answer.data?.find(({ id }) => id === operatorId)?.name ?? "";
        toast.success(`已派给${name}`);
        last?.onDone?.();
      }}
      onClose={onClose}
    >
      {isOne && first.assigneeName && (
        <p>现在由{first.assigneeName}处理，转派后需要新处理人重新受理。</p>
      )}
    </FormDialog>
  );
}
