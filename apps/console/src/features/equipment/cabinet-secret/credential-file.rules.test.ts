// Credential file of a cabinet: readable by firmware and simulator.
import { newCabinetSecret, parseSimulatedCabinets } from "@cabinet/link";
import { expect, it } from "vitest";
import { credentialOf } from "./credential-file.rules.ts";

const issued = {
  sn: "ZC26DSA0001",
  name: "一号柜",
  kid: "k261121-x7f3q",
  secret: newCabinetSecret(),
  previousKid: null,
  previousExpiresAt: null,
  side: "DOUBLE" as const,
  compartments: [{ no: 1, sides: ["FRONT" as const, "BACK" as const] }],
};
const page = { origin: "https://cabinets.example:8443", hostname: "cabinets.example" };

it("credentialOf: names the console's own server and its broker", () => {
  const file = credentialOf({ ...issued, broker: { url: null, port: 1883 } }, page);
  expect(parseSimulatedCabinets(JSON.parse(JSON.stringify(file)))).toEqual({
    ok: true,
    value: {
      server: page.origin,
      mqtt: "mqtt://cabinets.example:1883",
      cabinets: [
        {
          cabinetId: issued.sn,
          kid: issued.kid,
          secret: issued.secret,
          side: "DOUBLE",
          compartments: issued.compartments,
        },
      ],
    },
  });
});

it("credentialOf: names an external broker if there is one", () => {
  const broker = { url: "mqtts://broker.example:8883", port: 1883 };
  expect(credentialOf({ ...issued, broker }, page).mqtt).toBe(broker.url);
});
