// Calls about the last backup of this installation, for those who can take one.
import { Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { Nullable, Timestamp } from "../../kit/fields.ts";

export const backupContract = {
  latest: endpoint({
    method: "GET",
    path: "/admin/v1/backup/latest",
    access: "platform",
    summary: "最近一次备份的时间",
    reply: Type.Object({
      takenAt: Nullable(Timestamp),
      isRecent: Type.Boolean({ description: "两天以内" }),
    }),
  }),
  check: endpoint({
    method: "GET",
    path: "/admin/v1/backup/latest/check",
    access: "platform",
    load: "heavy",
    summary: "验证最近一次备份：核对每个文件的大小，并抽查校验和",
    reply: Type.Object({
      problem: Nullable(Type.String({ description: "空：没有发现问题" })),
      files: Type.Integer({ description: "备份中的文件" }),
      summed: Type.Integer({ description: "其中核对了校验和的文件" }),
    }),
  }),
};
