// 锁定: bars a person from new orders, with a reason and optional end; pickups stay possible.

import { Reason, Strict, Timestamp } from "@cabinet/contract/kit/fields.ts";
import {
  type EndUser,
  endUserContract,
} from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { lockEndProblem } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import Input from "antd/es/input";
import { Type } from "typebox";
import { personText } from "../../../domain/person-text.ts";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import { DateTimeInput } from "../../../ui/form/date-time-input.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { endUserChanged } from "./end-user-changed.ts";

const LockForm = Strict({ reason: Reason, until: Type.Optional(Timestamp) });

export interface LockDialogProps {
  /** Null while the dialog is closed. */
  user: EndUser | null;
  onClose: () => void;
}

export function LockDialog({ user, onClose }: LockDialogProps) {
  const lock = useWrite(endUserContract.lock, endUserChanged);
  const shown = useLast(user);
  if (!shown) return null;
  const isLocked = shown.state === "LOCKED";
  const { lockReason, lockedUntil } = shown;
  return (
    <FormDialog
      open={user !== null}
      title={`${isLocked ? "修改锁定" : "锁定用户"}：${personText(shown)}`}
      schema={LockForm}
      {...(isLocked && {
        initial: { reason: lockReason ?? "", ...(lockedUntil && { until: lockedUntil }) },
      })}
      fields={[
        {
          name: "reason",
          label: "原因",
          control: (
            <Input.TextArea
              rows={2}
              maxLength={200}
              placeholder="如：多次占用格口不取、异常充值；记入锁定记录和操作审计"
            />
          ),
        },
        {
          name: "until",
          label: "自动解锁时间（可不填）",
          control: <DateTimeInput placeholder="直到手动解锁" isEnd />,
          hint: "到时自动恢复；不填则一直锁定，直到手动解锁",
          problem: (until) =>
            typeof until === "string" ? lockEndProblem(Date.parse(until), Date.now()) : null,
        },
      ]}
      submitText={isLocked ? "保存" : "锁定"}
      submit={async ({ reason, until }) => {
        const query = { lock: true, reason: reason.trim(), until: until ?? "" };
        await lock.mutateAsync({ params: { id: shown.id }, query });
        const end = until ? `${formatDateTime(until).slice(0, 16)} 自动解锁` : "直到手动解锁";
        const unlock = { lock: false, reason: "撤销锁定" };
        toast.success(
          `${isLocked ? "锁定已修改" : `已锁定 ${personText(shown)}`}，${end}`,
          isLocked
            ? undefined
            : () => lock.mutateAsync({ params: { id: shown.id }, query: unlock }),
        );
      }}
      onClose={onClose}
    >
      <p className="ui-form-note">
        锁定后不能再存件、购买套餐；柜内的物品仍可取出、取回，费用照常支付
        {shown.liveOrders > 0 && `，现在有 ${shown.liveOrders} 个进行中的订单`}。余额保留。
      </p>
    </FormDialog>
  );
}
