// To-dos of payment and sign-in settings: expiring certificates, failed checks.
import { miniProgramContract } from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { CERTIFICATE_WARNING_DAYS } from "@cabinet/contract/money/payment/payment.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { type Path, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";

const DAY_MS = 86_400_000;

interface SettingTodo {
  text: string;
  count: null;
  to: Path;
}

/** To-dos of the chosen tenant; undefined: the platform's own. */
export function useSettingTodos(tenantId: number | undefined): SettingTodo[] {
  const may = usePermissions();
  const query = tenantId ? { tenantId } : {};
  const paymentPage = pathTo("/idConfig/pay", query);
  const programPage = pathTo("/idConfig/wechat", query);
  const payment = useCall(
    paymentContract.setting,
    { query },
    { enabled: may("payment:read") },
  ).data;
  const program = useCall(
    miniProgramContract.setting,
    { query },
    { enabled: may("mini-program:read") },
  ).data;
  const texts: [text: string, to: Path][] = [];
  if (payment?.isOn) {
    const { certificateExpiresAt: endsAt, checkState } = payment;
    const leftMs = endsAt ? Date.parse(endsAt) - Date.now() : Number.POSITIVE_INFINITY;
    if (endsAt && leftMs < 0) {
      texts.push(["微信支付证书已过期，用户无法在线充值", paymentPage]);
    } else if (endsAt && leftMs <= (CERTIFICATE_WARNING_DAYS + 1) * DAY_MS) {
      const day = formatDateTime(endsAt).slice(0, 10);
      texts.push([`微信支付证书将于 ${day} 到期，请更换`, paymentPage]);
    }
    if (checkState === "FAILED") texts.push(["支付配置验证未通过", paymentPage]);
  }
  if (program?.checkState === "FAILED") {
    texts.push(["小程序配置验证未通过", programPage]);
  }
  if (program?.pushTroubleAt) {
    texts.push(["微信的消息推送没有被接受", programPage]);
  }
  return texts.map(([text, to]) => ({ text, count: null, to }));
}
