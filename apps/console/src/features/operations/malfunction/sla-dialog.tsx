// 处理时限: response and resolution terms for each severity.

import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  SEVERITIES,
  type Severity,
  type SlaTerms,
  severityText,
  slaProblem,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import InputNumber from "antd/es/input-number";
import { useState } from "react";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { SeverityMark } from "./malfunction-status.tsx";

type Terms = Record<Severity, SlaTerms>;
const Form = Type.Object({ terms: Type.Unsafe<Terms>({}) });

type Sla = Reply<typeof malfunctionContract.sla>;

export interface SlaDialogProps {
  isOpen: boolean;
  tenantId: number | undefined;
  onClose: () => void;
}

export function SlaDialog({ isOpen, tenantId, onClose }: SlaDialogProps) {
  const answer = useCall(
    malfunctionContract.sla,
    { query: tenantId ? { tenantId } : {} },
    { enabled: isOpen, staleTime: 0, toasts: true },
  );
  // Kept as it was when it opened: what somebody else saves meanwhile must not take what is typed.
  const [sla, setSla] = useState<Sla | null>(null);
  if (!isOpen && sla) setSla(null);
  if (isOpen && !sla && answer.data && !answer.isFetching) setSla(answer.data);
  if (!sla) return null;
  return <OpenSlaDialog sla={sla} isOpen={isOpen} tenantId={tenantId} onClose={onClose} />;
}

interface OpenSlaDialogProps extends SlaDialogProps {
  sla: Sla;
}

function OpenSlaDialog({ sla, isOpen, tenantId, onClose }: OpenSlaDialogProps) {
  const save = useWrite(malfunctionContract.saveSla);
  return (
    <FormDialog
      open={isOpen}
      title="故障处理时限"
      schema={Form}
      initial={{ terms: sla.terms }}
      fields={[
        {
          name: "terms",
          label: "按级别",
          control: <TermsInput />,
          problem: (value) =>
            isWhole(value) ? slaProblem(value) : "请填写每一级别的受理时限和处理时限",
        },
      ]}
      submit={async ({ terms }) => {
        const body = { terms, editVersion: sla.editVersion, ...(tenantId && { tenantId }) };
        await save.mutateAsync({ body });
        toast.success("处理时限已保存，对之后的故障生效");
      }}
      onClose={onClose}
    >
      <p>
        从故障登记起计算；超过时限的故障在列表中标红，可按“超时”筛选。已登记的故障仍按原来的时限。
        {sla.editedBy && `最近由${sla.editedBy}修改。`}
      </p>
    </FormDialog>
  );
}

function isWhole(value: unknown): value is Terms {
  const terms = value as Partial<Record<Severity, Partial<SlaTerms>>> | undefined;
  return SEVERITIES.every(
    (severity) => terms?.[severity]?.respondMinutes && terms[severity].resolveMinutes,
  );
}

function TermsInput({ value, onChange }: Control<Terms>) {
  const cell = (severity: Severity, name: keyof SlaTerms, what: string) => (
    <InputNumber
      aria-label={`${severityText[severity]}的${what}`}
      min={1}
      precision={0}
      suffix="分钟"
      value={value?.[severity][name] ?? null}
      onChange={(minutes) =>
        value && onChange?.({ ...value, [severity]: { ...value[severity], [name]: minutes } })
      }
    />
  );
  return (
    <div className="malfunction-terms">
      <b>级别</b>
      <b>受理时限</b>
      <b>处理时限</b>
      {SEVERITIES.map((severity) => [
        <span key={severity}>
          <SeverityMark of={severity} />
        </span>,
        cell(severity, "respondMinutes", "受理时限"),
        cell(severity, "resolveMinutes", "处理时限"),
      ])}
    </div>
  );
}
