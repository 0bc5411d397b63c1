// Call by which the console reports errors of its own program.
import { Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { OneOf, Strict } from "../../kit/fields.ts";

/** Where it was caught: by a boundary of React, or by nothing. */
export const CLIENT_ERROR_KINDS = ["BOUNDARY", "UNCAUGHT"] as const;
export type ClientErrorKind = (typeof CLIENT_ERROR_KINDS)[number];

const text = (title: string, maxLength: number) => Type.String({ title, maxLength });

export const clientErrorContract = {
  report: endpoint({
    method: "POST",
    path: "/admin/v1/client-error/report",
    access: "signed-in",
    // A report leaves a line of the log and no row.
    isRead: true,
    summary: "上报控制台自身的程序错误：写入服务日志，计入指标，不含个人信息",
    body: Strict({
      kind: OneOf(CLIENT_ERROR_KINDS),
      version: text("前端版本", 32),
      path: text("页面路径", 200),
      message: text("错误", 300),
      stack: text("调用栈", 4_000),
    }),
    reply: Nothing,
  }),
};
