// Issues, rotates and revokes cabinet secrets; a secret is returned once, in the reply.
import type {
  IssuedSecret,
  KeyedCabinet,
} from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { MAX_ACTIVE_SECRETS } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { doorsOf } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { newKid } from "../../../platform/key-id.ts";
import {
  dropEndedConnections,
  endSecretAfter,
  endSecretNow,
  issueCabinetSecret,
} from "../../link/device/index.ts";
import { type BrokerAddress, mqttHint } from "../device-stock/index.ts";
import * as repo from "./cabinet-secret.sql.ts";

export function listKeyedCabinets(ctx: Ctx, query: repo.SecretQuery): Promise<Page<KeyedCabinet>> {
  return repo.findKeyedCabinets(ctx.db, ctx.session, query);
}

/**
 * Issues the first secret of a cabinet, or a second one; the first then expires after
 * `overlapHours`.
 */
export async function issueSecret(
  ctx: Ctx,
  broker: BrokerAddress,
  id: number,
  overlapHours: number,
): Promise<IssuedSecret> {
  const { db, session } = ctx;
  const cabinet = await lock(ctx, id);
  const { tenantId, sn, name, side } = cabinet;
  if (cabinet.isRetired) refuse("CABINET_RETIRED");
  const known = await repo.findSecretsOf(db, cabinet);
  const active = known.filter(({ isInForce }) => isInForce);
  if (active.length >= MAX_ACTIVE_SECRETS) {
    refuse("SECRET_LIMIT", { kids: active.map(({ kid }) => kid).join("、") });
  }
  const kid = newKid(cabinet.today, new Set(known.map((secret) => secret.kid)));
  const issuedBy = session.signature;
  const secret = await issueCabinetSecret(db, { ...cabinet, kid, issuedBy });
  const previousKid = active[0]?.kid ?? null;
  const previousExpiresAt =
    previousKid && (await endSecretAfter(db, cabinet, previousKid, overlapHours));
  const doors = await repo.findDoors(db, cabinet);
  const sides = doorsOf[side];
  ctx.audit({
    tenantId,
    target: `设备 ${sn}`,
    before: { kids: active.map((one) => one.kid) },
    after: { kid, previousKid, previousExpiresAt },
  });
  await pushLive(db, { tenantId, topic: "cabinet", cabinetId: id });
  return {
    sn,
    name,
    kid,
    secret,
    previousKid,
    previousExpiresAt,
    side,
    compartments: doors.map(({ no }) => ({ no, sides })),
    broker: {
      url: (broker.publicUrl ?? broker.outsideUrl) ? mqttHint(broker, "") : null,
      port: broker.port,
    },
  };
}

/**
 * Revokes at once: drops the connection that uses the secret; its signatures are no longer
 * accepted.
 */
export async function revokeSecret(
  ctx: Ctx,
  id: number,
  { kid, reason }: { kid: string; reason: string },
): Promise<null> {
  const cabinet = await lock(ctx, id);
  const { tenantId, sn } = cabinet;
  const known = await repo.findSecretsOf(ctx.db, cabinet);
  const secret = known.find((one) => one.kid === kid);
  if (!secret) refuse("NOT_FOUND", { what: `密钥 ${kid} ` });
  if (!secret.isInForce) {
    refuse("STATE_NOT_ALLOWED", { what: `密钥 ${kid} `, state: "已失效", action: "吊销" });
  }
  await endSecretNow(ctx.db, cabinet, kid, ctx.session.signature);
  await dropEndedConnections(ctx.db, cabinet);
  ctx.audit({
    tenantId,
    target: `设备 ${sn} · 密钥 ${kid}`,
    reason,
    before: { expiresAt: secret.expiresAt },
    after: { isRevoked: true },
  });
  await pushLive(ctx.db, { tenantId, topic: "cabinet", cabinetId: id });
  return null;
}

/** Networks are checked when a cabinet connects; an existing connection stays. */
export async function saveNetworks(ctx: Ctx, id: number, networks: string[]): Promise<null> {
  const wrong = await repo.findInvalidNetwork(ctx.db, networks);
  if (wrong !== null) {
    refuse("NETWORK_INVALID", { network: wrong });
  }
  const cabinet = await lock(ctx, id);
  const before = await repo.replaceNetworks(ctx.db, cabinet, networks);
  const { tenantId, sn } = cabinet;
  ctx.audit({ tenantId, target: `设备 ${sn}`, before: { networks: before }, after: { networks } });
  await pushLive(ctx.db, { tenantId, topic: "cabinet", cabinetId: id });
  return null;
}

async function lock(ctx: Ctx, id: number): Promise<repo.LockedCabinet> {
  return (await repo.lockCabinet(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what: "设备" });
}
