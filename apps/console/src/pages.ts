// Lazily loaded module of each page.
import type { PageKey } from "@cabinet/contract/identity/access/routes.rules.ts";
import type { ComponentType } from "react";

export interface PageModule {
  default: ComponentType;
  /** Requests what the page shows. The page is drawn when this resolves, or after a while. */
  prefetch?: (url: URL) => Promise<void>;
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
  "/dashboard": () => import("./features/operations/statistics/dashboard.page.tsx"),
  "/largeScreen": () => import("./features/operations/statistics/large-screen.page.tsx"),
  "/cupboard/index": () => import("./features/fleet/cabinet/cabinet-list.page.tsx"),
  "/cupboard/index?view=ranking": () =>
    import("./features/operations/statistics/cabinet-ranking.page.tsx"),
  "/cupboard/index?view=rollouts": () => import("./features/fleet/rollout/rollout-list.page.tsx"),
  "/cupboard/ModelList": () =>
    import("./features/equipment/cabinet-model/cabinet-model-list.page.tsx"),
  "/cupboard/ModelList?view=firmware": () =>
    import("./features/fleet/firmware/firmware-list.page.tsx"),
  "/cupboard/ModelAdd": () =>
    import("./features/equipment/cabinet-model/cabinet-model-edit.page.tsx"),
  "/cupboard/blockManage": () =>
    import("./features/equipment/compartment/compartment-board.page.tsx"),
  "/cupboard/simulated": () =>
    import("./features/equipment/simulated-cabinet/simulated-cabinet.page.tsx"),
  "/cupboard/cupboardEdit": () => import("./features/fleet/cabinet/cabinet-edit.page.tsx"),
  "/cupboard/banner": () => import("./features/fleet/advert/advert-list.page.tsx"),
  "/cupboard/record": () => import("./features/fleet/command/command-log.page.tsx"),
  "/cupboard/log": () => import("./features/fleet/cabinet-event/cabinet-event-log.page.tsx"),
  "/point/index": () => import("./features/organization/store/store-list.page.tsx"),
  "/point/pointEdit": () => import("./features/organization/store/store-edit.page.tsx"),
  ...onBothSides({
    "/index": () => import("./features/operations/statistics/overview.page.tsx"),
    "/index?view=sizes": () => import("./features/operations/statistics/sizes.page.tsx"),
    "/index?view=pricing": () => import("./features/operations/statistics/simulator.page.tsx"),
    "/rider/order": () => import("./features/orders/order/order-list.page.tsx"),
    "/template": () => import("./features/messaging/template/template-list.page.tsx"),
    "/pay/mealAdd": () => import("./features/money/package/package-edit.page.tsx"),
    "/pay/payList": () => import("./features/money/package/package-list.page.tsx"),
    "/pay/payList?view=cards": () => import("./features/money/package/card-list.page.tsx"),
    "/pay/payRecord": () => import("./features/money/ledger/journal-list.page.tsx"),
    "/pay/payRecord?view=reconciliation": () =>
      import("./features/money/payment/reconciliation.page.tsx"),
    "/pay/statement": () => import("./features/money/statement/statement.page.tsx"),
    "/pay/topUp": () => import("./features/money/wallet/wallet-list.page.tsx"),
    "/pay/topUp?view=topUps": () => import("./features/money/wallet/top-up-list.page.tsx"),
  }),
  "/smsManage/synopsis": () => import("./features/messaging/sms/sms-overview.page.tsx"),
  "/smsManage/synopsis?view=channel": () => import("./features/messaging/sms/sms-channel.page.tsx"),
  "/smsManage/index": () => import("./features/messaging/sms/sms-recharge-list.page.tsx"),
  "/smsManage/index?view=entries": () => import("./features/messaging/sms/sms-entry-list.page.tsx"),
  "/smsManage/send": () => import("./features/messaging/sms/sms-list.page.tsx"),
  "/smsManage/send?view=subscribe": () =>
    import("./features/messaging/template/subscribe-list.page.tsx"),
  "/malfunction/index": () => import("./features/operations/malfunction/malfunction-list.page.tsx"),
  "/malfunction/incident": () => import("./features/operations/malfunction/incident.page.tsx"),
  "/idConfig/wechat": () =>
    import("./features/messaging/mini-program/mini-program-setting.page.tsx"),
  "/idConfig/pay": () => import("./features/money/payment/payment-setting.page.tsx"),
  "/idConfig/page": () => import("./features/orders/web-page/web-page.page.tsx"),
  "/user/normalUser": () => import("./features/orders/end-user/end-user-list.page.tsx"),
  "/user/normalUser?view=tags": () => import("./features/orders/end-user/tag-list.page.tsx"),
  "/user/userAdmin": () => import("./features/identity/operator/maintenance-list.page.tsx"),
  "/user/operationAdmin": () => import("./features/identity/operator/operator-list.page.tsx"),
  "/register/deviceList": () =>
    import("./features/equipment/device-stock/device-stock-list.page.tsx"),
  "/register/cabinetService": () =>
    import("./features/fleet/cabinet-service/cabinet-service-list.page.tsx"),
  "/register/record": () => import("./features/fleet/cabinet-service/service-record.page.tsx"),
  "/register/index": () => import("./features/identity/tenancy/tenant-list.page.tsx"),
  "/register/registerAdd": () => import("./features/identity/tenancy/tenant-edit.page.tsx"),
  "/register/viewSms": () => import("./features/messaging/sms/sms-recharge-list.page.tsx"),
  "/set/role": () => import("./features/identity/access/role-list.page.tsx"),
  "/set/role?view=edit": () => import("./features/identity/access/role-edit.page.tsx"),
  "/set/power": () => import("./features/identity/access/menu-tree.page.tsx"),
  "/set/maintenance": () =>
    import("./features/messaging/maintenance-message/maintenance-rules.page.tsx"),
  "/set/maintenance?view=notices": () =>
    import("./features/messaging/maintenance-message/maintenance-notice-list.page.tsx"),
  "/set/otherConfig": () =>
    import("./features/organization/tenant-setting/tenant-setting.page.tsx"),
  "/set/audit": () => import("./features/identity/audit/audit-list.page.tsx"),
  "/set/loginLog": () => import("./features/identity/login-log/login-log.page.tsx"),
  "/set/loginLog?view=sessions": () => import("./features/identity/session/session-list.page.tsx"),
  "/set/secretKey/cupboardKey": () =>
    import("./features/equipment/cabinet-secret/cabinet-secret-list.page.tsx"),
  "/thirdPartApi/set": () => import("./features/messaging/webhook/endpoint-list.page.tsx"),
  "/thirdPartApi/set?view=apps": () =>
    import("./features/partners/open-api/open-app-list.page.tsx"),
  "/thirdPartApi/record": () => import("./features/messaging/webhook/delivery-list.page.tsx"),
  "/thirdPartApi/record?view=calls": () =>
    import("./features/partners/open-api/open-call-list.page.tsx"),
  "/thirdPartApi/record?view=debug": () =>
    import("./features/partners/open-api/signature-debug.page.tsx"),
  "/thirdPartApi/order": () => import("./features/partners/open-api/business-order-list.page.tsx"),
  "/inform/index": () => import("./features/messaging/announcement/announcement-list.page.tsx"),
  "/inform/edit": () => import("./features/messaging/announcement/announcement-edit.page.tsx"),
  "/faq/index": () => import("./features/messaging/faq/faq-list.page.tsx"),
  "/faq/index?view=categories": () => import("./features/messaging/faq/faq-category-list.page.tsx"),
  "/faq/index?view=platform": () => import("./features/messaging/faq/faq-platform-list.page.tsx"),
  "/faq/faqEdit": () => import("./features/messaging/faq/faq-edit.page.tsx"),
  "/settings/index": () => import("./features/identity/account/account.page.tsx"),
  "/settings/notice": () => import("./features/messaging/announcement/received.page.tsx"),
  "/settings/review": () => import("./features/money/review/review-list.page.tsx"),
  "/settings/help": () => import("./features/messaging/faq/help.page.tsx"),
};

/** Pages that do not use the component library. */
export const plainPages: ReadonlySet<PageKey> = new Set<PageKey>(["/dashboard", "/largeScreen"]);
