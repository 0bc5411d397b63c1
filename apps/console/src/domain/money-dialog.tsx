// One dialog for refunds and charges: an amount within a limit and a reason, each with presets, and a preview.
import { Reason, Strict } from "@cabinet/contract/kit/fields.ts";
import Form from "antd/es/form";
import type { ReactNode } from "react";
import { type Static, Type } from "typebox";
import { confirm, toast } from "../kit/feedback.ts";
import { formatMoney } from "../kit/format.ts";
import { FormDialog } from "../ui/form/form-frames.tsx";
import type { FieldOf } from "../ui/form/record-form.tsx";
import { TextWithExamples } from "../ui/form/text-with-examples.tsx";
import { AmountInput, yuanProblem } from "../ui/form/yuan-input.tsx";

const schema = Strict({ fen: Type.Integer({ title: "金额", minimum: 0 }), reason: Reason });

export const refundReasons = ["格口故障", "物品损坏", "重复扣费", "误操作", "用户投诉"];

export interface MoneyDialogProps {
  title: string;
  /** `退款`: names the amount and, unless `submitText` does, the button. */
  action: string;
  mostFen: number;
  /** 0 is an answer, too: the field is empty at first, and absent while nothing is due. Others begin with the whole amount. */
  mayBeNone?: boolean;
  hint: string;
  reasons: readonly string[];
  submitText?: string;
  isDanger?: boolean;
  /** Effect that a second question names: 退回付款人的钱包; absent: there is none. */
  effectOf?: (fen: number) => string;
  /** Shown above the fields; `fen` is 0 while no possible amount is typed. */
  preview: (fen: number) => ReactNode;
  submit: (values: Static<typeof schema>) => Promise<unknown>;
  done: (fen: number) => string;
  onClose: () => void;
}

/** Rendered while it is open. */
export function MoneyDialog(props: MoneyDialogProps) {
  const { title, action, mostFen, mayBeNone = false, hint, effectOf } = props;
  const label = `${action}金额`;
  const amount: FieldOf<typeof schema> = {
    name: "fen",
    label,
    control: <AmountInput mostFen={mostFen} offersNone={mayBeNone} />,
    hint,
    problem: (value) =>
      yuanProblem(value, label, mostFen) ?? (value === 0 && !mayBeNone ? `${label}须大于 0` : null),
  };
  const isNothingDue = mayBeNone && mostFen === 0;
  return (
    <FormDialog
      open
      title={title}
      schema={schema}
      initial={isNothingDue || (!mayBeNone && mostFen > 0) ? { fen: mostFen } : {}}
      fields={[
        ...(isNothingDue ? [] : [amount]),
        {
          name: "reason",
          label: "原因",
          control: <TextWithExamples of={props.reasons} placeholder="记入日志和交易记录" />,
        },
      ]}
      submitText={props.submitText ?? action}
      isDanger={props.isDanger ?? false}
      submit={async (values) => {
        const sum = `${action} ${formatMoney(values.fen)}`;
        const isSure =
          !effectOf ||
          (await confirm({
            title: `确认${sum}？`,
            content: `将${effectOf(values.fen)}，不能撤销。`,
            ok: sum,
            isDanger: true,
          }));
        if (!isSure) throw new Error(`没有${action}：您取消了确认，填写的内容仍在`);
        await props.submit(values);
        toast.success(props.done(values.fen));
      }}
      onClose={props.onClose}
    >
      <Preview {...props} />
    </FormDialog>
  );
}

function Preview({ mostFen, preview }: MoneyDialogProps) {
  const typed = Form.useWatch<unknown>("fen");
  return preview(typeof typed === "number" && typed <= mostFen ? typed : 0);
}
