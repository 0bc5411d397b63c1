// What a cabinet does with an authentic command: pure, so that its order can be proven and ported.
import type { Command, OnceCommand, OpenCommand } from "./down-messages.ts";
import type {
  AckStage,
  CompartmentReport,
  FailReason,
  JournalEntry,
  JournalStage,
  RejectReason,
  Side,
} from "./fields.ts";
import { JOURNAL_SIZE, MAX_COMMAND_TTL_MS } from "./limits.ts";

/** What a cabinet remembers of commands; survives power loss. */
export interface CommandMemory {
  /** Highest seq ever persisted, 0 if none. */
  readonly lastSeq: number;
  /** The last 64 commands, oldest first. */
  readonly journal: readonly JournalEntry[];
}

/** What a cabinet knows at the moment of deciding. */
export interface CabinetNow extends CommandMemory {
  /** Epoch of the accepted hello; absent before it. */
  readonly epoch: number | undefined;
  /** Server time in unix milliseconds by the synced monotonic clock; absent before hello. */
  readonly serverNow: number | undefined;
  readonly compartments: readonly CompartmentReport[];
  /** Compartments that were given a pulse whose outcome the sensor has not told yet. */
  readonly awaiting: ReadonlySet<number>;
}

/**
 * IGNORE: a copy of the command in progress, whose result follows by itself.
 * REPLY: answer only. PERSIST_AND_REPLY: journal the refusal first, so that a copy that comes when
 * the reason is gone (the door closed, the hello arrived) is not acted on: a refusal is a proof.
 * START: journal STARTED, `checkBeforePulse`, then act once.
 */
export type Decision =
  | { readonly do: "IGNORE" }
  | { readonly do: "REPLY"; readonly entry: Acknowledged }
  | { readonly do: "PERSIST_AND_REPLY"; readonly entry: Acknowledged }
  | { readonly do: "START" };

/** A journal entry whose result may be told. */
export type Acknowledged = Omit<JournalEntry, "stage"> & { stage: AckStage };

function isAcknowledged(entry: JournalEntry): entry is Acknowledged {
  return entry.stage !== "STARTED";
}

/** A journal entry for this command. */
export function entryOf<S extends JournalStage>(
  command: Pick<OnceCommand, "cmdId" | "seq">,
  stage: S,
  reason?: RejectReason | FailReason,
): Omit<JournalEntry, "stage"> & { stage: S } {
  return { cmdId: command.cmdId, seq: command.seq, stage, ...(reason && { reason }) };
}

/**
 * The checks after the signature, in this order: known command → epoch → seq → expiry → door.
 * A known command is answered from the journal even in a new epoch: "wrong epoch" would claim that
 * the door did not open. Decide one command at a time: the next after the pulse of this one.
 */
export function decideCommand(now: CabinetNow, command: OnceCommand): Decision {
  const known = now.journal.find((entry) => entry.cmdId === command.cmdId);
  if (known) return isAcknowledged(known) ? { do: "REPLY", entry: known } : { do: "IGNORE" };
  const isStale = command.seq <= now.lastSeq;
  if (isStale && isForgotten(now, command.seq)) {
    return { do: "REPLY", entry: entryOf(command, "UNKNOWN") };
  }
  const refused = refusalOf(now, command, isStale);
  if (!refused) return { do: "START" };
  const entry =
    refused === "EXPIRED" ? entryOf(command, "EXPIRED") : entryOf(command, "REJECTED", refused);
  return { do: isStale ? "REPLY" : "PERSIST_AND_REPLY", entry };
}

/** True if a command of this seq may have been carried out and dropped out of the journal since. */
function isForgotten(memory: CommandMemory, seq: number): boolean {
  const oldest = memory.journal[0];
  return oldest === undefined || (memory.journal.length >= JOURNAL_SIZE && seq < oldest.seq);
}

function refusalOf(
  now: CabinetNow,
  command: OnceCommand,
  isStale: boolean,
): RejectReason | "EXPIRED" | undefined {
  if (now.epoch === undefined || now.serverNow === undefined) return "NO_SESSION";
  if (command.epoch !== now.epoch) return "WRONG_EPOCH";
  if (isStale) return "STALE_SEQ";
  if (now.serverNow >= command.exp) return "EXPIRED";
  const isTooLong =
    command.exp - command.iat > MAX_COMMAND_TTL_MS ||
    command.exp - now.serverNow > MAX_COMMAND_TTL_MS;
  if (isTooLong) return "BAD_EXPIRY";
  if (command.type === "REBOOT") return now.awaiting.size > 0 ? "BUSY" : undefined;
  if (now.awaiting.has(command.no)) return "BUSY";
  return doorRefusalOf(now.compartments, command);
}

function doorRefusalOf(
  compartments: readonly CompartmentReport[],
  command: OpenCommand,
): RejectReason | undefined {
  const compartment = compartments.find((row) => row.no === command.no);
  const door = compartment && doorOf(compartment, command.side);
  if (!compartment || !door) return "NO_SUCH_DOOR";
  if (door === "OPEN") return "DOOR_OPEN";
  const other = doorOf(compartment, command.side === "FRONT" ? "BACK" : "FRONT");
  if (other && other !== "CLOSED") return "OTHER_SIDE_OPEN";
  if (door === "UNKNOWN" && command.expect?.door !== "NOT_OPEN") return "DOOR_UNKNOWN";
  const item = command.expect?.item;
  return item && item !== compartment.item ? "ITEM_MISMATCH" : undefined;
}

/** State of one door; `undefined` if the compartment has no door on that side. */
export function doorOf(compartment: CompartmentReport, side: Side) {
  return side === "FRONT" ? compartment.front : compartment.back;
}

/**
 * After STARTED is on disk, which may have taken long: is there still time to act?
 * EXPIRED is then journaled and answered instead of acting.
 */
export function checkBeforePulse(
  command: Pick<OnceCommand, "exp">,
  serverNow: number,
): "ACT" | "EXPIRED" {
  return serverNow < command.exp ? "ACT" : "EXPIRED";
}

/** The memory with this entry in it: replaces the entry of the same command, keeps the last 64. */
export function remember(memory: CommandMemory, entry: JournalEntry): CommandMemory {
  const journal = memory.journal.some((known) => known.cmdId === entry.cmdId)
    ? memory.journal.map((known) => (known.cmdId === entry.cmdId ? entry : known))
    : [...memory.journal, entry].slice(-JOURNAL_SIZE);
  return { journal, lastSeq: Math.max(memory.lastSeq, entry.seq) };
}

/**
 * What a cabinet says at start about commands it finds unfinished in its journal: STARTED becomes
 * UNKNOWN, for the pulse may or may not have been given; it is never given again.
 */
export function recoverEntry(entry: JournalEntry): JournalEntry | undefined {
  return entry.stage === "STARTED" || entry.stage === "ACKED"
    ? { ...entry, stage: "UNKNOWN" }
    : undefined;
}

/** True for stages which prove that the command did not and will not open a door. */
export function provesNotOpened(stage: AckStage): boolean {
  return stage === "REJECTED" || stage === "EXPIRED" || stage === "FAILED";
}

/**
 * True for answers after which the cabinet births again, to get the clock anew: a command seldom comes
 * late or from far ahead, but the server's clock may have been set since the last hello.
 */
export function doubtsClock({ stage, reason }: Pick<Acknowledged, "stage" | "reason">): boolean {
  return stage === "EXPIRED" || reason === "BAD_EXPIRY";
}

/** True for stages after which no other follows (ACKED alone is followed by another). */
export function isFinalStage(stage: AckStage): boolean {
  return stage !== "ACKED";
}

/** True for commands that are journaled and acted on at most once. */
export function isOnceCommand(command: Command): command is OnceCommand {
  return command.type === "OPEN" || command.type === "REBOOT";
}
