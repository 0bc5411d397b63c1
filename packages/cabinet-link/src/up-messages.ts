// Messages from the cabinet: birth, state, events, command acks, heartbeat, last will.
import { type Static, Type } from "typebox";
import { NONCE_PATTERN } from "./connect.ts";
import {
  ACK_STAGES,
  CabinetSideField,
  CommandId,
  CompartmentReport,
  Count,
  JOB_STATUSES,
  JournalEntry,
  PRINTABLE_PATTERN,
  ReasonField,
  ReportedVersion,
  reportFields,
  SideField,
  Version,
} from "./fields.ts";
import { JOURNAL_SIZE } from "./limits.ts";
import { PlaylistReport } from "./playlist.ts";

const Nonce = Type.String({ pattern: NONCE_PATTERN });
const Part = Type.Integer({ minimum: 1, maximum: 99 });
const Word = Type.String({ pattern: "^[A-Z][A-Z0-9_]{1,39}$" });
const ProgramVersion = Type.String({ minLength: 1, maxLength: 40, pattern: PRINTABLE_PATTERN });
const ReportedConfig = Type.Object({
  version: ReportedVersion,
  values: Type.Record(
    Type.String({ pattern: "^[a-z][A-Za-z0-9]{0,39}$" }),
    Type.Union([
      Type.String({ maxLength: 200, pattern: PRINTABLE_PATTERN }),
      Type.Number(),
      Type.Boolean(),
    ]),
  ),
});
/** Beyond what any unit of an event can reach. */
const MAX_VALUE = 10_000_000;

/** Radio signal in dBm, −150 to 0; absent with a wired connection. */
const SignalDbm = Type.Optional(Type.Integer({ minimum: -150, maximum: 0 }));
/** Inside temperature in degrees Celsius. */
const TemperatureC = Type.Optional(Type.Number({ minimum: -100, maximum: 200 }));

/**
 * Full snapshot after each connect, and whenever the clock must be resynchronised. If too large for
 * one frame, it is split (`part` of `parts`): each part repeats the head and carries some of the
 * journal and compartments; the server answers hello to the last part.
 */
export const Birth = Type.Object({
  ...reportFields,
  /** The challenge nonce this connection was made with. */
  nonce: Nonce,
  part: Part,
  parts: Part,
  /** Highest seq that the cabinet ever persisted, 0 if none. */
  lastSeq: Count,
  side: CabinetSideField,
  appVersion: ProgramVersion,
  boardVersion: Type.Optional(ProgramVersion),
  /**
   * OPEN, REBOOT, RESYNC (supported commands), CONFIG, ITEM_SENSOR, FIRMWARE, ADVERT; other words
   * are kept.
   */
  capabilities: Type.Array(Word, { maxItems: 32 }),
  /** Version of the config in force, 0 if none. */
  configVersion: ReportedVersion,
  /** Version of the playlist in force, 0 if none; absent: it knows no playlists. */
  playlistVersion: Type.Optional(ReportedVersion),
  signalDbm: SignalDbm,
  temperatureC: TemperatureC,
  journal: Type.Array(JournalEntry, { maxItems: JOURNAL_SIZE }),
  compartments: Type.Array(CompartmentReport, { maxItems: 200 }),
});
export type Birth = Static<typeof Birth>;

/**
 * Partial (`full` false, part 1 of 1): the compartments that changed, which may be none, the config or the playlist
 * in force. Full: all compartments over all parts, as the answer to RESYNC.
 */
export const StateReport = Type.Object({
  ...reportFields,
  full: Type.Boolean(),
  /** With `full`: id of the RESYNC that this answers. */
  cmdId: Type.Optional(CommandId),
  part: Part,
  parts: Part,
  compartments: Type.Array(CompartmentReport, { maxItems: 200 }),
  config: Type.Optional(ReportedConfig),
  playlist: Type.Optional(PlaylistReport),
});
export type StateReport = Static<typeof StateReport>;

/** Events known to this version; a server logs unknown ones. */
export const EVENT_TYPES = [
  "DOOR_OPENED",
  "DOOR_CLOSED",
  "DOOR_LEFT_OPEN",
  "ITEM_PLACED",
  "ITEM_TAKEN",
  "VIBRATION",
  "TAMPER",
  "POWER_LOW",
  "BOARD_FAULT",
  "TEMPERATURE_HIGH",
  "TEMPERATURE_LOW",
  "NETWORK_POOR",
  "JOB",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Event at the cabinet. */
export const EventReport = Type.Object({
  ...reportFields,
  type: Word,
  /** Lasting conditions only (POWER_LOW, …): true when it begins, false when it ends. */
  active: Type.Optional(Type.Boolean()),
  /** Compartment after the event; applied like a row of a state report. */
  compartment: Type.Optional(CompartmentReport),
  /** Door events only: the side of the door. */
  side: Type.Optional(SideField),
  /** Command that caused the door to open. */
  cmdId: Type.Optional(CommandId),
  /** A measurement in the unit of the event: °C, volts, dBm, seconds open. */
  value: Type.Optional(Type.Number({ minimum: -MAX_VALUE, maximum: MAX_VALUE })),
  /** JOB events only. */
  job: Type.Optional(
    Type.Object({
      jobId: CommandId,
      status: Type.Enum(JOB_STATUSES),
      reason: Type.Optional(ReasonField),
    }),
  ),
});
export type EventReport = Static<typeof EventReport>;

/** One stage of one command; a stage may be repeated. */
export const Ack = Type.Object({
  ...reportFields,
  cmdId: CommandId,
  /**
   * Seq of the command; absent only if the command was too malformed to have one. A wrong seq is
   * not applied.
   */
  seq: Type.Optional(Count),
  stage: Type.Enum(ACK_STAGES),
  reason: Type.Optional(ReasonField),
});
export type Ack = Static<typeof Ack>;

/**
 * Sent every `heartbeatSeconds` with QoS 0. Its `n` repeats the last report's number, so that a
 * lost last report is noticed.
 */
export const Heartbeat = Type.Object({
  ...reportFields,
  signalDbm: SignalDbm,
  temperatureC: TemperatureC,
  /** Supply in volts. */
  supplyVolts: Type.Optional(Type.Number({ minimum: 0, maximum: 1000 })),
  openDoors: Count,
  /** Frames dropped since start because their signature did not verify. */
  badFrames: Count,
});
export type Heartbeat = Static<typeof Heartbeat>;

/** Last will, also sent by the cabinet when it stops: the connection of `nonce` is over. */
export const Will = Type.Object({ v: Version, nonce: Nonce });
export type Will = Static<typeof Will>;

/** Message type of each `up/` topic. */
export interface UpMessages {
  birth: Birth;
  state: StateReport;
  evt: EventReport;
  ack: Ack;
  hb: Heartbeat;
  will: Will;
}

export const upSchemas = {
  birth: Birth,
  state: StateReport,
  evt: EventReport,
  ack: Ack,
  hb: Heartbeat,
  will: Will,
};
