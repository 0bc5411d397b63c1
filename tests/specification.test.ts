// Specification §7: every call keeps its method, path and payload form; calls still to come are
// named.
import { contracts } from "@cabinet/contract/contracts.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { expect, test } from "vitest";

interface Query {
  properties?: object;
  additionalProperties?: boolean;
}
type Form = "none" | "query" | "json" | "form" | "multipart";

const calls: [method: string, path: string, form: Form][] = [
  ["GET", "/admin/v1/menu", "query"],
  ["GET", "/admin/v1/locker/num/statistics", "query"],
  ["POST", "/auth/token/admin/login", "form"],
  ["POST", "/auth/token/logout", "none"],
  ["GET", "/admin/v1/announcement/latest", "query"],
  ["GET", "/admin/v1/preservation/size", "query"],
  ["GET", "/admin/v1/sms/send/history", "query"],
  ["GET", "/admin/v1/sms/info", "none"],
  ["GET", "/admin/v1/sms/recharge/record", "query"],
  ["GET", "/admin/v1/sms/info/{tenantId}", "none"],
  ["GET", "/admin/v1/sms/recharge/record/{tenantId}", "query"],
  ["POST", "/admin/v1/sms/recharge", "json"],
  ["DELETE", "/admin/v1/package/del/{id}", "none"],
  ["GET", "/admin/v1/package/list", "query"],
  ["POST", "/admin/v1/package/save", "json"],
  ["GET", "/admin/v1/single/income/statistics", "query"],
  ["POST", "/admin/v1/single/income/tendency", "form"],
  ["GET", "/admin/v1/double/income/statistics", "query"],
  ["POST", "/admin/v1/double/income/tendency", "form"],
  ["GET", "/admin/v2/wallet/topup/list", "query"],
  ["GET", "/admin/v2/wallet/list", "query"],
  ["POST", "/admin/v2/user/wallet", "json"],
  ["GET", "/admin/v2/user/wallet", "query"],
  ["GET", "/admin/v1/user/list", "query"],
  ["PUT", "/admin/v1/user/disable/{id}", "query"],
  ["DELETE", "/admin/v1/normal/user/del/{id}", "none"],
  ["GET", "/admin/v1/tag/list", "query"],
  ["POST", "/admin/v1/tag/save", "query"],
  ["PUT", "/admin/v1/tag/update", "json"],
  ["DELETE", "/admin/v1/tag/delete", "query"],
  ["POST", "/admin/v1/user/tag/save", "json"],
  ["PUT", "/admin/v1/user/tag/modify", "json"],
  ["DELETE", "/admin/v1/tenant/del/{id}", "none"],
  ["GET", "/admin/v1/tenant/{id}", "none"],
  ["PUT", "/admin/v1/tenant/modify", "query"],
  ["POST", "/admin/v1/tenant/save", "json"],
  ["DELETE", "/admin/v1/user/del/{id}", "none"],
  ["POST", "/admin/v1/user/role/bind", "form"],
  ["GET", "/admin/v1/role/uid/info/{id}", "none"],
  ["POST", "/admin/v1/user/add", "json"],
  ["PUT", "/admin/v1/user", "json"],
  ["GET", "/admin/v1/tenant/operate/list", "query"],
  ["POST", "/admin/v1/tenant/modify/password", "json"],
];

const specs: EndpointSpec[] = Object.values(contracts).flatMap((contract) =>
  Object.values(contract),
);
const find = (method: string, path: string) =>
  specs.find((spec) => spec.method === method && spec.path === path);

function formOf(spec: EndpointSpec): Form {
  if (spec.body) return spec.bodyForm ?? "json";
  return spec.query ? "query" : "none";
}

test.each(calls)("§7 %s %s: payload form is %s", (method, path, form) => {
  const spec = find(method, path);
  expect(spec && formOf(spec)).toBe(form);
});

const withParams = calls.filter(([, , form]) => form === "query");
test.each(withParams)("§7 %s %s: accepts a query parameter", (method, path) => {
  const { additionalProperties, properties = {} } = (find(method, path)?.query ?? {}) as Query;
  expect(additionalProperties !== false || Object.keys(properties).length > 0).toBe(true);
});

test("§7: the list above has all 43 calls", () => {
  expect(new Set(calls.map(([method, path]) => `${method} ${path}`)).size).toBe(43);
});

test("contract: each path and method is declared once", () => {
  const keys = specs.map((spec) => `${spec.method} ${spec.base ?? "/api"}${spec.path}`);
  expect(new Set(keys).size).toBe(keys.length);
});
