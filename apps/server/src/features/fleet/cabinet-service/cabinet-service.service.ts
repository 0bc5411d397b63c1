// Platform actions on the service of cabinets: renew, stop, resume; all named cabinets or none.
import { serviceActionText } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import {
  type RenewalTerms,
  renewalProblemText,
  renewPeriod,
} from "@cabinet/contract/kit/service-period.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import * as repo from "./cabinet-service.sql.ts";

type Changed = Promise<{ changed: number }>;

export interface RenewalRequest extends RenewalTerms {
  cabinetIds: number[];
  endsOnBefore: (string | null)[];
  reason: string;
}

export async function renewServices(ctx: Ctx, request: RenewalRequest): Changed {
  const { cabinetIds, endsOnBefore, reason, ...terms } = request;
  if ((terms.months === undefined) === (terms.endsOn === undefined)) {
    refuse("TERM_MISSING");
  }
  if (endsOnBefore.length !== cabinetIds.length) {
    refuse("SERVICE_TERM_MISMATCH");
  }
  const expected = new Map(cabinetIds.map((id, index) => [id, endsOnBefore[index]]));
  const changes = (await lockAll(ctx, cabinetIds)).map((row): repo.ServiceChange => {
    const { startsOn, endsOn, isStopped, sn, today } = row;
    if (endsOn !== expected.get(row.cabinetId)) {
      refuse("CONFLICT", { what: `设备 ${sn} 的服务期` });
    }
    const renewal = renewPeriod({ startsOn, endsOn }, terms, today);
    if (typeof renewal === "string") {
      refuse("SERVICE_TERM_INVALID", { sn, why: renewalProblemText[renewal] });
    }
    const after = { startsOn: renewal.startsOn, endsOn: renewal.endsOn, isStopped };
    return { ...row, action: renewal.action, before: { startsOn, endsOn, isStopped }, after };
  });
  return apply(ctx, changes, reason);
}

export async function stopServices(ctx: Ctx, cabinetIds: number[], reason: string): Changed {
  return setStopped(ctx, cabinetIds, reason, true);
}

export async function resumeServices(ctx: Ctx, cabinetIds: number[], reason: string): Changed {
  return setStopped(ctx, cabinetIds, reason, false);
}

async function setStopped(
  ctx: Ctx,
  cabinetIds: number[],
  reason: string,
  isStopped: boolean,
): Changed {
  const action = isStopped ? "STOPPED" : "RESUMED";
  const changes = (await lockAll(ctx, cabinetIds)).map((row): repo.ServiceChange => {
    if (row.isStopped === isStopped) {
      refuse("STATE_NOT_ALLOWED", {
        what: `设备 ${row.sn} `,
        state: isStopped ? "已停止" : "未停止",
        action: serviceActionText[action],
      });
    }
    const { startsOn, endsOn } = row;
    const before = { startsOn, endsOn, isStopped: row.isStopped };
    return { ...row, action, before, after: { startsOn, endsOn, isStopped } };
  });
  return apply(ctx, changes, reason);
}

async function lockAll(ctx: Ctx, ids: number[]): Promise<repo.ServiceRow[]> {
  const rows = await repo.lockServices(ctx.db, ctx.session, ids);
  if (rows.length < ids.length) refuse("NOT_FOUND", { what: "设备" });
  return rows;
}

/** Applies the change with its record, audit entry and live events in one transaction. */
async function apply(
  ctx: Ctx,
  changes: (repo.ServiceChange & { sn?: string })[],
  reason: string,
): Changed {
  await repo.applyChanges(ctx.db, ctx.session, changes, reason);
  const tenantIds = new Set(changes.map((change) => change.tenantId));
  const [tenantId] = tenantIds;
  ctx.audit({
    ...(tenantIds.size === 1 && { tenantId }),
    target: `设备 ${changes.map(({ sn }) => sn).join("、")}`,
    reason,
    before: changes.map(({ sn, before }) => ({ sn, ...before })),
    after: changes.map(({ sn, after }) => ({ sn, ...after })),
  });
  await Promise.all(
    changes.map((change) =>
      pushLive(ctx.db, {
        tenantId: change.tenantId,
        topic: "cabinet",
        cabinetId: change.cabinetId,
      }),
    ),
  );
  return { changed: changes.length };
}
