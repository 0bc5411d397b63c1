// The cabinet link: runs a broker, processes reports, sends replies, sweeps for silent cabinets.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import os from "node:os";
import {
  type DownKind,
  type DownMessages,
  RESYNC_AFTER_GAP_MS,
  RESYNC_EVERY_MS,
  type SealedMessage,
  sealDown,
  type Unversioned,
} from "@cabinet/link";
import type { Database } from "../../../../platform/db/db.ts";
import type { Listener } from "../../../../platform/db/notify.ts";
import type { Settings } from "../../../../platform/env.ts";
import { startTurns } from "../../../../platform/jobs/turns.ts";
import type { Log } from "../../../../platform/log.ts";
import { CabinetLog } from "../gate/cabinet-log.service.ts";
import { deleteStaleChallenges } from "../gate/challenge.sql.ts";
import { ConnectGate } from "../gate/connect.gate.ts";
import { Keyring } from "../gate/keyring.cache.ts";
import type { SecretNotice } from "../gate/secret.signal.ts";
import { closeEndedConnections } from "../gate/secret-end.sql.ts";
import type { AbsenceReports } from "../presence/absence-reports.port.ts";
import { claimDueBirths, type DueBirth } from "../presence/birth-request.sql.ts";
import { findDesiredConfig } from "../presence/config.sql.ts";
import { LiveMarks } from "../presence/live-marks.runner.ts";
import {
  type CabinetKey,
  claimResyncs,
  endConnectionsOf,
  type Gateway,
  sweepPresence,
} from "../presence/presence.sql.ts";
import { CabinetQueues, QueueFullError } from "../reports/cabinet-queues.runner.ts";
import type { CommandReports } from "../reports/command-reports.port.ts";
import type { ConditionReports } from "../reports/condition-reports.port.ts";
import type { OrderReports } from "../reports/order-reports.port.ts";
import type { PlaylistReports } from "../reports/playlist-reports.port.ts";
import { receiveOn, storeTogether } from "../reports/report-receiver.runner.ts";
import type { RolloutReports } from "../reports/rollout-reports.port.ts";
import type { Broker } from "./broker.port.ts";
import { startEmbeddedBroker } from "./embedded-broker.device.ts";
import { connectOutsideBroker } from "./outside-broker.device.ts";
import { removeGone, reportAlive, reportCutOff, reportGone } from "./receiver-share.sql.ts";

const SWEEP_EVERY_MS = 1_000;
/**
 * Firmware that ignores the request still sends a birth after a reconnect, which the embedded
 * broker can force by dropping it.
 */
const DROP_AT_ATTEMPT = 4;
/**
 * Together with the batches below the pool's size, so that API calls still get a connection during
 * a reconnect storm.
 */
const CONCURRENCY = 4;
/** When the config of a whole fleet changes, at most this many are read and sent at a time. */
const CONFIGS_AT_ONCE = 2;
const GROUP_LENGTH = 16;
/** One read of a socket can hold this many of the smallest frames. */
const MAX_WAITING = 1_000;

export interface LinkOptions {
  settings: Pick<
    Settings,
    "host" | "port" | "mqttPort" | "mqttUrl" | "dataDir" | "tenantReportsPerSecond"
  >;
  database: Database;
  listener: Listener;
  log: Log;
  commands: CommandReports;
  playlists: PlaylistReports;
  rollouts: RolloutReports;
  orders: OrderReports;
  absences: AbsenceReports;
  conditions: ConditionReports;
}

export interface DeviceLink {
  readonly gateway: Gateway;
  /** Runs `work` in this cabinet's turn, ahead of other cabinets' queued work. */
  inTurn<Result>(sn: string, work: () => Promise<Result>): Promise<Result>;
  /** Undefined when the key is no longer in force. */
  seal<K extends DownKind>(
    to: { sn: string; kid: string },
    kind: K,
    message: Unversioned<DownMessages[K]>,
  ): Promise<SealedMessage | undefined>;
  /** As of `Broker`. */
  publish(message: SealedMessage, untilMs?: number): void;
  /** True when a message published now would be sent at once. */
  canSend(): boolean;
  /** True if this process handles work addressed to that gateway. */
  speaksFor(gatewayId: string | null): boolean;
  stop(): Promise<void>;
}

export async function startLink(options: LinkOptions): Promise<DeviceLink> {
  const { settings, database, log } = options;
  const { tenantReportsPerSecond } = settings;
  const isShared = settings.mqttUrl !== null;
  const gateway: Gateway = { id: isShared ? nameOfProcess() : nameOfPlace(settings), isShared };
  const keyring = new Keyring(database);
  // One running and one waiting are enough: the waiting one reads the config at the time it sends.
  const configs = new CabinetQueues({ concurrency: CONFIGS_AT_ONCE, perCabinet: 2 });
  const liveMarks = new LiveMarks(database, log);
  let broker: Broker | undefined;
  const publish: DeviceLink["publish"] = (message, untilMs) => broker?.publish(message, untilMs);

  const seal: DeviceLink["seal"] = async (to, kind, message) => {
    const keys = (await keyring.find(to.sn))?.keys.get(to.kid);
    return keys && sealDown(keys, to.sn, kind, message);
  };

  const cabinetLog = new CabinetLog({ database, log });
  const together = storeTogether({
    database,
    keyring,
    liveMarks,
    commands: options.commands,
    playlists: options.playlists,
    rollouts: options.rollouts,
    orders: options.orders,
    conditions: options.conditions,
    gatewayId: gateway.id,
    cabinetLog,
    log,
    publish,
  });
  const limits = { concurrency: CONCURRENCY, perCabinet: MAX_WAITING };
  const queues = new CabinetQueues(limits, together);
  const receiver = receiveOn(queues, { log, cabinetLog, keyring, tenantReportsPerSecond });
  const { receive } = receiver;

  async function startBroker(): Promise<Broker> {
    if (settings.mqttUrl) {
      return connectOutsideBroker({
        url: settings.mqttUrl,
        gatewayId: gateway.id,
        group: database.vault.derive("mqtt group").slice(0, GROUP_LENGTH),
        reportAlive: () => database.transaction("platform", (db) => reportAlive(db, gateway.id)),
        reportCutOff: () => database.transaction("platform", (db) => reportCutOff(db, gateway.id)),
        reportGone: () => database.transaction("platform", (db) => reportGone(db, gateway.id)),
        log,
        events: { receive },
      });
    }
    await endConnections();
    await database.transaction("platform", removeGone);
    return startEmbeddedBroker({
      host: settings.host,
      port: settings.mqttPort,
      gate: new ConnectGate({ database, keyring, log, gatewayId: gateway.id }),
      log,
      events: { receive, connectionEnded },
    });
  }

  const endConnections = () =>
    database.transaction("platform", (db) => endConnectionsOf(db, gateway.id));

  function connectionEnded(sn: string, cabinet: CabinetKey, nonce: string): void {
    receiver
      .connectionEnded(sn, cabinet, nonce)
      .catch((error) => log.warn({ err: error, sn }, "end of a connection not stored"));
  }

  async function sweep(): Promise<void> {
    const limits = { afterMs: RESYNC_AFTER_GAP_MS, everyMs: RESYNC_EVERY_MS };
    const [changed, gaps, births] = await database.transaction("platform", async (db) => {
      await deleteStaleChallenges(db);
      const gone = await sweepPresence(db);
      const absent = gone ? [...gone, ...(await options.absences.sweep(db))] : [];
      return [absent, await claimResyncs(db, gateway, limits), await claimDueBirths(db, gateway)];
    });
    for (const cabinet of changed) liveMarks.mark(cabinet);
    for (const { sn, kid, ...resync } of gaps) {
      const message = { type: "RESYNC", ...resync } as const;
      const sealed = await seal({ sn, kid }, "cmd", message);
      if (sealed) publish(sealed);
    }
    for (const birth of births) await askForBirth(birth);
  }

  async function askForBirth({ sn, kid, nonce, attempts }: DueBirth): Promise<void> {
    if (attempts === 1) log.info({ sn }, "cabinet heard without a session, asked for a birth");
    if (attempts >= DROP_AT_ATTEMPT) return broker?.drop(sn, kid);
    const message = { type: "BIRTH", cmdId: randomUUID(), ...(nonce && { nonce }) } as const;
    const sealed = await seal({ sn, kid }, "cmd", message);
    if (sealed) publish(sealed);
  }

  /** Closes connections whose key is no longer in force, even if the notification was lost. */
  async function dropEnded(): Promise<void> {
    const ended = await database.transaction("platform", closeEndedConnections);
    for (const { sn, kid, isCut, ...cabinet } of ended) {
      drop({ sn, kid });
      if (isCut) liveMarks.mark(cabinet);
    }
  }

  function drop({ sn, kid }: SecretNotice): void {
    keyring.forget(sn);
    broker?.drop(sn, kid);
  }

  async function sendConfig(cabinet: CabinetKey): Promise<void> {
    const config = await database.read({ tenantId: cabinet.tenantId }, async (db) => {
      const request = await findDesiredConfig(db, cabinet, gateway);
      const playlist = request && (await options.playlists.find(db, cabinet));
      return request && { ...request, ...(playlist && { playlist }) };
    });
    if (!config) return;
    const { sn, kid, ...message } = config;
    const sealed = await seal({ sn, kid }, "cfg", message);
    if (sealed) publish(sealed);
  }

  broker = await startBroker();
  await sweep();
  const ticker = startTurns(log, SWEEP_EVERY_MS, sweep);
  const dropper = startTurns(log, SWEEP_EVERY_MS, dropEnded);
  const stopListening = options.listener.on("config", (notice) => {
    const cabinet = notice as CabinetKey;
    const name = `${cabinet.tenantId} ${cabinet.cabinetId}`;
    configs
      .run(name, () => sendConfig(cabinet))
      .catch((error) => {
        if (error instanceof QueueFullError) return;
        log.warn({ err: error }, "config could not be sent");
      });
  });

  const stopHearing = options.listener.on("secret", (notice) => drop(notice as SecretNotice));

  return {
    gateway,
    inTurn: (sn, work) => queues.run(sn, work, true),
    seal,
    publish,
    canSend: () => broker.isReachable(),
    speaksFor: (gatewayId) => broker.speaksFor(gatewayId),
    async stop() {
      stopListening();
      stopHearing();
      await Promise.all([ticker.stop(), dropper.stop()]);
      await broker.stop();
      await Promise.all([queues.drained(), configs.drained(), cabinetLog.drained()]);
      if (!gateway.isShared) await endConnections();
      liveMarks.stop();
    },
  };
}

/**
 * Stable gateway id from host, data folder and port: after a restart the process finds the state
 * its embedded broker left.
 */
function nameOfPlace({ dataDir, port }: LinkOptions["settings"]): string {
  const place = `${os.hostname()}\n${dataDir}\n${port}`;
  return `gateway-${createHash("sha256").update(place).digest("hex").slice(0, 12)}`;
}

/**
 * Random gateway id: at an outside broker a process leaves no state behind, and several may share a
 * machine and its folder.
 */
function nameOfProcess(): string {
  return `gateway-${randomBytes(6).toString("hex")}`;
}
