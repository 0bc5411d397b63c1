// Renews the service of one or more cabinets by months or until a day, with a preview for each.
import {
  cabinetServiceContract,
  RenewalFields,
  type ServicedCabinet,
} from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { Strict } from "@cabinet/contract/kit/fields.ts";
import {
  type Renewal,
  type RenewalProblem,
  renewalProblemText,
  renewPeriod,
} from "@cabinet/contract/kit/service-period.rules.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import { type Static, Type } from "typebox";
import { type Term, TermInput, termProblem } from "../../../domain/cabinet/term-input.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { DayInput } from "../../../ui/form/day-input.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { idsOf } from "./service-actions.tsx";
import "./renew-dialog.css";

const RenewalForm = Strict({
  term: Type.Unsafe<Term>(Type.Object({})),
  startsOn: RenewalFields.startsOn,
  reason: RenewalFields.reason,
});
type RenewalForm = Static<typeof RenewalForm>;

const initial: Partial<RenewalForm> = { term: { months: 12 } };

export interface RenewDialogProps {
  /** Empty: the dialog is closed. */
  cabinets: readonly ServicedCabinet[];
  onClose: () => void;
  onDone: () => void;
}

export function RenewDialog({ cabinets, onClose, onDone }: RenewDialogProps) {
  const renew = useWrite(cabinetServiceContract.renew);
  const today = cabinets[0]?.today;
  const isAnyRunning = cabinets.some(isRunning);
  const isFirst = cabinets.every(({ service }) => service.endsOn === null);
  const fields: FieldOf<typeof RenewalForm>[] = [
    {
      name: "term",
      label: "续期",
      control: <TermInput from={today} />,
      problem: termProblem,
      hint: "正在服务的从到期日接续；未设置或已到期的从今天开始。",
    },
    ...(isAnyRunning
      ? []
      : [
          {
            name: "startsOn" as const,
            label: "开始日期（可不填，默认今天）",
            control: <DayInput placeholder="今天" />,
          },
        ]),
    {
      name: "reason",
      label: "原因",
      control: <Input.TextArea rows={2} maxLength={200} placeholder="如：合同续签，记入操作记录" />,
    },
  ];
  return (
    <FormDialog
      open={cabinets.length > 0}
      title={isFirst ? "开通服务" : "续期"}
      width={600}
      schema={RenewalForm}
      fields={fields}
      initial={initial}
      submitText={
        cabinets.length > 1 ? `续期 ${cabinets.length} 台设备` : isFirst ? "开通" : "续期"
      }
      submit={async ({ term, startsOn, reason }) => {
        const { changed } = await renew.mutateAsync({
          body: {
            cabinetIds: idsOf(cabinets),
            endsOnBefore: cabinets.map(({ service }) => service.endsOn),
            ...term,
            ...(startsOn && { startsOn }),
            reason,
          },
        });
        toast.success(`已更新 ${changed} 台设备的服务期`);
        onDone();
      }}
      onClose={onClose}
    >
      <Preview cabinets={cabinets} />
    </FormDialog>
  );
}

function isRunning({ service: { startsOn, endsOn }, today }: ServicedCabinet): boolean {
  return startsOn !== null && endsOn !== null && startsOn <= today && endsOn >= today;
}

/** Preview for the current input, calculated by the server's rule and day. */
function Preview({ cabinets }: { cabinets: readonly ServicedCabinet[] }) {
  const term = Form.useWatch<Term | undefined>("term") ?? initial.term;
  const startsOn = Form.useWatch<string | undefined>("startsOn");
  const isReady = term !== undefined && termProblem(term) === null;
  return (
    <div className="renewal">
      <table>
        <thead>
          <tr>
            <th>设备</th>
            <th>当前到期日</th>
            <th>续期后</th>
          </tr>
        </thead>
        <tbody>
          {cabinets.map((cabinet) => {
            const request = { ...term, ...(startsOn && { startsOn }) };
            const renewal = isReady && renewPeriod(cabinet.service, request, cabinet.today);
            return (
              <tr key={cabinet.cabinetId}>
                <th scope="row">
                  {cabinet.name}
                  {cabinet.service.state === "STOPPED" && <small>已停止，续期后仍需恢复服务</small>}
                </th>
                <td>{cabinet.service.endsOn ?? "未设置"}</td>
                <td>
                  {renewal ? <Outcome renewal={renewal} from={cabinet.service.startsOn} /> : "—"}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface OutcomeProps {
  renewal: Renewal | RenewalProblem;
  /** Present first day of the service. */
  from: string | null;
}

function Outcome({ renewal, from }: OutcomeProps) {
  if (typeof renewal === "string") {
    return <span className="renewal-problem">{renewalProblemText[renewal]}</span>;
  }
  return (
    <>
      <b>{renewal.endsOn}</b>
      {renewal.action === "ADJUSTED" && <span className="renewal-problem">（提前）</span>}
      {renewal.startsOn !== from && <span className="renewal-from">从 {renewal.startsOn} 起</span>}
    </>
  );
}
