// Sending to cabinets what was claimed for them: firmware jobs, and the notice that their parameters changed.
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import type { Listener } from "../../platform/notify.ts";
import {
  type CabinetKey,
  CabinetQueues,
  type DeviceLink,
  notifyConfig,
  QueueFullError,
} from "../device/index.ts";
import {
  claimConfig,
  claimFirmware,
  claimUnansweredConfig,
  lockConnected,
} from "./rollout-delivery.sql.ts";
import { tell } from "./rollout-reports.ts";

/** SENT and not answered for so long: the same job is sent again. */
const UNANSWERED_SECONDS = 55;
/** When thousands are back at once, so many are looked at at a time: people's calls go on beside. */
const AT_ONCE = 2;

export interface RolloutDeliveryOptions {
  link: DeviceLink;
  database: Database;
  listener: Listener;
  log: Log;
}

export function startRolloutDelivery(options: RolloutDeliveryOptions): { stop(): Promise<void> } {
  const { link, database, listener, log } = options;
  // One that waits will send what there is by then: a further notice has nothing to add.
  const queues = new CabinetQueues({ concurrency: AT_ONCE, perCabinet: 2 });

  /** What is claimed is on disk before it is sent; what is lost on the way is sent again. */
  async function deliver(cabinet: CabinetKey): Promise<void> {
    const claimed = await database.transaction({ tenantId: cabinet.tenantId }, async (db) => {
      const to = await lockConnected(db, cabinet, link.gateway);
      if (!to) return null;
      const config = await claimConfig(db, cabinet, to.epoch);
      if (config) await tell(db, cabinet.tenantId, [config]);
      const isUnanswered = await claimUnansweredConfig(db, cabinet, UNANSWERED_SECONDS);
      if (config?.state === "SENT" || isUnanswered) await notifyConfig(db, cabinet);
      const job = await claimFirmware(db, cabinet, to.epoch, UNANSWERED_SECONDS);
      if (job) {
        const change = { ...cabinet, rolloutId: job.rolloutId, state: "SENT" };
        await tell(db, cabinet.tenantId, [change]);
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
