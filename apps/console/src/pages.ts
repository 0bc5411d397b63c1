// Lazily loaded module of each page.
import type { PageKey } from "@cabinet/contract/access/routes.rules.ts";
import type { ComponentType } from "react";

export interface PageModule {
  default: ComponentType;
}
type Load = () => Promise<PageModule>;

/** Mounts the same pages for the single- and the double-sided cabinets. */
function onBothSides<Rest extends string>(pages: Record<Rest, Load>) {
  const keys = Object.keys(pages) as Rest[];
  const entries = (["/cupboardRun", "/userApplet"] as const).flatMap((base) =>
    keys.map((rest) => [`${base}${rest}`, pages[rest]] as const),
  );
  return Object.fromEntries(entries) as Record<`${"/cupboardRun" | "/userApplet"}${Rest}`, Load>;
}

export const pages: Record<PageKey, Load> = {
  "/dashboard": () => import("./features/statistics/dashboard.page.tsx"),
  "/largeScreen": () => import("./features/statistics/large-screen.page.tsx"),
  "/cupboard/index": () => import("./features/cabinet/cabinet-list.page.tsx"),
  "/cupboard/index?view=rollouts": () => import("./features/rollout/rollout-list.page.tsx"),
  "/cupboard/ModelList": () => import("./features/cabinet-model/cabinet-model-list.page.tsx"),
  "/cupboard/ModelList?view=firmware": () => import("./features/firmware/firmware-list.page.tsx"),
  "/cupboard/ModelAdd": () => import("./features/cabinet-model/cabinet-model-edit.page.tsx"),
  "/cupboard/blockManage": () => import("./features/compartment/compartment-board.page.tsx"),
  "/cupboard/cupboardEdit": () => import("./features/cabinet/cabinet-edit.page.tsx"),
  "/cupboard/banner": () => import("./features/advert/advert-list.page.tsx"),
  "/cupboard/record": () => import("./features/command/command-log.page.tsx"),
  "/cupboard/log": () => import("./features/cabinet-event/cabinet-event-log.page.tsx"),
  "/point/index": () => import("./features/store/store-list.page.tsx"),
  "/point/pointEdit": () => import("./features/store/store-edit.page.tsx"),
  ...onBothSides({
    "/index": () => import("./features/statistics/overview.page.tsx"),
    "/index?view=sizes": () => import("./features/statistics/sizes.page.tsx"),
    "/index?view=pricing": () => import("./features/statistics/simulator.page.tsx"),
    "/rider/order": () => import("./features/order/order-list.page.tsx"),
    "/template": () => import("./features/template/template-list.page.tsx"),
    "/pay/mealAdd": () => import("./features/package/package-edit.page.tsx"),
    "/pay/payList": () => import("./features/package/package-list.page.tsx"),
    "/pay/payList?view=cards": () => import("./features/package/card-list.page.tsx"),
    "/pay/payRecord": () => import("./features/ledger/journal-list.page.tsx"),
    "/pay/payRecord?view=reconciliation": () =>
      import("./features/payment/reconciliation.page.tsx"),
    "/pay/topUp": () => import("./features/wallet/wallet-list.page.tsx"),
    "/pay/topUp?view=topUps": () => import("./features/wallet/top-up-list.page.tsx"),
  }),
  "/smsManage/synopsis": () => import("./features/sms/sms-overview.page.tsx"),
  "/smsManage/synopsis?view=channel": () => import("./features/sms/sms-channel.page.tsx"),
  "/smsManage/index": () => import("./features/sms/sms-recharge-list.page.tsx"),
  "/smsManage/index?view=entries": () => import("./features/sms/sms-entry-list.page.tsx"),
  "/smsManage/send": () => import("./features/sms/sms-list.page.tsx"),
  "/smsManage/send?view=subscribe": () => import("./features/template/subscribe-list.page.tsx"),
  "/malfunction/index": () => import("./features/malfunction/malfunction-list.page.tsx"),
  "/idConfig/wechat": () => import("./features/mini-program/mini-program-setting.page.tsx"),
  "/idConfig/pay": () => import("./features/payment/payment-setting.page.tsx"),
  "/user/normalUser": () => import("./features/end-user/end-user-list.page.tsx"),
  "/user/normalUser?view=tags": () => import("./features/end-user/tag-list.page.tsx"),
  "/user/userAdmin": () => import("./features/operator/maintenance-list.page.tsx"),
  "/user/operationAdmin": () => import("./features/operator/operator-list.page.tsx"),
  "/register/deviceList": () => import("./features/device-stock/device-stock-list.page.tsx"),
  "/register/cabinetService": () =>
    import("./features/cabinet-service/cabinet-service-list.page.tsx"),
  "/register/record": () => import("./features/cabinet-service/service-record.page.tsx"),
  "/register/index": () => import("./features/tenancy/tenant-list.page.tsx"),
  "/register/registerAdd": () => import("./features/tenancy/tenant-edit.page.tsx"),
  "/register/viewSms": () => import("./features/sms/sms-recharge-list.page.tsx"),
  "/set/role": () => import("./features/access/role-list.page.tsx"),
  "/set/role?view=edit": () => import("./features/access/role-edit.page.tsx"),
  "/set/power": () => import("./features/access/menu-tree.page.tsx"),
  "/set/maintenance": () => import("./features/maintenance-message/maintenance-rules.page.tsx"),
  "/set/maintenance?view=notices": () =>
    import("./features/maintenance-message/maintenance-notice-list.page.tsx"),
  "/set/otherConfig": () => import("./features/tenant-setting/tenant-setting.page.tsx"),
  "/set/audit": () => import("./features/audit/audit-list.page.tsx"),
  "/set/loginLog": () => import("./features/login-log/login-log.page.tsx"),
  "/set/loginLog?view=sessions": () => import("./features/session/session-list.page.tsx"),
  "/set/secretKey/cupboardKey": () =>
    import("./features/cabinet-secret/cabinet-secret-list.page.tsx"),
  "/thirdPartApi/set": () => import("./features/webhook/endpoint-list.page.tsx"),
  "/thirdPartApi/set?view=apps": () => import("./features/open-api/open-app-list.page.tsx"),
  "/thirdPartApi/record": () => import("./features/webhook/delivery-list.page.tsx"),
  "/thirdPartApi/record?view=calls": () => import("./features/open-api/open-call-list.page.tsx"),
  "/thirdPartApi/record?view=debug": () => import("./features/open-api/signature-debug.page.tsx"),
  "/thirdPartApi/order": () => import("./features/open-api/business-order-list.page.tsx"),
  "/inform/index": () => import("./features/announcement/announcement-list.page.tsx"),
  "/inform/edit": () => import("./features/announcement/announcement-edit.page.tsx"),
  "/faq/index": () => import("./features/faq/faq-list.page.tsx"),
  "/faq/index?view=categories": () => import("./features/faq/faq-category-list.page.tsx"),
  "/faq/index?view=platform": () => import("./features/faq/faq-platform-list.page.tsx"),
  "/faq/faqEdit": () => import("./features/faq/faq-edit.page.tsx"),
  "/settings/index": () => import("./features/account/account.page.tsx"),
  "/settings/notice": () => import("./features/announcement/received.page.tsx"),
  "/settings/help": () => import("./features/faq/help.page.tsx"),
};

/** Pages that do not use the component library. */
export const plainPages: ReadonlySet<PageKey> = new Set<PageKey>(["/dashboard", "/largeScreen"]);
