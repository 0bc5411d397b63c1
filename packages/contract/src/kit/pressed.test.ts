// Law of the contract: calls that open doors or move money follow from a press (0115).
import { expect, it } from "vitest";
import { contracts } from "../contracts.ts";
import { type EndpointSpec, isReading } from "./endpoint.ts";

const writes: EndpointSpec[] = Object.values(contracts)
  .flatMap((contract) => Object.values(contract) as EndpointSpec[])
  .filter((spec) => !isReading(spec));
const unpressed = (isMeant: (spec: EndpointSpec) => unknown) => {
  const meant = writes.filter(isMeant);
  expect(meant.length).toBeGreaterThan(2);
  return meant.filter(({ pressed }) => !pressed).map(({ method, path }) => `${method} ${path}`);
};

it("pressed: every call that moves money or credit, with or without a key", () => {
  expect(unpressed(({ once }) => once === "always")).toEqual([]);
  const moves = /wallet|top-up|refund|pay$|\/buy$|sms\/recharge|package\/sell/;
  const rest = unpressed(({ path }) => moves.test(path) && !path.includes("/payment/setting"));
  // Both ask WeChat whether a payment has arrived, and move nothing that was not paid.
  expect(rest.sort()).toEqual([
    "GET /app/v1/top-up/{id}",
    "POST /admin/v1/payment/top-up/{id}/check",
  ]);
});

it("pressed: every call that answers with a command or the result of an opening", () => {
  const signs = ["commandId", "expiresAt", "isSettled", "opening"];
  const isSigned = ({ reply }: EndpointSpec) => {
    const text = JSON.stringify(reply);
    return signs.some((sign) => text.includes(`"${sign}":`));
  };
  expect(unpressed(isSigned)).toEqual([]);
});

it("pressed: every call that needs the right to open, to restart, to refund or to free a compartment", () => {
  const toDoors = ["command:open", "command:restart", "order:open", "compartment:clear"];
  const rights = [...toDoors, "order:refund"];
  const isRight = ({ access, scope }: EndpointSpec) =>
    rights.some((right) => right === access || right === scope);
  const found = unpressed(isRight);
  // Hands and faults of a simulated cabinet.
  expect(found.filter((call) => !/\/simulated(\/|$)/.test(call))).toEqual([]);
});
