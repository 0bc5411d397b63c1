// What the server says: hello, commands, desired config, firmware jobs.
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

/** Positive, and greater with every hello that this cabinet ever got. */
const Epoch = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/**
 * The answer to the last part of a birth: begins a session. A birth ends the session before it:
 * from sending it until the hello that echoes it a cabinet carries out no command.
 */
export const Hello = Type.Object({
  v: Version,
  epoch: Epoch,
  /** Which birth this answers: its nonce and the `n` of its last part. */
  echo: Type.Object({ nonce: Type.String({ pattern: NONCE_PATTERN }), n: Count }),
  /** Unix milliseconds by the clock that also stamps `iat` and `exp` of commands. */
  serverTime: UnixMs,
  /** Version of the config the server wishes, 0 if none. */
  configVersion: Count,
});
export type Hello = Static<typeof Hello>;

const commandHead = { v: Version, cmdId: CommandId, epoch: Epoch };

/** Fields of commands that act at most once and only in time. Times are unix milliseconds. */
const onceHead = {
  ...commandHead,
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  iat: UnixMs,
  /** Not valid from this instant on. */
  exp: UnixMs,
};

/** What must be so before the pulse; the cabinet rejects the command otherwise. */
export const Expect = Type.Object({
  /** CLOSED (also if absent): the sensor says closed. NOT_OPEN: a blind sensor is accepted. */
  door: Type.Optional(Type.Enum(["CLOSED", "NOT_OPEN"])),
  /** Absent: any. */
  item: Type.Optional(Type.Enum(["EMPTY", "PRESENT"])),
});
export type Expect = Static<typeof Expect>;

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

/** Send all compartments again (`up/state`, full). Moves nothing, so it has no seq and no ack. */
export const ResyncCommand = Type.Object({ ...commandHead, type: Type.Literal("RESYNC") });
export type ResyncCommand = Static<typeof ResyncCommand>;

/**
 * Asks a cabinet that is heard without a session for a birth. Carries no epoch, because there is none,
 * and no seq or ack. `nonce`: of the connection that the server knows; if it is absent or another, the
 * cabinet connects anew, since the server cannot accept a birth on the present connection.
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
/** A command that is journaled and acted on at most once. */
export type OnceCommand = OpenCommand | RebootCommand;
export type Command = OnceCommand | ResyncCommand | BirthCommand;

export const commandSchemas = {
  OPEN: OpenCommand,
  REBOOT: RebootCommand,
  RESYNC: ResyncCommand,
  BIRTH: BirthCommand,
};

/**
 * The desired config, whole. Taken if `epoch` is current and `version` above the one in force;
 * answered by `up/state` with the config then in force. Unknown settings are ignored. A playlist
 * beside it has a version of its own, and is taken and answered in the same way.
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
 * A firmware job; answered by `up/evt` of type JOB. Never installed while a door is open. The same
 * `jobId` again asks how it stands; a new attempt has a new one.
 */
export const Job = Type.Object({
  v: Version,
  epoch: Epoch,
  jobId: CommandId,
  kind: Type.Literal("FIRMWARE"),
  version: Type.String({ minLength: 1, maxLength: 40 }),
  /** Refused by a cabinet whose program is older than this. */
  minVersion: Type.String({ minLength: 1, maxLength: 40 }),
  /** Where the image is; a path is one of the server that gives the challenges. */
  url: Type.String({ maxLength: 500 }),
  /** Bytes. */
  size: Count,
  /** Of the file, 64 hexadecimal digits. */
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  /** Ed25519 by the maker's key over the 32 bytes of the file's SHA-256, base64url. */
  signature: Type.String({ minLength: 1, maxLength: 1000 }),
});
export type Job = Static<typeof Job>;

/** Which message travels on which `dn/` topic. */
export interface DownMessages {
  hello: Hello;
  cmd: Command;
  cfg: ConfigMessage;
  job: Job;
}

export const downSchemas = { hello: Hello, cfg: ConfigMessage, job: Job };
