// Calls for legal texts (协议): versions that a tenant publishes for its users, or the platform for tenants without own ones.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { EditVersionOrNew, Id, IdParams, Strict, TenantId, Timestamp } from "../../kit/fields.ts";
import { LEGAL_TEXT_MAX } from "./legal-text.rules.ts";
import { LegalKind, LegalVersion } from "./legal-text.ts";

const ofTenant = { tenantId: Type.Optional(TenantId) };

export const LegalText = Type.Object({
  id: Id,
  ...LegalVersion.properties,
  publishedAt: Timestamp,
  publishedBy: Type.String(),
  consents: Type.Integer({ description: "同意这一版的用户数，只数本租户的" }),
});
export type LegalText = Static<typeof LegalText>;

const Body = Type.String({
  title: "正文",
  minLength: 1,
  maxLength: LEGAL_TEXT_MAX,
  pattern: "\\S",
  description: "纯文本，换行和空行照原样显示",
});

export const LegalTextDetail = Type.Object({ ...LegalText.properties, body: Type.String() });
export type LegalTextDetail = Static<typeof LegalTextDetail>;

export const LegalTextDraft = Strict({ body: Body });

export const legalTextContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/legal-text/list",
    access: "web-page:read",
    summary: "协议的各个版本，新的在前；自己没有发布过的协议，显示平台的现行版本",
    query: Strict(ofTenant),
    reply: Type.Array(LegalText),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/legal-text/{id}",
    access: "web-page:read",
    summary: "协议一个版本的正文",
    params: IdParams,
    query: Strict(ofTenant),
    reply: LegalTextDetail,
  }),
  publish: endpoint({
    method: "POST",
    path: "/admin/v1/legal-text/publish",
    access: "web-page:write",
    risk: "data",
    summary: "发布协议的新版本；用户下次存件前要重新同意",
    body: Strict({
      kind: LegalKind,
      body: Body,
      editVersion: EditVersionOrNew,
      ...ofTenant,
    }),
    reply: Type.Object({ id: Id, version: Type.Integer() }),
  }),
};
