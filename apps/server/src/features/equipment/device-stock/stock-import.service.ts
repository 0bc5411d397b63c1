// Imports a spreadsheet of new devices: validated line by line, in one transaction, each with its code.
import type {
  deviceStockContract,
  ImportReply,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import {
  judgeLines,
  normalizeSn,
  normalizeText,
  stockStateText,
} from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { namedInAudit } from "../../../platform/import-lines.ts";
import { makeActivationCode } from "./activation-code.crypto.ts";
import * as repo from "./device-stock.sql.ts";

type Import = Input<typeof deviceStockContract.importLines>["body"];

export async function importLines(
  ctx: Ctx,
  { importId, mode, lines }: Import,
): Promise<ImportReply> {
  const { db, session } = ctx;
  const { known, mine } = await findKnown(ctx, importId, lines);
  const judged = judgeLines(lines, known);
  const ready = judged.filter(({ result }) => result === "READY");
  const isWanted = mode === "VALID_ONLY" || ready.length === lines.length;
  const imported = new Map<string, { stockId: number; activationCode: string }>();
  let codesReplaced = 0;
  if (isWanted) {
    const made = ready.map(({ given }) => {
      const { activationCode, codeHash } = makeActivationCode(ctx.db.vault, given.sn);
      const modelId = known.models.get(given.model) ?? 0;
      return { ...given, modelId, activationCode, codeHash };
    });
    const again = made.flatMap(({ sn, codeHash }) => {
      const id = mine.get(sn);
      return id === undefined ? [] : [{ id, codeHash }];
    });
    await repo.updateCodes(db, again);
    codesReplaced = again.length;
    const fresh = made.filter(({ sn }) => !mine.has(sn));
    const importedBy = session.signature;
    const inserted = await repo.insertStock(db, fresh, { importId, importedBy });
    // Another request took one of the numbers first: an ALL_OR_NONE import is refused as a whole.
    if (inserted.length < fresh.length && mode === "ALL_OR_NONE") {
      refuse("CONFLICT", { what: "库存" });
    }
    await repo.insertStockEvent(db, {
      stockIds: inserted.map(({ id }) => id),
      kind: "IMPORTED",
      actorName: importedBy,
      detail: "批量导入",
    });
    const ids = new Map([...mine, ...inserted.map(({ sn, id }) => [sn, id] as const)]);
    for (const { sn, activationCode } of made) {
      const stockId = ids.get(sn);
      if (stockId !== undefined) imported.set(sn, { stockId, activationCode });
    }
  }
  const sns = [...imported.keys()];
  ctx.audit({
    target: `导入 ${sns.length} 台新设备`,
    after: {
      importId,
      imported: sns.length,
      refused: lines.length - ready.length,
      ...(codesReplaced > 0 && { codesReplaced }),
      sns: namedInAudit(sns),
    },
  });
  return {
    imported: sns.length,
    codesReplaced,
    codeExpiresAt: await repo.findCodeExpiry(db),
    lines: judged.map(({ line, sn, result, message }) => {
      if (result !== "READY" || !isWanted) return { line, sn, result, message };
      const done = imported.get(sn);
      const outcome = mine.has(sn) ? "已导入过，之前的激活码已作废" : "已导入";
      return done
        ? { line, sn, result: "IMPORTED" as const, message: outcome, ...done }
        : { line, sn, result: "EXISTS" as const, message: "刚刚已被其他人登记" };
    }),
  };
}

/** `mine`: devices of this same import, whose answer was lost; they may get new codes. */
async function findKnown({ db }: Ctx, importId: string, lines: Import["lines"]) {
  const sns = [...new Set(lines.map(({ sn }) => normalizeSn(sn)))];
  const stocked = await repo.lockStockBySn(db, sns);
  const [models, cabinetNumbers] = await Promise.all([
    repo.findModels(db),
    repo.findCabinetNumbers(db, sns),
  ]);
  const mine = new Map<string, number>();
  const taken = new Map(cabinetNumbers.map((sn) => [sn, "已是在用的设备，不能重复登记"]));
  for (const { id, sn, state, importId: theirs } of stocked) {
    if (theirs === importId && state === "IN_STOCK") mine.set(sn, id);
    else taken.set(sn, `已登记过，状态为“${stockStateText[state]}”`);
  }
  const modelIds = new Map(models.map(({ id, name }) => [normalizeText(name), id]));
  return { known: { models: modelIds, taken }, mine };
}
