// The web page of a tenant before sign-in, and malfunction reports of its users.
import type { Input, Reply, StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import { closedText } from "@cabinet/contract/orders/app/app.rules.ts";
import type {
  AppMalfunctionDraft,
  AppPage,
  appPageContract,
} from "@cabinet/contract/orders/app/app-page.contract.ts";
import {
  REPORT_PHOTOS_PER_DAY,
  REPORTS_PER_DAY,
} from "@cabinet/contract/orders/app/app-page.rules.ts";
import { legalTextTitle } from "@cabinet/contract/orders/legal-text/legal-text.rules.ts";
import type { AppCtx, EndUser, PublicCtx } from "../../../platform/context.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { Refusal, refuse } from "../../../platform/errors.ts";
import { countAsked } from "../../../platform/limits/rate-limit.sql.ts";
import { findSmsChannel } from "../../messaging/sms/index.ts";
import { topUpAppId } from "../../money/payment/index.ts";
import { reportByEndUser } from "../../operations/malfunction/index.ts";
import { insertFile } from "../../organization/file/index.ts";
import { findInForce, findTextInForce } from "../legal-text/index.ts";
import {
  findPublicLogo,
  findWebPage,
  tenantCodeOf,
  tenantOfCode,
  type WebPage,
} from "../web-page/index.ts";
import { actorOf } from "./app-actor.flow.ts";
import { findCabinetBySn, hasCompartment } from "./app-cabinet.sql.ts";

type Contract = typeof appPageContract;

const TENANT_PAGE = "这家运营商的网页版";
const LOGO_PATH = "/api/app/v1/page/logo/";

/**
 * Off, deleted and unknown are answered alike and without a name (docs/decisions/0140). A suspended or expired tenant's
 * page stays open with a notice, because goods come out (docs/decisions/0031), but not by its bare number, which anybody can
 * count up. `hasInbox`: the demo shows text messages instead of sending them.
 */
export async function getPage(
  { database }: PublicCtx,
  asked: Input<Contract["page"]>["query"],
  hasInbox: boolean,
): Promise<AppPage> {
  return readPage(database, asked, async (db, page, cabinet) => {
    const [appId, channel, legal] = await Promise.all([
      topUpAppId(db, page.tenantId),
      findSmsChannel(db),
      findInForce(db, page.tenantId),
    ]);
    return {
      tenantId: page.tenantId,
      tenantCode: tenantCodeOf(database.vault, page.tenantId),
      tenantName: page.tenantName,
      logo: page.logoId && `${LOGO_PATH}${page.logoId}`,
      servicePhone: cabinet?.servicePhone || page.servicePhone,
      isTopUpOpen: appId !== null,
      isSmsSignInPossible: hasInbox || (channel?.isOn ?? false),
      notice: page.isTenantOpen ? null : closedText("TENANT", null),
      legal,
      cabinet: cabinet && { sn: cabinet.sn, name: cabinet.name, storeName: cabinet.storeName },
    };
  });
}

export function getPageText(
  { database }: PublicCtx,
  { kind, ...asked }: Input<Contract["legal"]>["query"],
): Promise<Reply<Contract["legal"]>> {
  return readPage(database, asked, async (db, { tenantId }) => {
    const text = await findTextInForce(db, tenantId, kind);
    return text ?? refuse("NOT_FOUND", { what: legalTextTitle[kind] });
  });
}

/** Finds the page and runs the read in its tenant's scope. */
async function readPage<Result>(
  database: Database,
  { sn, tenantCode, tenantId }: Input<Contract["page"]>["query"],
  run: (
    db: Db,
    page: WebPage,
    cabinet: Awaited<ReturnType<typeof findCabinetBySn>>,
  ) => Promise<Result>,
): Promise<Result> {
  if ([sn, tenantCode, tenantId].filter((given) => given !== undefined).length !== 1) {
    refuse("WEB_PAGE_OF_ONE");
  }
  const linkedId = tenantCode === undefined ? tenantId : tenantOfCode(database.vault, tenantCode);
  if (linkedId === null) refuse("WEB_PAGE_UNKNOWN", { what: TENANT_PAGE });
  return database.read("platform", async (db) => {
    const cabinet = sn === undefined ? null : await findCabinetBySn(db, sn);
    const id = sn === undefined ? linkedId : cabinet?.tenantId;
    await db.narrow(id ?? 0);
    const page = id === undefined ? null : await findWebPage(db, id);
    const isFound =
      page?.isOn && (tenantId === undefined || (page.hasBareLinks && page.isTenantOpen));
    if (!isFound) {
      refuse("WEB_PAGE_UNKNOWN", { what: sn === undefined ? TENANT_PAGE : "这台柜机的网页版" });
    }
    return run(db, page, cabinet);
  });
}

export async function getPublicLogo({ database }: PublicCtx, fileId: string): Promise<StoredFile> {
  const found = await database.read("platform", (db) => findPublicLogo(db, fileId));
  return found ?? refuse("NOT_FOUND", { what: "Logo 图片" });
}

/** Locked people, too: their goods may be behind the broken door. */
export async function reportMalfunction(
  { db, user }: AppCtx,
  { sn, compartmentNo, kind, description, photoIds }: AppMalfunctionDraft,
): Promise<Reply<Contract["reportMalfunction"]> | Refusal> {
  const { tenantId } = user;
  const cabinet = await findCabinetBySn(db, sn);
  if (!cabinet || cabinet.tenantId !== tenantId) refuse("WEB_PAGE_UNKNOWN", { what: "这台柜机" });
  const at = { tenantId, cabinetId: cabinet.cabinetId };
  if (compartmentNo && !(await hasCompartment(db, { ...at, no: compartmentNo }))) {
    refuse("WEB_PAGE_UNKNOWN", { what: `${compartmentNo} 号格口` });
  }
  const used = await countToday(db, user, "report", REPORTS_PER_DAY);
  if (used) return new Refusal("REPORTS_USED_UP", used);
  const said = { description: description.trim(), photoIds };
  const by = { endUserId: user.endUserId, name: `用户 ${actorOf(user).name}` };
  return reportByEndUser(db, by, { ...at, compartmentNo: compartmentNo ?? null, kind }, said);
}

export async function uploadReportPhoto(
  { db, user }: AppCtx,
  { file }: Input<Contract["uploadPhoto"]>["body"],
): Promise<Reply<Contract["uploadPhoto"]> | Refusal> {
  const used = await countToday(db, user, "report-photo", REPORT_PHOTOS_PER_DAY);
  if (used) return new Refusal("REPORT_PHOTOS_USED_UP", used);
  const { tenantId, endUserId } = user;
  const id = await insertFile(db, { tenantId, endUserId, purpose: "MALFUNCTION", file });
  return { id, width: file.width, height: file.height };
}

const DAY_SECONDS = 86_400;

/** Counts one of a person's acts; the facts of the refusal when they had their share of 24 hours. */
async function countToday(
  db: Db,
  { tenantId, endUserId }: EndUser,
  act: string,
  max: number,
): Promise<{ max: number; hours: number } | null> {
  const { asked, rest } = await countAsked(db, `${act}:${tenantId}:${endUserId}`, DAY_SECONDS);
  return asked > max ? { max, hours: Math.ceil(rest / 3_600) } : null;
}
