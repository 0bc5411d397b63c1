// Calls of an export: a list as it stood at one moment, fetched page by page.
import { Type } from "typebox";
import { endpoint, Nothing } from "../kit/endpoint.ts";
import { EXPORT_CHUNK_ROWS } from "../kit/export.rules.ts";
import { Nullable, OneOf, Strict, Uuid } from "../kit/fields.ts";

/** `WAITING`: others come first; `RUNNING`: its rows are being read; `READY`: all of them can be fetched. */
export const EXPORT_STATES = ["WAITING", "RUNNING", "READY"] as const;

const ExportParams = Strict({ id: Uuid });

export const exportContract = {
  start: endpoint({
    method: "POST",
    path: "/admin/v1/export",
    access: "signed-in",
    summary: "导出列表",
    body: Strict({
      /** Path of a list call; whoever may make it may export it. */
      call: Type.String({ title: "列表", maxLength: 100 }),
      /** As in the list's address: filters, sort. */
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
      /** Exports that come before this one, while it waits. */
      ahead: Type.Integer(),
      /** All rows of the list at that moment; null until they are counted. */
      total: Nullable(Type.Integer()),
      /** How many of them can be fetched by now. */
      rowCount: Type.Integer(),
      /** Rows as the list itself gives them; none while the page is not whole. */
      list: Type.Array(Type.Unknown()),
    }),
  }),
  end: endpoint({
    method: "DELETE",
    path: "/admin/v1/export/{id}",
    access: "signed-in",
    summary: "结束导出",
    params: ExportParams,
    reply: Nothing,
  }),
};
