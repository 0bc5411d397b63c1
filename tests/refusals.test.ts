// The refusals that the API document lists for each call are those that the server's source can reach.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isOfConsole } from "@cabinet/contract/kit/endpoint.ts";
import { expect, it } from "vitest";
import { reachableRefusals } from "./support/refusal-analysis.ts";

const isConsoleCall = (name: string) => {
  const [noun = "", call = ""] = name.split(".");
  const specs = contracts as unknown as Record<string, Record<string, EndpointSpec>>;
  return isOfConsole(specs[noun]?.[call] as EndpointSpec);
};
// The ledger asks console accounts alone for a proof: the analysis follows names, not who calls.
const reachable = Object.fromEntries(
  Object.entries(reachableRefusals()).map(([name, codes]) => [
    name,
    isConsoleCall(name) ? codes : codes.filter((code) => code !== "PROOF_DUE"),
  ]),
);

it("refusals.json: equals what the source can reach (renew with -u)", async () => {
  const lines = Object.entries(reachable).map(
    ([name, codes]) => `  ${JSON.stringify(name)}: ${JSON.stringify(codes)}`,
  );
  const text = `{\n${lines.join(",\n")}\n}\n`;
  await expect(text).toMatchFileSnapshot("../packages/contract/src/refusals.json");
});

it("analysis: finds a handler for every call", () => {
  const names = Object.entries(contracts).flatMap(([noun, contract]) =>
    Object.keys(contract).map((call) => `${noun}.${call}`),
  );
  expect(Object.keys(reachable)).toEqual(names.sort());
});

it("analysis: follows services, other features and rules; stays out of other calls", () => {
  expect(reachable["open-api.createOrder"]).toEqual(
    expect.arrayContaining(["NO_FREE_COMPARTMENT", "ORDER_NO_TAKEN", "RECIPIENT_LOCKED"]),
  );
  expect(reachable["open-api.whoAmI"]).toEqual([]);
});
