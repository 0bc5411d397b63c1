// Maps the demo's stories to table rows.

import { type DemoCabinet, HOUR } from "./fleet/cabinet.ts";
import { type DemoCommand, type DemoEvent, REPORT_MS } from "./orders/chronicle.ts";
import type { Errand } from "./orders/order-rows.ts";
import type { PlacedStory } from "./orders/placed-story.ts";
import type { DemoActor } from "./organization/account.ts";
import { Random } from "./random.ts";
import { failureDetails } from "./reasons.ts";

/** Silence after which a cabinet counts as offline. */
const SILENCE_MS = 90_000;

const time = (ms: number) => new Date(ms).toISOString();

const config = {
  volume: 60,
  lightOnAt: "18:30",
  lightOffAt: "06:30",
  temperatureHighC: 45,
  temperatureLowC: -5,
  doorOpenAlarmSeconds: 120,
  signalPoorDbm: -106,
  supplyLowVolts: 11.5,
  heartbeatSeconds: 30,
};

const servicePhones = ["400-800-1234", "0571-88886666", "021-66001234"];
const spots = [
  "东门收银台旁",
  "一楼电梯口左侧",
  "后门快递架旁",
  "门厅右侧靠墙",
  "地下一层停车场入口",
  "",
];

export function cabinetRow(
  cabinet: DemoCabinet,
  index: number,
  place: { tenantId: number; storeId: number | null },
  modelIds: Map<string, number>,
) {
  const random = new Random(77 + index);
  const { life } = cabinet;
  // The evening volume was lowered for all cabinets; offline ones have not received it yet.
  const isBehind = life !== null && !cabinet.isSimulated && random.chance(0.6);
  return {
    tenant_id: place.tenantId,
    sn: cabinet.sn,
    name: cabinet.name,
    model_id: modelIds.get(cabinet.model.code),
    store_id: place.storeId,
    lifecycle: cabinet.lifecycle,
    created_at: time(life ? life.from - 20 * HOUR : Date.now() - 50 * HOUR),
    desired_config: isBehind ? { ...config, volume: 45 } : config,
    desired_config_version: isBehind ? 3 : 2,
    desired_config_at: time(life ? life.from - HOUR : Date.now() - 50 * HOUR),
    reported_config: life && config,
    reported_config_at: life && time(life.from + 2 * 60_000),
    service_phone: servicePhones[place.tenantId % servicePhones.length],
    place: random.pick(spots),
    reported_config_version: life && 2,
    last_seen_at: life && time(life.to),
    offline_at: life && time(life.to + SILENCE_MS),
    announced_connectivity: life ? "OFFLINE" : "NEVER",
    // Its story already includes the offline alert; a simulated one is about to connect.
    is_absence_told: life !== null && !cabinet.isSimulated,
    app_version: life && random.pick(["1.4.2", "1.4.2", "1.4.2", "1.4.1", "1.3.8"]),
    signal_dbm: life && -random.int(58, 97),
    temperature_c: life && random.int(160, 310) / 10,
    clock_skew_seconds: life && random.int(-2, 2),
  };
}

export function compartmentRows({ cabinet, tenantId, cabinetId, chronicle }: PlacedStory) {
  const door = chronicle ? "CLOSED" : "UNKNOWN";
  return cabinet.model.layout.map((cell) => {
    const state = chronicle?.cells.get(cell.no);
    return {
      tenant_id: tenantId,
      cabinet_id: cabinetId,
      no: cell.no,
      size: cell.size,
      board_address: cell.boardAddress,
      layout_column: cell.column,
      layout_row: cell.row,
      row_span: cell.rowSpan,
      admin_state: state?.adminState ?? "ENABLED",
      admin_reason: state?.adminReason ?? null,
      occupancy: state?.occupancy ?? "FREE",
      occupied_since: state?.occupiedSince ? time(state.occupiedSince) : null,
      door_front: door,
      door_back: cabinet.model.side === "DOUBLE" ? door : null,
      item: state?.item ?? "UNKNOWN",
    };
  });
}

/** Frames of a command in the format of the cabinet link. */
function framesOf(command: DemoCommand, seq: number) {
  const { id, at, sent, acked, settled, kind, no, side, state } = command;
  const head = { v: 1, cmdId: id, epoch: 1, seq, iat: at, exp: at + 15_000 };
  const door = { type: "OPEN", no, side, expect: { door: "NOT_OPEN" } };
  const message = { ...head, ...(kind === "OPEN" ? door : { type: "REBOOT" }) };
  const down = { at: time(at + sent), direction: "DOWN", topic: "dn/cmd", message };
  const ack = (after: number, stage: string) => ({
    at: time(at + after),
    direction: "UP",
    topic: "up/ack",
    message: { v: 1, bootNo: 0, n: seq, mono: after, cmdId: id, seq, stage },
  });
  // UNKNOWN and EXPIRED mean that no final ack came.
  const isSilent = state === "UNKNOWN" || state === "EXPIRED";
  return [
    down,
    ...(acked === undefined ? [] : [ack(acked, "ACKED")]),
    ...(isSilent ? [] : [ack(settled, state)]),
  ];
}

/** `errands`: requests of riders and recipients by command id. */
export function commandRows(
  { tenantId, cabinetId, actors, chronicle }: PlacedStory,
  errands: ReadonlyMap<string, Errand>,
) {
  return (chronicle?.commands ?? []).map((command, index) => {
    const { at, sent, acked, settled } = command;
    const errand = errands.get(command.id);
    const actor = command.actor === null ? null : (actors[command.actor] as DemoActor);
    return {
      tenant_id: tenantId,
      id: command.id,
      cabinet_id: cabinetId,
      kind: command.kind,
      compartment_no: command.no ?? null,
      side: command.side ?? null,
      state: command.state,
      detail: failureDetails[command.state] ?? null,
      reason: actor ? command.reason : (errand?.reason ?? ""),
      actor_kind: actor ? "OPERATOR" : "END_USER",
      actor_id: actor?.operatorId ?? errand?.person.id ?? null,
      actor_name: actor?.signature ?? errand?.person.name ?? "",
      order_id: errand?.orderId ?? null,
      purpose: errand?.purpose ?? null,
      order_seen: errand ? command.state : null,
      created_at: time(at),
      expires_at: time(at + 15_000),
      sent_at: time(at + sent),
      acked_at: acked === undefined ? null : time(at + acked),
      settled_at: time(at + settled),
      frames: framesOf(command, index + 1),
    };
  });
}

/** In order of arrival; each cabinet's reports are numbered as it sent them. */
export function eventRows(stories: PlacedStory[]) {
  const rows = stories.flatMap((story) => {
    const events = [...(story.chronicle?.events ?? [])].sort((one, other) => one.at - other.at);
    let n = 0;
    return events.map((event) => ({ story, event, n: event.isReport ? ++n : null }));
  });
  rows.sort((one, other) => one.event.at - other.event.at);
  return rows.map(({ story, event, n }, index) => ({
    tenant_id: story.tenantId,
    cabinet_id: story.cabinetId,
    // Simulated cabinets begin with bootNo 1, so their reports never collide with these.
    boot_no: n === null ? null : 0,
    n,
    kind: event.kind,
    compartment_no: event.no ?? null,
    side: event.side ?? null,
    command_id: event.commandId ?? null,
    device_at: n === null ? null : time(event.at),
    received_at: time(
      event.at + (event.lateMs ?? 0) + (n === null ? 0 : 60 + ((index * 37) % (REPORT_MS - 60))),
    ),
    payload: payloadOf(event, story.actors),
  }));
}

function payloadOf({ kind, isReport, no, side, payload, action }: DemoEvent, actors: DemoActor[]) {
  if (action) return { actorName: actors[action.actor]?.signature, reason: action.reason };
  return isReport ? { type: kind, no, side, ...payload } : (payload ?? null);
}

export function malfunctionRows(stories: PlacedStory[]) {
  const random = new Random(404);
  return stories
    .flatMap((story) => (story.chronicle?.troubles ?? []).map((trouble) => ({ story, trouble })))
    .sort((one, other) => one.trouble.at - other.trouble.at)
    .map(({ story, trouble }) => {
      const state = trouble.isOpen
        ? random.weighted({ CREATED: 5, ASSIGNED: 2, PROCESSING: 1 })
        : random.weighted({ RESOLVED: 2, CLOSED: 7, IGNORED: 1 });
      const latest = Math.max(trouble.at, story.cabinet.life?.to ?? 0);
      const handledAt = Math.min(trouble.at + random.skewed(3) * HOUR, latest);
      return {
        tenant_id: story.tenantId,
        cabinet_id: story.cabinetId,
        compartment_no: trouble.no ?? null,
        kind: trouble.kind,
        state,
        description: trouble.description,
        repeat_count: random.chance(0.2) ? random.int(2, 4) : 1,
        created_at: time(trouble.at),
        updated_at: time(state === "CREATED" ? trouble.at : handledAt),
      };
    });
}
