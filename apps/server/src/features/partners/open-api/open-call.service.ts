// Call records of third parties, with the title of each endpoint.
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import type {
  OpenCall,
  OpenCallDetail,
} from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import * as repo from "./open-call.sql.ts";

const summaries = new Map(
  Object.values(openApiContract).map(({ method, path, summary }) => [`${method} ${path}`, summary]),
);

function named<Row extends { call: string }>({ call, ...row }: Row) {
  const summary = summaries.get(call) ?? call;
  return { ...row, summary: summary.split("：")[0] ?? summary };
}

export async function listOpenCalls(ctx: Ctx, query: repo.CallQuery): Promise<Page<OpenCall>> {
  requireSpan(query);
  const page = await repo.findOpenCalls(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map(named) };
}

export async function getOpenCall(ctx: Ctx, id: number): Promise<OpenCallDetail> {
  const row = await repo.findOpenCall(ctx.db, ctx.session, id);
  return named(row ?? refuse("NOT_FOUND", { what: "调用记录" }));
}
