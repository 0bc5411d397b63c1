// Handles cabinet reports on firmware and parameters, and publishes the changes.
import { isInFlight, type TargetState } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { pushLive } from "../../../platform/http/live.ts";
import type { RolloutReports } from "../../link/device/index.ts";
import { jobOutcome } from "./job-detail.rules.ts";
import { advanceSoon } from "./rollout.jobs.ts";
import { notifyJob } from "./rollout-progress.flow.ts";
import {
  applyBirthVersions,
  applyConfigReports,
  applyJobOutcome,
  findConcerned,
  type TargetChange,
  touchOpenTargets,
} from "./rollout-report.sql.ts";

/** Server jobs have UUIDs as names; other names are ignored. */
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export const rolloutReports: RolloutReports = {
  async jobReported(db, cabinet, { jobId, status, reason, bootNo }) {
    const outcome = uuid.test(jobId) ? jobOutcome(status, reason) : null;
    if (!outcome) return;
    const change = await applyJobOutcome(db, cabinet, jobId, outcome, bootNo);
    if (change) await publishChanges(db, cabinet.tenantId, [change]);
  },

  async born(db, tenantId, births) {
    // Most cabinets are in no roll-out: a storm of births costs one query.
    const ids = await findConcerned(
      db,
      tenantId,
      births.map(({ cabinetId }) => cabinetId),
    );
    if (ids.length === 0) return;
    await publishChanges(db, tenantId, await applyBirthVersions(db, tenantId, births));
    // The serving gateway offers waiting jobs once its `hello` is under way.
    for (const cabinetId of await touchOpenTargets(db, tenantId, ids)) {
      await notifyJob(db, { tenantId, cabinetId });
    }
  },

  async configsReported(db, tenantId, cabinetIds) {
    await publishChanges(db, tenantId, await applyConfigReports(db, tenantId, cabinetIds));
  },
};

/** Publishes to the consoles and queues the next step of roll-outs with settled targets. */
export async function publishChanges(
  db: Db,
  tenantId: number,
  changes: readonly TargetChange[],
): Promise<void> {
  for (const { cabinetId } of changes) {
    await pushLive(db, { topic: "rollout", tenantId, cabinetId });
  }
  const settled = changes.filter(({ state }) => !isInFlight(state as TargetState));
  for (const id of new Set(settled.map(({ rolloutId }) => rolloutId))) {
    await advanceSoon(db, { tenantId, id });
  }
}
