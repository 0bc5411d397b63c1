// 调整级别: changes the severity; the deadlines follow it.
import {
  type Malfunction,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { severityText } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { choicesOf } from "../../../ui/list/filters.tsx";
import { nameOf } from "./malfunction-status.tsx";

export interface SeverityDialogProps {
  /** Null while the dialog is closed. */
  malfunction: Malfunction | null;
  onClose: () => void;
}

export function SeverityDialog({ malfunction, onClose }: SeverityDialogProps) {
  const shown = useLast(malfunction);
  const change = useWrite(malfunctionContract.setSeverity);
  return (
    <FormDialog
      open={malfunction !== null}
      title={shown ? `调整级别：${nameOf(shown)}` : ""}
      schema={malfunctionContract.setSeverity.body}
      initial={shown ? { severity: shown.severity } : {}}
      fields={[
        {
          name: "severity",
          label: "级别",
          control: <Select options={choicesOf(severityText)} />,
          hint: "受理与处理时限按新级别、从故障发生时起重新计算",
        },
        {
          name: "reason",
          label: "原因",
          control: <Input.TextArea rows={2} maxLength={200} placeholder="如：影响整柜使用" />,
        },
      ]}
      submitText="保存"
      submit={async (body) => {
        await change.mutateAsync({ params: { id: shown?.id ?? 0 }, body });
        toast.success("级别已调整");
      }}
      onClose={onClose}
    />
  );
}
