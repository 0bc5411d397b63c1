// What the form of a roll-out holds, which is not quite what the call takes.
import { CabinetConfig } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { Id } from "@cabinet/contract/kit/fields.ts";
import { NewRollout } from "@cabinet/contract/rollout/rollout.contract.ts";
import { type Static, Type } from "typebox";
import type { Named } from "../../ui/many-select.tsx";

const { name, kind, advancePercent, dwellMinutes, stopPercent, timeoutMinutes } =
  NewRollout.properties;

/** The form's own shape: stages as they are typed, cabinets with their names, parameters beside the rest. */
export const RolloutFields = Type.Object({
  name,
  kind,
  /** Asked where the kind is FIRMWARE. */
  firmwareId: Id,
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
