// Question before the platform lets an account, or all of a tenant, work without a second factor for some weeks.
import type { FactorExemption } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { ReactNode } from "react";
import type { Static } from "typebox";
import type { ConfirmOptions } from "../../../ui/display/confirm-options.ts";

const DAYS = 30;

interface ExemptionProps {
  who: ReactNode;
  name: string;
  isExempt: boolean;
  write: (body: Static<typeof FactorExemption>) => Promise<unknown>;
}

export function exemptionQuestion({ who, name, isExempt, write }: ExemptionProps): ConfirmOptions {
  if (isExempt) {
    return {
      title: "结束两步验证例外",
      effect: <>{who}此后须先设置两步验证，才能使用后台。</>,
      confirm: "结束例外",
      reasons: ["已具备条件", "误操作"],
      run: (reason) => write({ until: null, reason }),
      done: `${name}的例外已结束`,
    };
  }
  const until = addDays(shanghaiDay(Date.now()), DAYS);
  return {
    title: "两步验证例外",
    effect: (
      <>
        {who}到 {until} 为止可以不设置两步验证；每页上方提示这个日期。角色或租户自己的要求不受影响。
      </>
    ),
    confirm: `例外 ${DAYS} 天`,
    isDanger: true,
    reasons: ["手机丢失，等待新手机", "正在统一配发安全密钥"],
    run: (reason) => write({ until, reason }),
    done: `${name}例外至 ${until}`,
  };
}
