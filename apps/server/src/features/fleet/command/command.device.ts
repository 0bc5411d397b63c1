// Delivers commands: claims each once in the database, sends it in the cabinet's session, resends
// the same bytes.

import {
  type OnceCommand,
  RESEND_AFTER_MS,
  type SealedMessage,
  type Unversioned,
} from "@cabinet/link";
import type { Database } from "../../../platform/db/db.ts";
import type { Listener } from "../../../platform/db/notify.ts";
import { startTurns } from "../../../platform/jobs/turns.ts";
import type { Log } from "../../../platform/log.ts";
import { continued } from "../../../platform/tracing.ts";
import type { DeviceLink, OrderReports } from "../../link/device/index.ts";
import type { CommandNotice } from "./command.service.ts";
import { publishChanges } from "./command-reports.flow.ts";
import {
  type ClaimedCommand,
  type CommandKey,
  claimCommand,
  expireUnsent,
  findAbandoned,
  findForgotten,
  mayResend,
  type StateChange,
  settleOverdue,
} from "./delivery.sql.ts";
import { noteSent } from "./frame.sql.ts";

const SWEEP_EVERY_MS = 1_000;
/**
 * A notification takes milliseconds; a command still QUEUED after this is picked up by the sweep.
 */
const FORGOTTEN_AFTER_MS = 1_000;
/** Publishing and noting it takes milliseconds; another copy of the same bytes does no harm. */
const NOTED_WITHIN_MS = 2_000;
/** Limits of a gateway that is alive, from its claim on. */
const abandoned = {
  sentWithinMs: NOTED_WITHIN_MS,
  resentWithinMs: (RESEND_AFTER_MS[0] ?? 0) + NOTED_WITHIN_MS,
};

export interface DeliveryOptions {
  link: DeviceLink;
  database: Database;
  listener: Listener;
  log: Log;
  orders: OrderReports;
}

export function startDelivery(options: DeliveryOptions): { stop(): Promise<void> } {
  const { link, database, listener, log, orders } = options;
  const resends = new Set<NodeJS.Timeout>();

  const deliveries = new Set<Promise<void>>();

  function deliver(sn: string, work: () => Promise<void>, id: string): void {
    const delivery = link
      .inTurn(sn, work)
      .catch((error) => log.error({ err: error, sn, commandId: id }, "command could not be sent"))
      .finally(() => deliveries.delete(delivery));
    deliveries.add(delivery);
  }

  /** Only one gateway claims a command, and sends it only after the claim has committed. */
  async function send(key: CommandKey): Promise<void> {
    // Broker unreachable: leave the command QUEUED so that another gateway can claim it; an unsent
    // command provably opened nothing.
    if (!link.canSend()) return;
    const scope = { tenantId: key.tenantId };
    const { claimed, change, beganMs } = await database.transaction(scope, async (db) => {
      const beganMs = performance.now();
      const claimed = await claimCommand(db, key, link.gateway);
      const change = claimed ?? (await expireUnsent(db, key));
      if (change) await publishChanges(db, [change]);
      return { claimed, change, beganMs };
    });
    if (claimed) await sendClaimed(key, claimed, beganMs);
    else if (change) await followOrders([change]);
  }

  async function sendClaimed(
    key: CommandKey,
    claimed: ClaimedCommand & { traceparent: string | null },
    beganMs: number,
  ): Promise<void> {
    const scope = { tenantId: key.tenantId };
    const sealed = await link.seal(claimed, "cmd", messageOf(key.id, claimed));
    if (!sealed) return;
    const json = jsonOf(sealed);
    // Counted from the beginning of the claim's transaction: this process may have been stopped since.
    const untilMs = beganMs + claimed.sendWithinMs;
    const publish = async () => {
      if (performance.now() >= untilMs) {
        log.warn({ sn: claimed.sn, commandId: key.id }, "command not sent: too late");
        return;
      }
      link.publish(sealed, untilMs);
      // Already sent: failing to record it must not affect the resends.
      await database
        .transaction(scope, (db) => noteSent(db, key, json))
        .catch((error) => log.warn({ err: error, commandId: key.id }, "sending not noted"));
    };
    await continued(
      {
        name: "publish dn/cmd",
        kind: "producer",
        parent: claimed.traceparent,
        facts: { "messaging.system": "mqtt", "cabinet.sn": claimed.sn, "command.id": key.id },
      },
      publish,
    );
    for (const afterMs of RESEND_AFTER_MS) {
      const timer = setTimeout(async () => {
        resends.delete(timer);
        try {
          if (await database.read(scope, (db) => mayResend(db, key))) await publish();
        } catch (error) {
          log.warn({ err: error, commandId: key.id }, "command not sent again");
        }
      }, afterMs);
      resends.add(timer);
    }
  }

  /**
   * Runs in separate transactions because orders lock their cabinet before its commands; a job
   * repeats what fails here.
   */
  async function followOrders(changes: readonly StateChange[]): Promise<void> {
    const cabinets = new Map(
      changes
        .filter(({ orderId }) => orderId !== null)
        .map(({ tenantId, cabinetId }) => [cabinetId, tenantId]),
    );
    for (const [cabinetId, tenantId] of cabinets) {
      await database
        .transaction({ tenantId }, (db) => orders.reported(db, tenantId, [cabinetId]))
        .catch((error) => log.error({ err: error, cabinetId }, "orders not told of a command"));
    }
  }

  async function sweep(): Promise<void> {
    const { forgotten, unanswered, settled, beganMs } = await database.transaction(
      "platform",
      async (db) => {
        const beganMs = performance.now();
        const settled = await settleOverdue(db);
        await publishChanges(db, settled);
        const forgotten = await findForgotten(db, link.gateway, FORGOTTEN_AFTER_MS);
        const unanswered = await findAbandoned(db, link.gateway, abandoned);
        return { forgotten, unanswered, settled, beganMs };
      },
    );
    await followOrders(settled);
    for (const { sn, ...key } of forgotten) deliver(sn, () => send(key), key.id);
    if (!link.canSend()) return;
    for (const { tenantId, id, ...claimed } of unanswered) {
      log.warn({ sn: claimed.sn, commandId: id }, "command sent for a lost gateway");
      deliver(claimed.sn, () => sendClaimed({ tenantId, id }, claimed, beganMs), id);
    }
  }

  const stopListening = listener.on("command", (payload) => {
    const { sn, gatewayId, ...key } = payload as CommandNotice;
    if (link.speaksFor(gatewayId)) deliver(sn, () => send(key), key.id);
  });
  const ticker = startTurns(log, SWEEP_EVERY_MS, sweep);

  return {
    async stop() {
      stopListening();
      await ticker.stop();
      // Claimed commands are published before the connection to the broker closes.
      await Promise.all(deliveries);
      for (const timer of resends) clearTimeout(timer);
    },
  };
}

/** Extracts the signed JSON from a frame of the form `signature.JSON`. */
function jsonOf({ payload }: SealedMessage): string {
  return payload.toString().slice(payload.indexOf(".") + 1);
}

function messageOf(cmdId: string, command: ClaimedCommand): Unversioned<OnceCommand> {
  const { epoch, seq, iat, exp, no, side, orderId, expectItem } = command;
  const head = { cmdId, epoch, seq, iat, exp };
  if (command.kind === "RESTART") return { ...head, type: "REBOOT" };
  // NOT_OPEN also accepts an unknown door sensor: a person decides, and a broken sensor must not
  // lock goods in.
  return {
    ...head,
    type: "OPEN",
    no: no ?? 0,
    side: side ?? "FRONT",
    expect: { door: "NOT_OPEN", ...(expectItem && { item: expectItem }) },
    ...(orderId !== null && { orderId: String(orderId) }),
  };
}
