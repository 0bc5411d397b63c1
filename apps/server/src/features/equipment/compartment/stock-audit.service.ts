// 盘点 (stock audit): compares records, sensor and a person's findings per compartment, and corrects
// on request.
import type { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import {
  contradictsFinding,
  occupancyAsFound,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { occupancyText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { operatorActor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { correctCompartments } from "../../link/device/index.ts";
import { recoverCompartments, reportMalfunction } from "../../operations/malfunction/index.ts";
import { findLiveOrders, reportMissing } from "../../orders/order/index.ts";
import * as repo from "./compartment.sql.ts";

type Call = typeof compartmentContract.saveStockAudit;
type Finding = Input<Call>["body"]["findings"][number];

const foundText = { EMPTY: "无物", PRESENT: "有物" } as const;

export async function saveStockAudit(
  ctx: Ctx,
  cabinetId: number,
  findings: Finding[],
): Promise<Reply<Call>> {
  const { db, session } = ctx;
  const byNo = new Map(findings.map((finding) => [finding.no, finding]));
  if (byNo.size < findings.length) {
    refuse("STOCK_AUDIT_DUPLICATE");
  }
  const cabinet = await repo.lockCabinet(db, session, cabinetId);
  if (!cabinet) refuse("NOT_FOUND", { what: "设备" });
  const compartments = await repo.lockCompartments(db, session, cabinetId, [...byNo.keys()]);
  if (compartments.length < byNo.size) refuse("NOT_FOUND", { what: "格口" });

  const orders = await findLiveOrders(db, cabinet, [...byNo.keys()]);
  const orderOf = new Map(orders.map(({ no, orderId }) => [no, orderId]));
  const seen = compartments.flatMap((compartment) => {
    const { found, correct } = byNo.get(compartment.no) as Finding;
    if (found === "SKIPPED") return [];
    const isContradictory = contradictsFinding(compartment, found);
    // Missing goods of an order are investigated as an exception; the record is not just corrected.
    const isMissing = found === "EMPTY" && compartment.occupancy === "OCCUPIED";
    const missingOrderId = (isMissing && correct && orderOf.get(compartment.no)) || null;
    const isCorrected = isContradictory && correct && missingOrderId === null;
    return [{ ...compartment, found, isContradictory, isCorrected, missingOrderId }];
  });
  const contradictory = seen.filter((cell) => cell.isContradictory);
  const corrected = contradictory.filter((cell) => cell.isCorrected);

  await repo.insertStockAudit(
    db,
    cabinet,
    session,
    compartments.map(({ no, occupancy, item }) => ({ ...byNo.get(no), occupancy, item })),
  );
  await correctCompartments(
    db,
    cabinet,
    corrected.map(({ no, occupancy, found }) => ({
      no,
      occupancy: occupancyAsFound(occupancy, found),
      item: found,
    })),
  );
  await repo.insertActions(
    db,
    cabinet,
    "STOCK_AUDITED",
    contradictory.map(({ no, found, isCorrected }) => ({
      no,
      payload: { actorName: session.signature, found, isCorrected },
    })),
  );
  const settled = seen.filter((cell) => !cell.isContradictory || cell.isCorrected);
  const settledNos = settled.map((cell) => cell.no);
  const who = session.signature;
  await recoverCompartments(db, cabinet, settledNos, "OCCUPANCY_ABNORMAL", `${who}盘点后账实相符`);
  for (const { no, occupancy, found, isCorrected } of contradictory) {
    if (isCorrected) continue;
    const description = `盘点：系统记录${occupancyText[occupancy]}，现场${foundText[found]}`;
    await reportMalfunction(db, cabinet, no, "OCCUPANCY_ABNORMAL", description, who);
  }

  for (const { missingOrderId: orderId } of seen) {
    if (orderId === null) continue;
    await reportMissing(db, operatorActor(session), { tenantId: cabinet.tenantId, orderId });
  }

  const result = {
    audited: seen.length,
    contradictory: contradictory.length,
    corrected: corrected.length,
  };
  const { tenantId, sn } = cabinet;
  ctx.audit({
    tenantId,
    target: `设备 ${sn}`,
    before: corrected.map(({ no, occupancy, item }) => ({ no, occupancy, item })),
    after: { ...result, found: corrected.map(({ no, found }) => ({ no, found })) },
  });
  await pushLive(db, { tenantId, topic: "cabinet", cabinetId });
  return result;
}
