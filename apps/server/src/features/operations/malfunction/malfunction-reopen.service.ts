// Reopens a malfunction: its terms start over, only if no other is open there, and it is notified
// again.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { LostRace } from "../../../platform/db/db.ts";
import { codeOf, UNIQUE_VIOLATION } from "../../../platform/db/sql-state.ts";
import { refuse } from "../../../platform/errors.ts";
import { enqueueNotices, notifyAssignee } from "../../messaging/maintenance-message/index.ts";
import { findAssignee } from "./assignee.sql.ts";
import { publish } from "./malfunction.service.ts";
import { findOutageCabinets } from "./malfunction.sql.ts";
import { carryOut, lockOne } from "./malfunction-action.service.ts";
import { findOpenInstead, type MalfunctionKey } from "./malfunction-progress.sql.ts";

/**
 * Notifies the previous assignee if still eligible, otherwise the recipients of the first notice.
 */
export async function reopenMalfunction(
  ctx: Ctx,
  id: number,
  { reason }: Input<typeof malfunctionContract.reopen>["body"],
): Promise<null> {
  const row = await lockOne(ctx, id, "reopen");
  const { tenantId, assigneeId } = row;
  const instead = await findOpenInstead(ctx.db, row);
  if (instead !== null) refuse("MALFUNCTION_OPEN_ALREADY", { id: instead });
  if (row.cabinetId === null) await requireStillOut(ctx, row);
  const by =
    assigneeId === null
      ? null
      : await findAssignee(ctx.db, { tenantId, operatorId: assigneeId, ids: [id] });
  await carryOut(ctx, [{ ...row, assigneeId: by?.id ?? null }], {
    ...{ do: "reopen", move: { do: "reopen", by }, event: "REOPENED" },
    ...{ text: reason, reason },
    after: { assigneeName: by?.name ?? "" },
  }).catch(againIfOneCameFirst);
  await enqueueNotices(ctx.db, [row]);
  if (by && by.id !== ctx.session.operatorId) await notifyAssignee(ctx.db, row, by.id);
  await publish(ctx.db, [row], "malfunction.reopened");
  return null;
}

/** With all its cabinets online again a reopened outage would end within the same second. */
async function requireStillOut(ctx: Ctx, { tenantId, id }: MalfunctionKey): Promise<void> {
  const cabinets = await findOutageCabinets(ctx.db, { tenantId, id });
  if (cabinets.some(({ backAt }) => backAt === null)) return;
  const why = "门店的设备都已恢复在线，无需重开；再次断网时会自动登记";
  refuse("MALFUNCTION_NOT_NOW", { id, why });
}

/** Race with a cabinet that reported the same: the retry finds that malfunction and names it. */
function againIfOneCameFirst(error: unknown): never {
  if (codeOf(error) === UNIQUE_VIOLATION) throw new LostRace();
  throw error;
}
