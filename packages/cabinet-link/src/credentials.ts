// File of simulated cabinets' credentials: written by the demo, read by the simulator.
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { CabinetId, CabinetSideField, CompartmentNo } from "./fields.ts";
import { KID_PATTERN } from "./keys.ts";

/** File name in the data folder; the file holds secrets, so its mode is 0600. */
export const SIMULATED_CABINETS_FILE = "demo-cabinets.json";

const Front = Type.Literal("FRONT");
const Back = Type.Literal("BACK");

export const SimulatedCabinet = Type.Object({
  cabinetId: CabinetId,
  kid: Type.String({ pattern: KID_PATTERN }),
  /** Secret in the form of `newCabinetSecret`. */
  secret: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" }),
  side: CabinetSideField,
  /** Maker's public key (PEM) that verifies firmware; without it the cabinet accepts none. */
  makerKey: Type.Optional(Type.String({ maxLength: 500 })),
  compartments: Type.Array(
    Type.Object({
      no: CompartmentNo,
      /** `["FRONT"]`, or `["FRONT", "BACK"]` in a double-sided cabinet. */
      sides: Type.Union([Type.Tuple([Front]), Type.Tuple([Front, Back])]),
      /** State of its item sensor at the first start; EMPTY if absent. */
      item: Type.Optional(Type.Union([Type.Literal("EMPTY"), Type.Literal("PRESENT")])),
    }),
    { minItems: 1, maxItems: 200 },
  ),
});
export type SimulatedCabinet = Static<typeof SimulatedCabinet>;

export const SimulatedCabinets = Type.Object({
  /** Origin of the server, for `GET /device/v1/challenge`: `http://127.0.0.1:8080`. */
  server: Type.String({ pattern: "^https?://" }),
  /** Address of the broker: `mqtt://127.0.0.1:1883`. */
  mqtt: Type.String({ pattern: "^mqtts?://" }),
  cabinets: Type.Array(SimulatedCabinet),
});
export type SimulatedCabinets = Static<typeof SimulatedCabinets>;

const validator = Compile(SimulatedCabinets);

/** Validates the parsed file; on failure `detail` names the first invalid field. */
export function parseSimulatedCabinets(
  value: unknown,
):
  | { readonly ok: true; readonly value: SimulatedCabinets }
  | { readonly ok: false; readonly detail: string } {
  if (validator.Check(value)) return { ok: true, value };
  const first = validator.Errors(value)[0];
  return { ok: false, detail: first ? `${first.instancePath || "/"} ${first.message}` : "/" };
}
