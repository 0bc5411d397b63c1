// The specification's route table with its pages: what stands at each path.
import { type RouteEntry, routeTable } from "@cabinet/contract/access/routes.rules.ts";
import type { ComponentType, ReactNode } from "react";
import { matchRoutes, Navigate, type RouteObject, useSearchParams } from "react-router";
import { SignInPage } from "./features/auth/sign-in.page.tsx";
import { firstPage } from "./shell/breadcrumb.rules.ts";
import { useDocumentTitle } from "./shell/document-title.ts";
import { Layout } from "./shell/layout.tsx";
import { lazyPage, type PageModule } from "./shell/page-loading.tsx";
import { NotFoundPage, NotOpenPage, RedirectPage } from "./shell/plain-pages.tsx";

/** A page with the component library around it, which comes with the first such page. */
function libraryPage(load: () => Promise<PageModule>): ComponentType {
  return lazyPage(async () => {
    const [{ AntdProvider }, { default: Page }] = await Promise.all([loadLibrary(), load()]);
    return {
      default: () => (
        <AntdProvider>
          <Page />
        </AntdProvider>
      ),
    };
  });
}

/** A path with more than one page, told apart by `?view=`. */
function viewsPage(Main: ComponentType, views: Record<string, ComponentType>): ComponentType {
  return function Views() {
    const [params] = useSearchParams();
    const View = views[params.get("view") ?? ""] ?? Main;
    return <View />;
  };
}

const loadLibrary = () => import("./shell/antd-provider.tsx");
const loadDashboard = () => import("./features/statistics/dashboard.page.tsx");
const loadCabinetList = () => import("./features/cabinet/cabinet-list.page.tsx");

const JournalList = viewsPage(
  libraryPage(() => import("./features/ledger/journal-list.page.tsx")),
  { reconciliation: libraryPage(() => import("./features/payment/reconciliation.page.tsx")) },
);
const WalletList = viewsPage(
  libraryPage(() => import("./features/wallet/wallet-list.page.tsx")),
  { topUps: libraryPage(() => import("./features/wallet/top-up-list.page.tsx")) },
);
const OrderList = libraryPage(() => import("./features/order/order-list.page.tsx"));

/** Double-sided cabinets have the same page. */
const Overview = viewsPage(
  libraryPage(() => import("./features/statistics/overview.page.tsx")),
  {
    sizes: libraryPage(() => import("./features/statistics/sizes.page.tsx")),
    pricing: libraryPage(() => import("./features/statistics/simulator.page.tsx")),
  },
);

const PackageList = viewsPage(
  libraryPage(() => import("./features/package/package-list.page.tsx")),
  { cards: libraryPage(() => import("./features/package/card-list.page.tsx")) },
);
const TemplateList = libraryPage(() => import("./features/template/template-list.page.tsx"));
const PackageEdit = libraryPage(() => import("./features/package/package-edit.page.tsx"));

/** The platform looks at a tenant's by the same page. */
const SmsRechargeList = libraryPage(() => import("./features/sms/sms-recharge-list.page.tsx"));
const SmsCredit = viewsPage(SmsRechargeList, {
  entries: libraryPage(() => import("./features/sms/sms-entry-list.page.tsx")),
});

const pages: Record<string, ComponentType> = {
  "/cupboardRun/pay/payList": PackageList,
  "/userApplet/pay/payList": PackageList,
  "/cupboardRun/pay/mealAdd": PackageEdit,
  "/userApplet/pay/mealAdd": PackageEdit,
  "/largeScreen": lazyPage(() => import("./features/statistics/large-screen.page.tsx")),
  "/cupboardRun/index": Overview,
  "/userApplet/index": Overview,
  "/dashboard": lazyPage(loadDashboard),
  "/cupboardRun/pay/payRecord": JournalList,
  "/userApplet/pay/payRecord": JournalList,
  "/cupboardRun/pay/topUp": WalletList,
  "/userApplet/pay/topUp": WalletList,
  "/user/userAdmin": libraryPage(() => import("./features/operator/maintenance-list.page.tsx")),
  "/user/operationAdmin": libraryPage(() => import("./features/operator/operator-list.page.tsx")),
  "/idConfig/wechat": libraryPage(
    () => import("./features/mini-program/mini-program-setting.page.tsx"),
  ),
  "/idConfig/pay": libraryPage(() => import("./features/payment/payment-setting.page.tsx")),
  "/cupboardRun/rider/order": OrderList,
  "/userApplet/rider/order": OrderList,
  "/cupboard/index": viewsPage(libraryPage(loadCabinetList), {
    rollouts: libraryPage(() => import("./features/rollout/rollout-list.page.tsx")),
  }),
  "/malfunction/index": libraryPage(
    () => import("./features/malfunction/malfunction-list.page.tsx"),
  ),
  "/cupboard/ModelList": viewsPage(
    libraryPage(() => import("./features/cabinet-model/cabinet-model-list.page.tsx")),
    { firmware: libraryPage(() => import("./features/firmware/firmware-list.page.tsx")) },
  ),
  "/cupboard/ModelAdd": libraryPage(
    () => import("./features/cabinet-model/cabinet-model-edit.page.tsx"),
  ),
  "/cupboard/banner": libraryPage(() => import("./features/advert/advert-list.page.tsx")),
  "/cupboard/blockManage": libraryPage(
    () => import("./features/compartment/compartment-board.page.tsx"),
  ),
  "/cupboard/cupboardEdit": libraryPage(() => import("./features/cabinet/cabinet-edit.page.tsx")),
  "/cupboard/log": libraryPage(() => import("./features/cabinet-event/cabinet-event-log.page.tsx")),
  "/cupboard/record": libraryPage(() => import("./features/command/command-log.page.tsx")),
  "/register/deviceList": libraryPage(
    () => import("./features/device-stock/device-stock-list.page.tsx"),
  ),
  "/point/index": libraryPage(() => import("./features/store/store-list.page.tsx")),
  "/point/pointEdit": libraryPage(() => import("./features/store/store-edit.page.tsx")),
  "/register/index": libraryPage(() => import("./features/tenancy/tenant-list.page.tsx")),
  "/register/registerAdd": libraryPage(() => import("./features/tenancy/tenant-edit.page.tsx")),
  "/register/cabinetService": libraryPage(
    () => import("./features/cabinet-service/cabinet-service-list.page.tsx"),
  ),
  "/user/normalUser": viewsPage(
    libraryPage(() => import("./features/end-user/end-user-list.page.tsx")),
    { tags: libraryPage(() => import("./features/end-user/tag-list.page.tsx")) },
  ),
  "/smsManage/synopsis": viewsPage(
    libraryPage(() => import("./features/sms/sms-overview.page.tsx")),
    { channel: libraryPage(() => import("./features/sms/sms-channel.page.tsx")) },
  ),
  "/smsManage/index": SmsCredit,
  "/register/viewSms": SmsRechargeList,
  "/set/maintenance": viewsPage(
    libraryPage(() => import("./features/maintenance-message/maintenance-rules.page.tsx")),
    {
      notices: libraryPage(
        () => import("./features/maintenance-message/maintenance-notice-list.page.tsx"),
      ),
    },
  ),
  "/smsManage/send": viewsPage(
    libraryPage(() => import("./features/sms/sms-list.page.tsx")),
    { subscribe: libraryPage(() => import("./features/template/subscribe-list.page.tsx")) },
  ),
  "/cupboardRun/template": TemplateList,
  "/userApplet/template": TemplateList,
  "/register/record": libraryPage(
    () => import("./features/cabinet-service/service-record.page.tsx"),
  ),
  "/set/secretKey/cupboardKey": libraryPage(
    () => import("./features/cabinet-secret/cabinet-secret-list.page.tsx"),
  ),
  "/set/otherConfig": libraryPage(
    () => import("./features/tenant-setting/tenant-setting.page.tsx"),
  ),
  "/inform/index": libraryPage(() => import("./features/announcement/announcement-list.page.tsx")),
  "/inform/edit": libraryPage(() => import("./features/announcement/announcement-edit.page.tsx")),
  "/faq/index": viewsPage(
    libraryPage(() => import("./features/faq/faq-list.page.tsx")),
    {
      categories: libraryPage(() => import("./features/faq/faq-category-list.page.tsx")),
      platform: libraryPage(() => import("./features/faq/faq-platform-list.page.tsx")),
    },
  ),
  "/faq/faqEdit": libraryPage(() => import("./features/faq/faq-edit.page.tsx")),
  "/settings/notice": libraryPage(() => import("./features/announcement/received.page.tsx")),
  "/settings/help": libraryPage(() => import("./features/faq/help.page.tsx")),
  "/settings/index": libraryPage(() => import("./features/account/account.page.tsx")),
  "/set/role": viewsPage(
    libraryPage(() => import("./features/access/role-list.page.tsx")),
    { edit: libraryPage(() => import("./features/access/role-edit.page.tsx")) },
  ),
  "/set/audit": libraryPage(() => import("./features/audit/audit-list.page.tsx")),
  "/set/loginLog": viewsPage(
    libraryPage(() => import("./features/login-log/login-log.page.tsx")),
    { sessions: libraryPage(() => import("./features/session/session-list.page.tsx")) },
  ),
  "/thirdPartApi/set": viewsPage(
    libraryPage(() => import("./features/callback/endpoint-list.page.tsx")),
    { apps: libraryPage(() => import("./features/open-api/open-app-list.page.tsx")) },
  ),
  "/thirdPartApi/record": viewsPage(
    libraryPage(() => import("./features/callback/delivery-list.page.tsx")),
    {
      calls: libraryPage(() => import("./features/open-api/open-call-list.page.tsx")),
      debug: libraryPage(() => import("./features/open-api/signature-debug.page.tsx")),
    },
  ),
  "/thirdPartApi/order": libraryPage(
    () => import("./features/open-api/business-order-list.page.tsx"),
  ),
  "/set/power": libraryPage(() => import("./features/access/menu-tree.page.tsx")),
};

function pageOf({ path, title }: RouteEntry): ReactNode {
  const Page = pages[path];
  return Page ? <Page /> : <NotOpenPage title={title} />;
}

function routeOf(entry: RouteEntry): RouteObject[] {
  const below = (entry.children ?? []).flatMap(routeOf);
  if (entry.redirect) {
    return [{ path: entry.path, element: <Navigate to={firstPage(entry)} replace /> }, ...below];
  }
  return [{ path: entry.path, element: pageOf(entry) }, ...below];
}

const inLayout = routeTable.filter((entry) => !entry.isFullScreen).flatMap(routeOf);

/** Alone on the screen, and outside the menu: two of them are open to everybody (specification §2). */
const docPages = [
  {
    path: "/doc/sre",
    title: "运维文档",
    Page: lazyPage(() => import("./features/doc/sre.page.tsx")),
  },
  {
    path: "/doc/sdk",
    title: "接入文档",
    Page: lazyPage(() => import("./features/doc/sdk.page.tsx")),
  },
  {
    path: "/doc/api",
    title: "接口参考",
    Page: lazyPage(() => import("./features/doc/api.page.tsx")),
  },
];

/** There is no layout that names the browser's tab. */
function Titled({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title);
  return children;
}

export const routes: RouteObject[] = [
  { path: "/login", element: <SignInPage /> },
  { path: "/404", element: <NotFoundPage /> },
  ...docPages.map(({ path, title, Page }) => ({
    path,
    element: (
      <Titled title={title}>
        <Page />
      </Titled>
    ),
  })),
  ...routeTable
    .filter((entry) => entry.isFullScreen)
    .map((entry) => ({
      path: entry.path,
      element: <Titled title={entry.title}>{pageOf(entry)}</Titled>,
    })),
  {
    path: "*",
    element: <Layout pages={[{ path: "/redirect/*", element: <RedirectPage /> }, ...inLayout]} />,
  },
];

const known = [...routes.slice(0, -1), { path: "/" }, { path: "/redirect/*" }, ...inLayout];

export function isKnownPath(path: string): boolean {
  return matchRoutes(known, path) !== null;
}

/** For idle moments of the sign-in page. */
export async function prefetchHome(): Promise<void> {
  await loadDashboard();
  await loadLibrary();
}

/** For idle moments after it: the list that most users open next, and what other lists are made of. */
export async function prefetchLists(): Promise<void> {
  await loadLibrary();
  await loadCabinetList();
}
