// Calls of an export: a snapshot of a list, fetched page by page.
import { Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { EXPORT_CHUNK_ROWS } from "../../kit/export.rules.ts";
import { Nullable, OneOf, Strict, Uuid } from "../../kit/fields.ts";

/**
 * `WAITING`: queued behind other exports; `RUNNING`: rows are being read; `READY`: all can be
 * fetched.
 */
const EXPORT_STATES = ["WAITING", "RUNNING", "READY"] as const;

const ExportParams = Strict({ id: Uuid });

export const exportContract = {
  start: endpoint({
    method: "POST",
    path: "/admin/v1/export",
    access: "signed-in",
    risk: "data",
    feature: "export",
    summary: "导出列表",
    body: Strict({
      /** Path of a list call; exporting needs the same access as the call. */
      call: Type.String({ title: "列表", maxLength: 100 }),
      /** Filters and sorting as in the list's URL. */
      query: Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 8_000 }), {
        title: "筛选条件",
        maxProperties: 40,
      }),
    }),
    reply: Strict({ id: Uuid }),
  }),
  page: endpoint({
    method: "GET",
    path: "/admin/v1/export/{id}",
    access: "signed-in",
    summary: "导出的一页",
    params: ExportParams,
    query: Strict({
      page: Type.Integer({ title: "页码", minimum: 1, maximum: 1_000_000 }),
      pageSize: Type.Integer({ title: "每页条数", minimum: 1, maximum: EXPORT_CHUNK_ROWS }),
    }),
    reply: Strict({
      state: OneOf(EXPORT_STATES),
      /** Number of exports ahead in the queue. */
      ahead: Type.Integer(),
      /** Total rows of the snapshot; null until counted. */
      total: Nullable(Type.Integer()),
      /** Rows that can be fetched so far. */
      rowCount: Type.Integer(),
      /** Rows as the list call returns them; empty while the page is incomplete. */
      list: Type.Array(Type.Unknown()),
    }),
  }),
  end: endpoint({
    method: "DELETE",
    path: "/admin/v1/export/{id}",
    access: "signed-in",
    risk: "routine",
    summary: "结束导出",
    params: ExportParams,
    reply: Nothing,
  }),
};
