// Issues a cabinet's secret for its activation code: to one claim only, again until it has connected.
import type { activationContract } from "@cabinet/contract/equipment/device-stock/activation.contract.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { insertAuditEntry } from "../../../platform/audit.sql.ts";
import type { PublicCtx } from "../../../platform/context.ts";
import { Refusal } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import {
  blockedSeconds,
  forgetFailures,
  recordFailure,
} from "../../../platform/limits/throttle.sql.ts";
import { endCabinetSecrets, issueCabinetSecret } from "../../link/device/index.ts";
import { activationProblem, type BrokerAddress, mqttHint } from "./activation.rules.ts";
import * as repo from "./activation.sql.ts";
import { hashClaim, isRightCode, isSameClaim } from "./activation-code.crypto.ts";
import { insertStockEvent } from "./device-stock.sql.ts";

type Activate = typeof activationContract.activate;

const activateCall = { call: "POST /device/v1/activate", summary: "设备激活" };

export async function activate(
  { database, origin, headers }: PublicCtx,
  broker: BrokerAddress,
  { sn, code, claim }: Input<Activate>["body"],
): Promise<Reply<Activate> | Refusal> {
  // By network alone: a code of 80 bits cannot be guessed, and nobody elsewhere may hold up an installation.
  const deviceKey = `activation:${sn}:${origin.network}`;
  const keys = [deviceKey, `activation-address:${origin.network}`];
  const claimHash = hashClaim(claim);
  const mqtt = mqttHint(broker, hostOf(String(headers.host)));

  return database.transaction("platform", async (db) => {
    const seconds = await blockedSeconds(db, keys);
    if (seconds > 0) return new Refusal("RATE_LIMITED", { seconds });
    const device = await repo.lockDevice(db, sn);
    const { isInService, isSecretUnused } = await repo.lockItsCabinet(db, device);
    const isBound = Boolean(device?.claimHash);
    const problem = activationProblem({
      isAssigned: isInService,
      hasCode: Boolean(device?.codeHash),
      isCodeRight: isRightCode(db.vault, sn, code, device?.codeHash ?? null),
      isExpired: device?.isExpired ?? false,
      isBound,
      isSameClaim: isSameClaim(claimHash, device?.claimHash ?? null),
      isUsed: isBound && !isSecretUnused,
    });
    if (!device || problem !== null) {
      await repo.insertRefusal(db, sn, `${problem}（来自 ${origin.address}）`);
      await recordFailure(db, keys);
      return new Refusal("ACTIVATION_REFUSED");
    }
    const { id, tenantId, cabinetId } = device;
    const count = device.issuedCount + 1;
    const kid = `a${count}`;
    await endCabinetSecrets(db, { tenantId, cabinetId, sn });
    const secret = await issueCabinetSecret(db, { tenantId, cabinetId, sn, kid });
    await repo.bindDevice(db, id, { claimHash, kid, count });
    await insertStockEvent(db, {
      stockIds: [id],
      kind: isBound ? "ACTIVATED_AGAIN" : "ACTIVATED",
      actorName: "设备",
      detail: `来自 ${origin.address}`,
    });
    const actor = { tenantId, operatorId: null, username: `设备 ${sn}` };
    await insertAuditEntry(db, actor, activateCall, origin, {
      target: `设备 ${sn}`,
      after: { kid, isRepeated: isBound },
    });
    await forgetFailures(db, deviceKey);
    await pushLive(db, { tenantId, topic: "cabinet", cabinetId });
    const layout = await repo.findLayout(db, { tenantId, cabinetId });
    return { kid, secret, mqtt, ...layout };
  });
}

/** Host name without the port, as a URL writes it. */
function hostOf(header: string): string {
  const text = `http://${header}`;
  return URL.canParse(text) ? new URL(text).hostname : "127.0.0.1";
}
