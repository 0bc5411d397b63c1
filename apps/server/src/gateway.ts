// Composes the gateway process: the cabinet link and the commands sent over it.
import { playlistReports } from "./features/fleet/advert/index.ts";
import { commandReports, startDelivery } from "./features/fleet/command/index.ts";
import { rolloutReports, startRolloutDelivery } from "./features/fleet/rollout/index.ts";
import { startLink } from "./features/link/device/index.ts";
import {
  absenceReports,
  conditionReports,
  openingReports,
  startFollowing,
} from "./features/operations/malfunction/index.ts";
import { orderReports } from "./features/orders/order/index.ts";
import type { Database } from "./platform/db/db.ts";
import type { Listener } from "./platform/db/notify.ts";
import type { Settings } from "./platform/env.ts";
import type { Log } from "./platform/log.ts";

export interface GatewayOptions {
  settings: Pick<
    Settings,
    "host" | "port" | "mqttPort" | "mqttUrl" | "dataDir" | "tenantReportsPerSecond"
  >;
  database: Database;
  listener: Listener;
  log: Log;
}

export interface RunningGateway {
  /** False while the broker cannot be reached. */
  isLinked(): boolean;
  stop(): Promise<void>;
}

export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const link = await startLink({
    ...options,
    orders: orderReports,
    commands: commandReports(openingReports),
    absences: absenceReports,
    conditions: conditionReports,
    playlists: playlistReports,
    rollouts: rolloutReports,
  });
  const deliveries = [startDelivery, startRolloutDelivery].map((start) =>
    start({ ...options, link, orders: orderReports }),
  );
  const following = startFollowing(options);
  return {
    isLinked: () => link.canSend(),
    async stop() {
      await Promise.all([following, ...deliveries].map((each) => each.stop()));
      await link.stop();
    },
  };
}
