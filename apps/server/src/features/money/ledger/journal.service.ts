// Lists journals with masked phones, and their sums up to a cap.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { SUM_CAP } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import {
  findJournalDetail,
  findJournals,
  type JournalFilters,
  sumJournals,
} from "./journal.sql.ts";

export async function listJournals(
  ctx: Ctx,
  query: Input<typeof ledgerContract.list>["query"],
): Promise<Reply<typeof ledgerContract.list>> {
  requireSpan(query);
  const page = await findJournals(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map(withMaskedPhone) };
}

export async function sumOfJournals(
  ctx: Ctx,
  query: JournalFilters,
): Promise<Reply<typeof ledgerContract.sums>> {
  requireSpan(query);
  const sums = await sumJournals(ctx.db, ctx.session, query);
  const count = sums.reduce((all, sum) => all + sum.count, 0);
  return { sums, ...(count === SUM_CAP && { isCapped: true }) };
}

export async function getJournal(ctx: Ctx, id: number): Promise<Reply<typeof ledgerContract.get>> {
  const journal = await findJournalDetail(ctx.db, ctx.session, id);
  return withMaskedPhone(journal ?? refuse("NOT_FOUND", { what: "交易记录" }));
}

function withMaskedPhone<Row extends { phone: string }>(row: Row): Row {
  return { ...row, phone: maskPhone(row.phone) };
}
