// Reads the cabinet event log: events with their texts, and a cabinet's online time.
import type {
  CabinetEvent,
  CabinetPresence,
} from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import {
  isProblem,
  onlineShare,
  presenceSpans,
} from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Ctx } from "../../../platform/context.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import { type EventQuery, findEvents, findPresence } from "./cabinet-event.sql.ts";
import { eventText } from "./event-text.rules.ts";

export async function listEvents(ctx: Ctx, query: EventQuery): Promise<Page<CabinetEvent>> {
  requireSpan(query);
  const page = await findEvents(ctx.db, ctx.session, query);
  return {
    ...page,
    list: page.list.map(({ payload, raw, ...row }) => ({
      ...row,
      text: eventText({ ...row, payload }),
      isProblem: isProblem(row.kind, payload),
      payload: raw,
    })),
  };
}

const HOUR_MS = 3_600_000;

export async function getPresence(ctx: Ctx, id: number, hours: number): Promise<CabinetPresence> {
  const found = await findPresence(ctx.db, ctx.session, id, hours);
  if (!found) refuse("NOT_FOUND", { what: "设备" });
  const iso = (ms: number) => new Date(ms).toISOString();
  const window = { from: found.now - hours * HOUR_MS, to: found.now };
  const spans = presenceSpans(found.changes, window);
  return {
    from: iso(window.from),
    to: iso(window.to),
    spans: spans.map(({ state, from, to }) => ({ state, from: iso(from), to: iso(to) })),
    onlineShare: onlineShare(spans),
  };
}
