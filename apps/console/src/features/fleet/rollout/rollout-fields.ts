// Form schema of a roll-out; differs from the request body of the call.
import { CabinetConfig } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { NewRollout } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { Id } from "@cabinet/contract/kit/fields.ts";
import { type Static, Type } from "typebox";
import type { Named } from "../../../ui/form/many-select.tsx";

const { name, kind, advancePercent, dwellMinutes, stopPercent, timeoutMinutes } =
  NewRollout.properties;

/** Form values: stages as typed text, cabinets with names, config parameters at the top level. */
export const RolloutFields = Type.Object({
  name,
  kind,
  /** Only for kind FIRMWARE. */
  firmwareId: Type.Optional(Id),
  tenantId: Type.Optional(Type.Integer()),
  storeId: Type.Optional(Id),
  modelId: Type.Optional(Id),
  side: Type.Optional(NewRollout.properties.side),
  cabinets: Type.Optional(Type.Unsafe<readonly Named[]>({ type: "array" })),
  stages: Type.String({ minLength: 1 }),
  advancePercent,
  dwellMinutes,
  stopPercent,
  timeoutMinutes,
  startsAt: Type.Optional(Type.String()),
  ...CabinetConfig.properties,
});
export type RolloutFields = Static<typeof RolloutFields>;
