// Dialog for a manual recharge or adjustment, with preview; large amounts are typed twice.
import { Id, OneOf, Reason, Strict } from "@cabinet/contract/kit/fields.ts";
import { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { type Wallet, walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import {
  amountToConfirm,
  CONFIRM_FROM_FEN,
  MAX_CHANGE_FEN,
  type WalletAction,
  walletActionText,
} from "@cabinet/contract/money/wallet/wallet.rules.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Radio from "antd/es/radio";
import { type Static, Type } from "typebox";
import { personText } from "../../../domain/person-text.ts";
import { toast } from "../../../kit/feedback.ts";
import { formatMoney } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { type FieldOf, FormField } from "../../../ui/form/record-form.tsx";
import { YuanInput, yuanProblem } from "../../../ui/form/yuan-input.tsx";
import { PackageField } from "./package-field.tsx";
import "./wallet.css";

/** Amounts are typed unsigned; an adjustment has a direction. */
const ChangeForm = Strict({
  direction: Type.Optional(OneOf(["ADD", "TAKE"], "方向")),
  principalFen: Type.Integer({ title: "本金", minimum: 0 }),
  bonusFen: Type.Integer({ title: "赠金", minimum: 0 }),
  packageId: Type.Optional(Id),
  receiptNo: Type.Optional(Type.String({ title: "收据号", maxLength: 64 })),
  reason: Reason,
  confirmFen: Type.Optional(Type.Integer({ title: "确认金额" })),
});
type ChangeForm = Static<typeof ChangeForm>;

export interface WalletChangeDialogProps {
  /** Null while the dialog is closed. */
  changing: { wallet: Wallet; action: WalletAction } | null;
  onClose: () => void;
}

export function WalletChangeDialog({ changing, onClose }: WalletChangeDialogProps) {
  const change = useWrite(walletContract.change, {
    invalidates: [
      walletContract.list,
      walletContract.topUps,
      ledgerContract.list,
      ledgerContract.sums,
    ],
  });
  const action = changing?.action ?? "RECHARGE";
  return (
    <FormDialog
      open={changing !== null}
      title={changing ? `${walletActionText[action]}：${personText(changing.wallet)}` : ""}
      schema={ChangeForm}
      initial={{ RECHARGE: { bonusFen: 0 }, ADMIN_ADJUST: initialAdjustment }[action]}
      fields={[]}
      submitText={{ RECHARGE: "确认充值", ADMIN_ADJUST: "确认调整" }[action]}
      submit={async ({ direction, principalFen, bonusFen, ...rest }) => {
        if (!changing) return;
        const sign = signOf[direction ?? "ADD"];
        const after = await change.mutateAsync({
          body: {
            endUserId: changing.wallet.endUserId,
            kind: action,
            principalFen: sign * principalFen,
            bonusFen: sign * bonusFen,
            ...rest,
          },
        });
        const balance = formatMoney(after.principalFen + after.bonusFen);
        toast.success(`${{ RECHARGE: "已充值", ADMIN_ADJUST: "已调整" }[action]}，余额 ${balance}`);
      }}
      onClose={onClose}
    >
      {changing && <ChangeFields {...changing} />}
    </FormDialog>
  );
}

const signOf = { ADD: 1, TAKE: -1 } as const;
const initialAdjustment: Partial<ChangeForm> = { direction: "ADD", principalFen: 0, bonusFen: 0 };

/** Amounts typed so far; null while incomplete. */
function useAmounts(): { principalFen: number; bonusFen: number } | null {
  const principalFen = Form.useWatch<unknown>("principalFen");
  const bonusFen = Form.useWatch<unknown>("bonusFen");
  return typeof principalFen === "number" && typeof bonusFen === "number"
    ? { principalFen, bonusFen }
    : null;
}

function ChangeFields({ wallet, action }: { wallet: Wallet; action: WalletAction }) {
  const direction = Form.useWatch<ChangeForm["direction"]>("direction");
  const amounts = useAmounts();
  const asked = amounts && amountToConfirm(amounts);
  const fields = { RECHARGE: rechargeFields, ADMIN_ADJUST: adjustFields }[action];
  return (
    <>
      {action === "RECHARGE" && <PackageField schema={ChangeForm} tenantId={wallet.tenantId} />}
      {fields.map((field) => (
        <FormField key={field.name} schema={ChangeForm} field={field} />
      ))}
      {asked !== null && <FormField schema={ChangeForm} field={confirmField(asked)} />}
      <Preview wallet={wallet} amounts={amounts} sign={signOf[direction ?? "ADD"]} />
    </>
  );
}

const amountField = (
  name: "principalFen" | "bonusFen",
  label: string,
  hint?: string,
): FieldOf<typeof ChangeForm> => ({
  name,
  label,
  control: <YuanInput />,
  ...(hint && { hint }),
  problem: (value) => yuanProblem(value, label, MAX_CHANGE_FEN),
});

const reasonField = (placeholder: string): FieldOf<typeof ChangeForm> => ({
  name: "reason",
  label: "原因",
  control: <Input.TextArea rows={2} maxLength={200} placeholder={placeholder} />,
});

const rechargeFields: FieldOf<typeof ChangeForm>[] = [
  {
    ...amountField("principalFen", "实收金额", "线下收到的钱，记为本金"),
    problem: (value) =>
      yuanProblem(value, "实收金额", MAX_CHANGE_FEN) ?? (value === 0 ? "实收金额须大于 0" : null),
  },
  amountField("bonusFen", "赠送金额", "记为赠金，支付时在本金之后使用"),
  {
    name: "receiptNo",
    label: "收据号（可不填）",
    control: <Input placeholder="收据、转账或刷卡单号" />,
  },
  reasonField("如：前台收现金；记入日志和交易记录"),
];

const adjustFields: FieldOf<typeof ChangeForm>[] = [
  {
    name: "direction",
    label: "方向",
    control: (
      <Radio.Group
        options={[
          { value: "ADD", label: "增加" },
          { value: "TAKE", label: "扣减" },
        ]}
      />
    ),
  },
  amountField("principalFen", "本金"),
  amountField("bonusFen", "赠金"),
  reasonField("请填写调整原因，记入日志和交易记录"),
];

const confirmField = (asked: number): FieldOf<typeof ChangeForm> => ({
  name: "confirmFen",
  label: "确认金额（合计）",
  control: <YuanInput />,
  hint: `合计满 ${formatMoney(CONFIRM_FROM_FEN)}，请再填写一次合计金额`,
  problem: (value) => (value === asked ? null : "须与上面填写的金额合计一致，请核对"),
});

interface PreviewProps {
  wallet: Wallet;
  amounts: { principalFen: number; bonusFen: number } | null;
  sign: 1 | -1;
}

/** Preview of the balances; marks a shortage before the server refuses it. */
function Preview({ wallet, amounts, sign }: PreviewProps) {
  const row = (name: string, nowFen: number, typedFen: number) => {
    const after = nowFen + sign * typedFen;
    return (
      <tr>
        <th scope="row">{name}</th>
        <td>{formatMoney(nowFen)}</td>
        <td data-short={after < 0}>{after < 0 ? "不足" : formatMoney(after)}</td>
      </tr>
    );
  };
  return (
    <table className="wallet-preview">
      <thead>
        <tr>
          <th scope="col">余额</th>
          <th scope="col">现在</th>
          <th scope="col">之后</th>
        </tr>
      </thead>
      <tbody>
        {row("本金", wallet.principalFen, amounts?.principalFen ?? 0)}
        {row("赠金", wallet.bonusFen, amounts?.bonusFen ?? 0)}
      </tbody>
    </table>
  );
}
