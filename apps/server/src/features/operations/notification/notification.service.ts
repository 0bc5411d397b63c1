// The notification centre: states of the tenant and news for the account, and what the account has seen.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { type Ctx, isPlatformStaff, isVisit, mayDo } from "../../../platform/context.ts";
import { findReadUntil, getNewDevice, writeReadUntil } from "../../identity/account/index.ts";
import { findFactorDeadline } from "../../identity/second-factor/index.ts";
import { findNews, markAnnouncementsRead } from "../../messaging/announcement/index.ts";
import { findOwnNotices, markNoticesRead } from "../../messaging/maintenance-message/index.ts";
import { findOwnResults } from "../../money/review/index.ts";
import { findMalfunctions } from "../malfunction/index.ts";
import {
  fromAnnouncement,
  fromMalfunction,
  fromNotice,
  fromResult,
  fromSignIn,
  fromState,
  inOrder,
  mergeWebhooks,
  type StateRow,
} from "./notification.rules.ts";
import { findFailingWebhooks, findStates } from "./notification.sql.ts";

type Contract = typeof notificationContract;

/** Most rows of each kind; further malfunctions are counted. */
const MOST = 20;

export async function listNotifications(ctx: Ctx): Promise<Reply<Contract["list"]>> {
  const { db, session } = ctx;
  const at = new Date().toISOString();
  const isImpersonating = isVisit(session);
  const isPlatform = isPlatformStaff(session);
  const severe = { page: 1, pageSize: MOST, state: "OPEN", severity: "SEVERE" } as const;
  const [until, notices, malfunctions, announcements, signIn, found, failing, results, factorDue] =
    await Promise.all([
      isImpersonating ? null : findReadUntil(db, session),
      findOwnNotices(db, session, MOST),
      mayDo(session, "malfunction:read") ? findMalfunctions(db, session, severe) : null,
      isImpersonating ? [] : findNews(db, session, MOST),
      getNewDevice(ctx),
      findStates(db, session),
      findFailingWebhooks(db, session),
      isImpersonating ? [] : findOwnResults(db, session, MOST),
      findFactorDeadline(db, session),
    ]);
  const contextOf = (since: string) => ({
    isPlatform,
    // An impersonation leaves no read marks: nothing is new to it.
    isUnread: !isImpersonating && (until === null || since > until),
  });
  const noticed = new Set(notices.map(({ malfunctionId }) => malfunctionId));
  const shown = malfunctions?.list ?? [];
  const webhooks = mergeWebhooks(notices, failing);
  const states: StateRow[] = [...webhooks.states, ...found, ...factorStates(factorDue)];
  const last = shown.at(-1);
  const count = (malfunctions?.total ?? 0) - shown.length;
  if (last && count > 0) {
    states.push({ kind: "MORE_MALFUNCTIONS", count, name: "", at: last.createdAt });
  }
  const list = inOrder([
    ...webhooks.notices.map((notice) => fromNotice(notice, webhooks.open.has(notice.id))),
    ...shown
      .filter(({ id }) => !noticed.has(id))
      .map((row) => fromMalfunction(row, contextOf(row.createdAt))),
    ...states.map((row) => fromState(row, contextOf(row.at))),
    ...results.map((row) => fromResult(row, contextOf(row.at))),
    ...announcements.map(fromAnnouncement),
    ...(signIn ? [fromSignIn(signIn)] : []),
  ]);
  return { list, at };
}

/** Unread anew each day, until the account has a second factor or cannot work without one. */
function factorStates(due: string | null): StateRow[] {
  if (due === null) return [];
  const today = shanghaiDay(Date.now());
  const at = new Date(`${today}T00:00:00+08:00`).toISOString();
  return [{ kind: "FACTOR", count: 1, name: shanghaiDay(Date.parse(due)), at }];
}

export async function readNotifications(
  { db, session, audit }: Ctx,
  { noticeIds, announcementIds, until }: Input<Contract["read"]>["body"],
): Promise<null> {
  const notices = await markNoticesRead(db, session, noticeIds);
  const announcements = await markAnnouncementsRead(db, session, announcementIds);
  if (until !== null) {
    const readUntil = new Date(Math.min(Date.parse(until), Date.now()));
    await writeReadUntil(db, session, readUntil.toISOString());
  }
  audit({
    target: `消息中心 ${session.username}`,
    after: {
      noticeIds: notices.map(({ id }) => id),
      announcementIds: announcements.map(({ id }) => id),
      until,
    },
  });
  return null;
}
