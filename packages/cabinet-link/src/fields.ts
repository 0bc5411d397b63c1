// Field types shared by several messages: door, item, stages, report numbers.
import { type Static, Type } from "typebox";
import { CABINET_ID_PATTERN } from "./keys.ts";

/** An integer from 0 to 2^53 − 1. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Unix time in milliseconds. */
export const UnixMs = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Unix milliseconds by a cabinet's clock; the maximum is the last time that JavaScript can represent. */
const DeviceTime = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });

/** Highest version of a config or playlist that a cabinet can report: the server must still have room above it. */
const MAX_REPORTED_VERSION = 2_000_000_000;
export const ReportedVersion = Type.Integer({ minimum: 0, maximum: MAX_REPORTED_VERSION });

/** Text without control characters and lone surrogates, which PostgreSQL does not store. */
export const PRINTABLE_PATTERN =
  "^(?:[^\\u0000-\\u001f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$";

export const Version = Type.Integer({ minimum: 1, maximum: 255 });
export const CabinetId = Type.String({ pattern: CABINET_ID_PATTERN });

/** Unique id of a command, never reused; chosen by the server (a UUID fits). */
export const CommandId = Type.String({ pattern: "^[A-Za-z0-9_-]{8,40}$" });

/** Number of a compartment in its cabinet, as printed on its door. */
export const CompartmentNo = Type.Integer({ minimum: 1, maximum: 9999 });

export const SIDES = ["FRONT", "BACK"] as const;
/** Which door of a compartment; a single-sided cabinet has FRONT doors only. */
export type Side = (typeof SIDES)[number];
export const SideField = Type.Enum(SIDES);

export const CabinetSideField = Type.Enum(["SINGLE", "DOUBLE"]);

const DoorField = Type.Enum(["OPEN", "CLOSED", "UNKNOWN"]);

export const ITEM_STATES = ["EMPTY", "PRESENT", "UNKNOWN"] as const;
export type ItemState = (typeof ITEM_STATES)[number];
const ItemField = Type.Enum(ITEM_STATES);

/** All sensors of one compartment; `back` in double-sided cabinets only. */
export const CompartmentReport = Type.Object({
  no: CompartmentNo,
  front: DoorField,
  back: Type.Optional(DoorField),
  item: ItemField,
});
export type CompartmentReport = Static<typeof CompartmentReport>;

/**
 * Stages a cabinet acknowledges: ACKED the pulse was given, CONFIRMED the door sensor saw it open,
 * NOT_CONFIRMED it did not within 3 s, REJECTED / EXPIRED / FAILED no pulse was or will be given,
 * UNKNOWN the cabinet cannot say (it lost power between decision and result).
 */
export const ACK_STAGES = [
  "ACKED",
  "CONFIRMED",
  "NOT_CONFIRMED",
  "REJECTED",
  "EXPIRED",
  "FAILED",
  "UNKNOWN",
] as const;
export type AckStage = (typeof ACK_STAGES)[number];

/** Reasons for REJECTED: the command did not and will not open the door. */
export const REJECT_REASONS = [
  "NO_SESSION",
  "WRONG_EPOCH",
  "STALE_SEQ",
  "BAD_EXPIRY",
  "MALFORMED",
  "VERSION",
  "UNKNOWN_COMMAND",
  "NO_SUCH_DOOR",
  "DOOR_OPEN",
  "DOOR_UNKNOWN",
  "OTHER_SIDE_OPEN",
  "ITEM_MISMATCH",
  "BUSY",
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Reasons for FAILED: always before a pulse was given. */
export const FAIL_REASONS = ["JOURNAL", "BOARD"] as const;
export type FailReason = (typeof FAIL_REASONS)[number];

/**
 * Status of a firmware job. INSTALLED: the cabinet now restarts into the new program; only the
 * following birth with the new `appVersion` proves it. REFUSED: nothing was done. FAILED: the old
 * program keeps running.
 */
export const JOB_STATUSES = ["ACCEPTED", "DOWNLOADING", "INSTALLED", "REFUSED", "FAILED"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Reasons for REFUSED; after the first two the same firmware may be offered again later. */
export const JOB_REFUSAL_REASONS = [
  "DOOR_OPEN",
  "BUSY",
  "NOT_SUPPORTED",
  "NO_MAKER_KEY",
  "BAD_SIGNATURE",
  "BELOW_MIN_VERSION",
  "TOO_LARGE",
] as const;
export type JobRefusalReason = (typeof JOB_REFUSAL_REASONS)[number];

/** Reasons for FAILED. ROLLED_BACK: the new program did not start, the old one was restored. */
export const JOB_FAILURE_REASONS = ["DOWNLOAD", "CHECKSUM", "STORAGE", "ROLLED_BACK"] as const;
export type JobFailureReason = (typeof JOB_FAILURE_REASONS)[number];

/** Reason on the wire; newer peers may send words that this package does not know. */
export const ReasonField = Type.String({ pattern: "^[A-Z0-9_]{1,40}$" });

/** Stage of a journaled command: its last stage, or STARTED while the result is unknown. */
export const JOURNAL_STAGES = ["STARTED", ...ACK_STAGES] as const;
export type JournalStage = (typeof JOURNAL_STAGES)[number];
export const JournalEntry = Type.Object({
  cmdId: CommandId,
  seq: Count,
  stage: Type.Enum(JOURNAL_STAGES),
  reason: Type.Optional(ReasonField),
});
export type JournalEntry = Static<typeof JournalEntry>;

/** Settings of a cabinet: desired by the server, or in force at the cabinet. */
export const ConfigValues = Type.Record(
  Type.String({ pattern: "^[a-z][A-Za-z0-9]{0,39}$" }),
  Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Boolean()]),
);
export type ConfigValues = Static<typeof ConfigValues>;

/**
 * Common fields of all reports. `bootNo` increases with each start of the cabinet, `n` counts its
 * reports from 1 within it: (cabinet, bootNo, n) identifies a report for ever. `mono`: milliseconds
 * since that start; `at`: the cabinet's estimate of unix time of the event, absent if it has none.
 */
export const reportFields = {
  v: Version,
  bootNo: Count,
  n: Count,
  mono: Count,
  at: Type.Optional(DeviceTime),
};
