// Laws of the contract: every writing call of the console says what a stolen session could do with it.
import { expect, test } from "vitest";
import { contracts } from "../contracts.ts";
import { type EndpointSpec, endpoint, isOfConsole, isReading, Nothing } from "./endpoint.ts";

test("writing calls of the console have a risk, others have none", () => {
  const names = (isWanted: (spec: EndpointSpec) => boolean) =>
    Object.entries(contracts).flatMap(([noun, contract]) =>
      Object.entries(contract as Record<string, EndpointSpec>)
        .filter(([, spec]) => isWanted(spec))
        .map(([call]) => `${noun}.${call}`),
    );
  const isRated = (spec: EndpointSpec) => isOfConsole(spec) && !isReading(spec);
  expect(names((spec) => isRated(spec) !== (spec.risk !== undefined))).toEqual([]);
});

test("calls that issue a secret or an activation code, or enable what was disabled for its sake, are of trust", () => {
  interface Field {
    properties?: Record<string, Field>;
    items?: Field;
    anyOf?: Field[];
  }
  const issues = ({ properties = {}, items, anyOf = [] }: Field): boolean =>
    "secret" in properties ||
    "activationCode" in properties ||
    [...Object.values(properties), ...anyOf, ...(items ? [items] : [])].some(issues);
  const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
    Object.entries(contract as Record<string, EndpointSpec>)
      .filter(([, spec]) => isOfConsole(spec) && !isReading(spec))
      .map(([call, spec]) => ({ name: `${noun}.${call}`, spec })),
  );
  const grave = calls.filter(
    ({ name, spec }) =>
      issues(spec.reply as Field) || /^(callback|open-app|operator)\.enable$/.test(name),
  );
  expect(grave.length).toBeGreaterThan(10);
  expect(grave.filter(({ spec }) => spec.risk !== "trust").map(({ name }) => name)).toEqual([]);
});

test("one without does not compile", () => {
  const call = {
    method: "POST",
    path: "/x",
    access: "signed-in",
    summary: "",
    reply: Nothing,
  } as const;
  // @ts-expect-error: no risk
  endpoint(call);
  endpoint({ ...call, risk: "routine" });
  endpoint({ ...call, isRead: true });
  endpoint({ ...call, access: "public" });
});

test("no address of a console call is one that ad blockers stop", () => {
  const blocked = /\/(ad|ads|advert|adverts|banner|analytics|track|tracking|pixel|promo)([/._-]|$)/;
  const paths = Object.values(contracts).flatMap((contract) =>
    Object.values(contract as Record<string, EndpointSpec>).map(({ path }) => path),
  );
  expect(paths.filter((path) => blocked.test(path))).toEqual([]);
});
