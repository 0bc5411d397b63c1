// Paths of pages and their queries, and the links that accept only these.
import type { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { cabinetEventContract } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import type { cabinetServiceContract } from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import type { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { rolloutContract } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import type { PageKey } from "@cabinet/contract/identity/access/routes.rules.ts";
import type { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { loginLogContract } from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import type { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import type { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import type { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import type { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import type { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import type { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import type { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import type { packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import type { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import type { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import type { reviewContract } from "@cabinet/contract/money/review/review.contract.ts";
import type { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import type { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import type { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import type { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import type { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import type { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import type { businessOrderContract } from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import type { openCallContract } from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import type { ReactNode } from "react";
import { useNavigate as useRouterNavigate } from "react-router";
import type { Static, TObject } from "typebox";
import { Link as AnyLink, type LinkProps } from "./link.tsx";
import { queryText } from "./request.rules.ts";

/** Parameters without a value are omitted. */
type Params<Query> = { [Name in keyof Query]?: Query[Name] | null };
type ListParams<Spec extends { query: TObject }> = Params<Static<Spec["query"]>>;
type OfTenant = Params<{ tenantId: number }>;
type OfRecord = Params<{ id: number }>;
/** `open` names the record whose drawer is open. */
type Opened = Params<{ open: number }>;

type SideBase = "/cupboardRun" | "/userApplet";

/** Pages of one side, below its base path. */
interface SideQueries {
  "/index": OfTenant;
  "/index?view=sizes": Params<Omit<Static<typeof statisticsContract.sizes.query>, "side">>;
  "/index?view=pricing": Params<Omit<Static<typeof pricingContract.simulate.query>, "side">>;
  "/rider/order": ListParams<typeof orderContract.list> & Opened;
  "/pay/mealAdd": OfRecord;
  "/pay/payList?view=cards": ListParams<typeof packageContract.cards>;
  "/pay/payRecord": Omit<ListParams<typeof ledgerContract.list>, "side"> &
    Params<{ side: Static<typeof ledgerContract.list.query>["side"] | "ALL" }>;
  "/pay/payRecord?view=reconciliation": ListParams<typeof reconciliationContract.differences>;
  "/pay/topUp": ListParams<typeof walletContract.list>;
  "/pay/topUp?view=topUps": ListParams<typeof walletContract.topUps>;
}

type OfSides = {
  [Rest in keyof SideQueries as `${SideBase}${Rest}`]: SideQueries[Rest];
};

/** Query of each page that is linked with one. */
interface PageQueries extends OfSides {
  "/cupboard/index": ListParams<typeof cabinetContract.list>;
  "/cupboard/index?view=ranking": ListParams<typeof statisticsContract.cabinets>;
  "/cupboard/index?view=rollouts": ListParams<typeof rolloutContract.list> &
    Params<{ cabinetIds: string }>;
  "/cupboard/ModelAdd": OfRecord & Params<{ copyOf: number }>;
  "/cupboard/banner": Params<{ cabinetId: number }>;
  "/cupboard/blockManage": OfRecord & Params<{ no: number }>;
  "/cupboard/cupboardEdit": OfRecord;
  "/cupboard/log": ListParams<typeof cabinetEventContract.list>;
  "/cupboard/simulated": OfRecord;
  "/cupboard/record": ListParams<typeof commandContract.list>;
  "/faq/faqEdit": OfRecord;
  "/faq/index": ListParams<typeof faqContract.list>;
  "/idConfig/pay": OfTenant;
  "/idConfig/wechat": OfTenant;
  "/inform/edit": OfRecord & Params<{ edition: number }>;
  "/malfunction/incident": OfRecord;
  "/malfunction/index": Omit<ListParams<typeof malfunctionContract.list>, "state"> &
    Params<{ state: Static<typeof malfunctionContract.list.query>["state"] | "ALL" }> &
    Opened;
  "/point/index": ListParams<typeof storeContract.list>;
  "/point/pointEdit": OfRecord;
  "/register/cabinetService": ListParams<typeof cabinetServiceContract.list>;
  "/register/index": ListParams<typeof tenancyContract.list>;
  "/register/record": ListParams<typeof cabinetServiceContract.records>;
  "/register/registerAdd": OfRecord;
  "/register/viewSms": OfTenant;
  "/set/audit": ListParams<typeof auditContract.list>;
  "/set/loginLog": ListParams<typeof loginLogContract.list>;
  "/set/role?view=edit": OfRecord;
  "/settings/notice": ListParams<typeof announcementContract.received> & Opened;
  "/settings/review": ListParams<typeof reviewContract.list>;
  "/smsManage/index": OfTenant;
  "/smsManage/send": ListParams<typeof smsContract.history>;
  "/smsManage/synopsis": OfTenant;
  "/smsManage/synopsis?view=channel": OfTenant;
  "/thirdPartApi/order": ListParams<typeof businessOrderContract.list>;
  "/thirdPartApi/record": ListParams<typeof webhookContract.deliveries> & Opened;
  "/thirdPartApi/record?view=calls": ListParams<typeof openCallContract.list>;
  "/thirdPartApi/record?view=debug": Params<{ call: number }>;
  "/thirdPartApi/set": ListParams<typeof webhookContract.endpoints>;
  "/user/normalUser": ListParams<typeof endUserContract.list>;
  "/user/operationAdmin": ListParams<typeof operatorContract.list>;
  "/user/userAdmin": ListParams<typeof operatorContract.list>;
}

declare const isChecked: unique symbol;
type CheckedPath = string & { readonly [isChecked]: true };

/** A page, a page with a query by `pathTo`, a document, or a query of the current page. */
export type Path = PageKey | CheckedPath | DocumentPath | "/" | "/login" | `?${string}`;
type DocumentPath =
  | "/doc/sre"
  | "/doc/sre#backup"
  | "/doc/api"
  | "/doc/manual"
  | `/doc/sdk${"" | "?view=api" | "?lang=en" | "?view=api&lang=en"}`;

/** Path of a page with this query. */
export function pathTo<Key extends keyof PageQueries & PageKey>(
  page: Key,
  query: PageQueries[Key],
): Path {
  const search = queryText(query);
  return `${page}${search && (page.includes("?") ? "&" : "?")}${search}` as CheckedPath;
}

export const Link: (props: Omit<LinkProps, "to"> & { to: Path }) => ReactNode = AnyLink;

export const useNavigate: () => (to: Path) => void = useRouterNavigate;

/** Returns a function that goes back one entry of the history. */
export function useGoBack(): () => void {
  const navigate = useRouterNavigate();
  return () => void navigate(-1);
}
