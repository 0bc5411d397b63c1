// Admits searches by a phone: without it, a masked number can be found out digit by digit.
import { createHmac } from "node:crypto";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { normalizePhone, phoneSearchOf } from "@cabinet/contract/kit/phone.rules.ts";
import { phoneSearchFieldsOf } from "@cabinet/contract/kit/phone-search.rules.ts";
import { insertAuditEntry } from "../../../platform/audit.sql.ts";
import { type Ctx, isVisit, mayDo, type Session } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { countAsked } from "../../../platform/limits/rate-limit.sql.ts";
import { countReveal, DAY_SECONDS } from "./tenant-setting.service.ts";

/**
 * A mask hides four digits: ten thousand whole numbers, of which half are tried on average. An account that looks up this
 * many different numbers in a day finds one in twenty days; nobody who serves people needs as many.
 */
export const PHONE_SEARCHES_PER_DAY = 500;

type SearchCtx = Pick<Ctx, "db" | "session" | "origin">;

/**
 * Counts a search by a phone, or refuses it: whole numbers up to a limit, the last four digits always, as every mask
 * shows them, and other parts only for accounts that may reveal numbers, as one reveal. The same search counts once in 24
 * hours: lists turn pages and refresh.
 */
export async function admitPhoneSearch(
  ctx: SearchCtx,
  spec: EndpointSpec,
  query: unknown,
): Promise<void> {
  for (const { name, form, reveal } of phoneSearchFieldsOf(spec)) {
    const text = (query as Record<string, unknown>)[name];
    const digits = typeof text === "string" ? normalizePhone(text) : "";
    const kind = phoneSearchOf(digits);
    if (kind === "WHOLE" && (await isNew(ctx, digits))) await countSearch(ctx);
    // The search box takes other digits for those of an order or a cabinet.
    if (kind === "PART" && form === "PART") {
      await countPart(ctx, spec, { digits, permission: reveal });
    }
  }
}

const accountOf = ({ homeTenantId, operatorId }: Session) => `${homeTenantId}:${operatorId}`;

/** First search of the account for these digits in 24 hours; the table keeps a keyed hash of them. */
async function isNew({ db, session }: SearchCtx, digits: string): Promise<boolean> {
  const secret = db.vault.derive("phone searches");
  const account = accountOf(session);
  const hash = createHmac("sha256", secret).update(`${account}:${digits}`).digest("base64url");
  const { asked } = await countAsked(db, `phone-seen:${hash}`, DAY_SECONDS);
  return asked === 1;
}

async function countSearch({ db, session }: SearchCtx): Promise<void> {
  const max = PHONE_SEARCHES_PER_DAY;
  const { asked, rest } = await countAsked(db, `phone-search:${accountOf(session)}`, DAY_SECONDS);
  if (asked > max) refuse("PHONE_SEARCHES_USED_UP", { max, hours: Math.ceil(rest / 3_600) });
}

async function countPart(
  ctx: SearchCtx,
  { method, path, summary }: EndpointSpec,
  { digits, permission }: { digits: string; permission: string },
): Promise<void> {
  const { db, session, origin } = ctx;
  if (isVisit(session) || !mayDo(session, permission)) refuse("PHONE_PART_HIDDEN");
  if (!(await isNew(ctx, digits))) return;
  const reveals = await countReveal(ctx, session.tenantId);
  await insertAuditEntry(db, session, { call: `${method} ${path}`, summary }, origin, {
    target: `按手机号中的 ${digits.length} 位查找`,
    after: { reveals },
  });
}
