// 为用户开通: sells a card to a user at the counter, paid from the user's wallet.
import { Id, Reason, Strict } from "@cabinet/contract/kit/fields.ts";
import { PHONE_TAIL } from "@cabinet/contract/kit/phone.rules.ts";
import { type Package, packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { useDeferredValue, useState } from "react";
import { toast } from "../../../kit/feedback.ts";
import { formatMoney } from "../../../kit/format.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import type { Control } from "../../../ui/form/control.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { worthText } from "./package-text.ts";

const SaleForm = Strict({ endUserId: Id, reason: Reason });

const changed = { invalidates: [walletContract.list] };

export interface SellDialogProps {
  /** Null while the dialog is closed. */
  sold: Package | null;
  onClose: () => void;
}

export function SellDialog({ sold, onClose }: SellDialogProps) {
  const sell = useWrite(packageContract.sell, changed);
  const shown = useLast(sold);
  if (!shown) return null;
  return (
    <FormDialog
      open={sold !== null}
      title={`为用户开通：${shown.name}`}
      schema={SaleForm}
      fields={[
        {
          name: "endUserId",
          label: "用户",
          control: <BuyerSelect tenantId={shown.tenantId} />,
          hint: "余额不足时请先在“余额充值”中为其充值",
        },
        {
          name: "reason",
          label: "原因",
          control: <Input.TextArea rows={2} maxLength={200} placeholder="如：用户到店购买" />,
          hint: "记入交易记录和操作审计",
        },
      ]}
      submitText={`扣款 ${formatMoney(shown.priceFen)} 并开通`}
      submit={async ({ endUserId, reason }) => {
        const { id: packageId, priceFen: agreedFen } = shown;
        await sell.mutateAsync({ body: { packageId, endUserId, agreedFen, reason } });
        toast.success(`已开通“${shown.name}”`);
      }}
      onClose={onClose}
    >
      <p className="ui-form-note">
        {worthText(shown)}。将从用户钱包支付 {formatMoney(shown.priceFen)}，先用本金，立即生效。
      </p>
    </FormDialog>
  );
}

const FOUND = 20;

interface BuyerSelectProps extends Control<number> {
  tenantId: number;
}

/** Searches users by the whole phone number or its last four digits. */
function BuyerSelect({ id, value, onChange, tenantId }: BuyerSelectProps) {
  const [typed, setTyped] = useState("");
  const phone = useDeferredValue(typed);
  const isEnough = phone.length === PHONE_TAIL || phone.length === 11;
  const found = useCall(
    walletContract.list,
    { query: { page: 1, pageSize: FOUND, tenantId, ...(isEnough && { phone }) } },
    { enabled: isEnough },
  );
  const list = isEnough ? (found.data?.list ?? []) : [];
  const options = list.map(({ endUserId, userName, phone: masked, ...wallet }) => {
    const spendable = wallet.principalFen + wallet.bonusFen - wallet.heldFen;
    const label = `${userName} ${masked} · 可用 ${formatMoney(spendable)}`;
    return { value: endUserId, label: label.trim() };
  });
  const none = isEnough ? "没有找到，请核对手机号" : "请输入完整的手机号或后四位";
  return (
    <Select
      {...(id && { id })}
      {...(value !== undefined && { value })}
      showSearch={{
        filterOption: false,
        onSearch: (text) => setTyped(text.replace(/\D/g, "").slice(0, 11)),
      }}
      placeholder="输入手机号查找"
      loading={found.isFetching}
      notFoundContent={found.error ? found.error.message : found.isLoading ? "正在查找…" : none}
      options={options}
      onChange={(chosen: number) => onChange?.(chosen)}
    />
  );
}
