// Messages from the server: hello, commands, desired config, firmware jobs.
import { type Static, Type } from "typebox";
import { NONCE_PATTERN } from "./connect.ts";
import {
  CommandId,
  CompartmentNo,
  ConfigValues,
  Count,
  SideField,
  UnixMs,
  Version,
} from "./fields.ts";
import { Playlist } from "./playlist.ts";

/** Positive; each hello to a cabinet has a greater one than all before. */
const Epoch = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/**
 * Reply to the last part of a birth: begins a session. A birth ends the previous session: between
 * sending it and the hello that echoes it, a cabinet executes no command.
 */
export const Hello = Type.Object({
  v: Version,
  epoch: Epoch,
  /** Identifies the birth that this answers: its nonce and the `n` of its last part. */
  echo: Type.Object({ nonce: Type.String({ pattern: NONCE_PATTERN }), n: Count }),
  /** Unix milliseconds by the clock that also stamps `iat` and `exp` of commands. */
  serverTime: UnixMs,
  /** Version of the desired config, 0 if none. */
  configVersion: Count,
});
export type Hello = Static<typeof Hello>;

const commandHead = { v: Version, cmdId: CommandId, epoch: Epoch };

/** Fields of commands that are executed at most once and before they expire. Unix milliseconds. */
const onceHead = {
  ...commandHead,
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  iat: UnixMs,
  /** Not valid from this instant on. */
  exp: UnixMs,
};

/** Preconditions of the pulse; the cabinet rejects the command if one does not hold. */
const Expect = Type.Object({
  /** CLOSED (also if absent): the sensor says closed. NOT_OPEN: a blind sensor is accepted. */
  door: Type.Optional(Type.Enum(["CLOSED", "NOT_OPEN"])),
  /** Absent: any. */
  item: Type.Optional(Type.Enum(["EMPTY", "PRESENT"])),
});

/** Give one pulse to one lock. */
export const OpenCommand = Type.Object({
  ...onceHead,
  type: Type.Literal("OPEN"),
  no: CompartmentNo,
  side: SideField,
  expect: Type.Optional(Expect),
  orderId: Type.Optional(Type.String({ maxLength: 40 })),
});
export type OpenCommand = Static<typeof OpenCommand>;

/** Restart the cabinet: ACKED before it goes down, CONFIRMED when it is back. */
export const RebootCommand = Type.Object({ ...onceHead, type: Type.Literal("REBOOT") });
export type RebootCommand = Static<typeof RebootCommand>;

/**
 * Requests all compartments again (`up/state`, full). Moves nothing, so it has no seq and no ack.
 */
export const ResyncCommand = Type.Object({ ...commandHead, type: Type.Literal("RESYNC") });
export type ResyncCommand = Static<typeof ResyncCommand>;

/**
 * Requests a birth from a cabinet that is heard without a session. No epoch, because there is none;
 * no seq or ack. `nonce`: of the connection known to the server; if it is absent or another, the
 * cabinet reconnects, since the server cannot accept a birth on the present connection.
 */
export const BirthCommand = Type.Object({
  v: Version,
  cmdId: CommandId,
  type: Type.Literal("BIRTH"),
  nonce: Type.Optional(Type.String({ pattern: NONCE_PATTERN })),
});
export type BirthCommand = Static<typeof BirthCommand>;

export const COMMAND_TYPES = ["OPEN", "REBOOT", "RESYNC", "BIRTH"] as const;
export type CommandType = (typeof COMMAND_TYPES)[number];
/** Command that is journaled and executed at most once. */
export type OnceCommand = OpenCommand | RebootCommand;
export type Command = OnceCommand | ResyncCommand | BirthCommand;

export const commandSchemas = {
  OPEN: OpenCommand,
  REBOOT: RebootCommand,
  RESYNC: ResyncCommand,
  BIRTH: BirthCommand,
};

/**
 * Complete desired config. Applied if `epoch` is current and `version` above the one in force;
 * answered by `up/state` with the config then in force. Unknown settings are ignored. An
 * accompanying playlist has its own version and is applied and answered the same way.
 */
export const ConfigMessage = Type.Object({
  v: Version,
  epoch: Epoch,
  version: Count,
  values: ConfigValues,
  playlist: Type.Optional(Playlist),
});
export type ConfigMessage = Static<typeof ConfigMessage>;

/**
 * Firmware job; answered by `up/evt` of type JOB. Never installed while a door is open. Repeating a
 * `jobId` queries its status; a new attempt needs a new one.
 */
export const Job = Type.Object({
  v: Version,
  epoch: Epoch,
  jobId: CommandId,
  kind: Type.Literal("FIRMWARE"),
  version: Type.String({ minLength: 1, maxLength: 40 }),
  /** Refused by a cabinet whose program is older than this. */
  minVersion: Type.String({ minLength: 1, maxLength: 40 }),
  /** URL of the image; a bare path refers to the server that issues the challenges. */
  url: Type.String({ maxLength: 500 }),
  /** Bytes. */
  size: Count,
  /** SHA-256 of the file, 64 hexadecimal digits. */
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  /** Ed25519 by the maker's key over the 32 bytes of the file's SHA-256, base64url. */
  signature: Type.String({ minLength: 1, maxLength: 1000 }),
});
export type Job = Static<typeof Job>;

/** Message type of each `dn/` topic. */
export interface DownMessages {
  hello: Hello;
  cmd: Command;
  cfg: ConfigMessage;
  job: Job;
}

export const downSchemas = { hello: Hello, cfg: ConfigMessage, job: Job };
