// Sends claimed work to cabinets: firmware jobs, and notices of changed parameters.
import type { Database } from "../../../platform/db/db.ts";
import type { Listener } from "../../../platform/db/notify.ts";
import type { Log } from "../../../platform/log.ts";
import {
  type CabinetKey,
  CabinetQueues,
  type DeviceLink,
  notifyConfig,
  QueueFullError,
} from "../../link/device/index.ts";
import {
  claimConfig,
  claimFirmware,
  claimUnansweredConfig,
  lockConnected,
} from "./rollout-delivery.sql.ts";
import { publishChanges } from "./rollout-reports.flow.ts";

/** A SENT job without reply for this long is sent again. */
const UNANSWERED_SECONDS = 55;
/** Concurrency cap: when thousands reconnect at once, user requests must still get connections. */
const AT_ONCE = 2;

export interface RolloutDeliveryOptions {
  link: DeviceLink;
  database: Database;
  listener: Listener;
  log: Log;
}

export function startRolloutDelivery(options: RolloutDeliveryOptions): { stop(): Promise<void> } {
  const { link, database, listener, log } = options;
  // A waiting delivery reads the latest state when it runs, so further notices are dropped.
  const queues = new CabinetQueues({ concurrency: AT_ONCE, perCabinet: 2 });

  /** Claims are committed before anything is sent; a lost frame is sent again. */
  async function deliver(cabinet: CabinetKey): Promise<void> {
    const claimed = await database.transaction({ tenantId: cabinet.tenantId }, async (db) => {
      const to = await lockConnected(db, cabinet, link.gateway);
      if (!to) return null;
      const config = await claimConfig(db, cabinet, to.epoch);
      if (config) await publishChanges(db, cabinet.tenantId, [config]);
      const isUnanswered = await claimUnansweredConfig(db, cabinet, UNANSWERED_SECONDS);
      if (config?.state === "SENT" || isUnanswered) await notifyConfig(db, cabinet);
      const job = await claimFirmware(db, cabinet, to.epoch, UNANSWERED_SECONDS);
      if (job) {
        const change = { ...cabinet, rolloutId: job.rolloutId, state: "SENT" };
        await publishChanges(db, cabinet.tenantId, [change]);
      }
      return job && { to, job };
    });
    if (!claimed) return;
    const { to, job } = claimed;
    const { rolloutId: _, fileId, ...message } = job;
    const sealed = await link.seal(to, "job", {
      ...message,
      epoch: to.epoch,
      kind: "FIRMWARE",
      url: `/device/v1/file/${fileId}`,
    });
    if (sealed) link.publish(sealed);
  }

  const stopListening = listener.on("job", (notice) => {
    const cabinet = notice as CabinetKey;
    queues
      .run(`${cabinet.tenantId} ${cabinet.cabinetId}`, () => deliver(cabinet))
      .catch((error) => {
        if (error instanceof QueueFullError) return;
        log.warn({ err: error, ...cabinet }, "job could not be sent");
      });
  });

  return {
    async stop() {
      stopListening();
      await queues.drained();
    },
  };
}
