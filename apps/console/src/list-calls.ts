// Call of each plain list: its rows are requested before the page's module is there.
import type { PageKey } from "@cabinet/contract/identity/access/routes.rules.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { sideBase } from "./domain/cabinet/page-side.ts";

type Path = EndpointSpec["path"];

/** Both pages of a list that is mounted for single- and for double-sided cabinets. */
function onBothSides(paths: Readonly<Record<string, Path>>): Record<string, Path> {
  const bases = [sideBase("SINGLE"), sideBase("DOUBLE")];
  return Object.fromEntries(
    bases.flatMap((base) => Object.entries(paths).map(([rest, path]) => [`${base}${rest}`, path])),
  );
}

/** Lists that need the side of their page. */
export const sidedCalls = onBothSides({
  "/rider/order": "/admin/v1/order/list",
  "/pay/payList": "/admin/v1/package/list",
  "/pay/payList?view=cards": "/admin/v1/package/card/list",
  "/pay/payRecord": "/admin/v2/wallet/journal/list",
});

/** Paths alone: the contracts with their schemas would weigh on the first page. */
export const listCalls: Partial<Record<PageKey, Path>> = {
  "/cupboard/index": "/admin/v1/locker/list",
  "/cupboard/index?view=rollouts": "/admin/v1/rollout/list",
  "/cupboard/ModelList": "/admin/v1/locker/model/list",
  "/cupboard/banner": "/admin/v1/screen-content/list",
  "/cupboard/log": "/admin/v1/locker/event/list",
  "/point/index": "/admin/v1/store/list",
  "/smsManage/index": "/admin/v1/sms/recharge/record",
  "/smsManage/index?view=entries": "/admin/v1/sms/credit/entries",
  "/smsManage/send": "/admin/v1/sms/send/history",
  "/smsManage/send?view=subscribe": "/admin/v1/template/message/list",
  "/user/normalUser": "/admin/v1/user/list",
  "/user/normalUser?view=tags": "/admin/v1/tag/list",
  "/user/userAdmin": "/admin/v1/operator/maintenance/list",
  "/user/operationAdmin": "/admin/v1/tenant/operate/list",
  "/register/deviceList": "/admin/v1/device/stock/list",
  "/register/cabinetService": "/admin/v1/locker/service/list",
  "/register/record": "/admin/v1/locker/service/record",
  "/register/index": "/admin/v1/tenant/list",
  "/register/viewSms": "/admin/v1/sms/recharge/record",
  "/set/role": "/admin/v1/role/list",
  "/set/maintenance?view=notices": "/admin/v1/maintenance/message/notice/list",
  "/set/audit": "/admin/v1/audit/list",
  "/set/loginLog": "/admin/v1/login/log/list",
  "/set/loginLog?view=sessions": "/admin/v1/session/list",
  "/set/secretKey/cupboardKey": "/admin/v1/locker/secret/list",
  "/thirdPartApi/set": "/admin/v1/callback/endpoint/list",
  "/thirdPartApi/set?view=apps": "/admin/v1/open/app/list",
  "/thirdPartApi/record": "/admin/v1/callback/delivery/list",
  "/thirdPartApi/record?view=calls": "/admin/v1/open/call/list",
  "/thirdPartApi/order": "/admin/v1/business/order/list",
  "/settings/review": "/admin/v1/review/list",
  "/inform/index": "/admin/v1/announcement/list",
  "/faq/index": "/admin/v1/faq/list",
  "/faq/index?view=categories": "/admin/v1/faq/category/list",
  "/faq/index?view=platform": "/admin/v1/faq/platform/list",
  ...onBothSides({
    "/pay/payRecord?view=reconciliation": "/admin/v1/reconciliation/difference/list",
    "/pay/topUp": "/admin/v2/wallet/list",
    "/pay/topUp?view=topUps": "/admin/v2/wallet/topup/list",
  }),
  ...sidedCalls,
};
