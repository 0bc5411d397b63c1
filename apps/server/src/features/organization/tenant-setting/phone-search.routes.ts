// Puts the gate of searches by a phone before the calls that have one.
import { phoneSearchFieldsOf } from "@cabinet/contract/kit/phone-search.rules.ts";
import type { Route } from "../../../platform/http/mount.ts";
import { admitPhoneSearch } from "./phone-search.gate.ts";

/** The call with its gate, if its query has a field of this kind: a new list cannot forget it. */
export function withPhoneGate(route: Route): Route {
  const fields = phoneSearchFieldsOf(route.spec);
  if (fields.length === 0) return route;
  const admit: Route["admit"] = (query) => {
    const given = fields.some(({ name }) => (query as Record<string, unknown>)[name] !== undefined);
    return given ? (ctx) => admitPhoneSearch(ctx, route.spec, query) : null;
  };
  return { ...route, admit };
}
