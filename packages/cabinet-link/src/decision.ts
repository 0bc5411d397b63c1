// Decides what a cabinet does with an authentic command. Pure, so that it can be proven and ported.
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

/** Command state that a cabinet persists across power loss. */
export interface CommandMemory {
  /** Highest seq ever persisted, 0 if none. */
  readonly lastSeq: number;
  /** The last 64 commands, oldest first. */
  readonly journal: readonly JournalEntry[];
}

/** State of the cabinet at the moment of the decision. */
export interface CabinetNow extends CommandMemory {
  /** Epoch of the accepted hello; absent before it. */
  readonly epoch: number | undefined;
  /** Server time in unix milliseconds by the synced monotonic clock; absent before hello. */
  readonly serverNow: number | undefined;
  readonly compartments: readonly CompartmentReport[];
  /** Compartments that were pulsed and whose sensor has not shown the outcome yet. */
  readonly awaiting: ReadonlySet<number>;
}

/**
 * IGNORE: a copy of the command in progress, whose result follows anyway. REPLY: answer only.
 * PERSIST_AND_REPLY: journal the refusal first, so that a later copy is not executed once the
 * reason is gone (door closed, hello arrived): a refusal is a proof of not opening. START: journal
 * STARTED, `checkBeforePulse`, then act once.
 */
export type Decision =
  | { readonly do: "IGNORE" }
  | { readonly do: "REPLY"; readonly entry: Acknowledged }
  | { readonly do: "PERSIST_AND_REPLY"; readonly entry: Acknowledged }
  | { readonly do: "START" };

/** Journal entry whose result may be sent. */
export type Acknowledged = Omit<JournalEntry, "stage"> & { stage: AckStage };

function isAcknowledged(entry: JournalEntry): entry is Acknowledged {
  return entry.stage !== "STARTED";
}

/** Builds a journal entry for this command. */
export function entryOf<S extends JournalStage>(
  command: Pick<OnceCommand, "cmdId" | "seq">,
  stage: S,
  reason?: RejectReason | FailReason,
): Omit<JournalEntry, "stage"> & { stage: S } {
  return { cmdId: command.cmdId, seq: command.seq, stage, ...(reason && { reason }) };
}

/**
 * Checks after the signature, in this order: known command → epoch → seq → expiry → door. A known
 * command is answered from the journal even in a new epoch: "wrong epoch" would claim that the door
 * did not open. Decide one command at a time: the next one after the pulse of this one.
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

/** True if a command of this seq may have been executed and then evicted from the journal. */
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

const OTHER_SIDE = { FRONT: "BACK", BACK: "FRONT" } as const satisfies Record<Side, Side>;

function doorRefusalOf(
  compartments: readonly CompartmentReport[],
  command: OpenCommand,
): RejectReason | undefined {
  const compartment = compartments.find((row) => row.no === command.no);
  const door = compartment && doorOf(compartment, command.side);
  if (!compartment || !door) return "NO_SUCH_DOOR";
  if (door === "OPEN") return "DOOR_OPEN";
  const other = doorOf(compartment, OTHER_SIDE[command.side]);
  if (other && other !== "CLOSED") return "OTHER_SIDE_OPEN";
  if (door === "UNKNOWN" && command.expect?.door !== "NOT_OPEN") return "DOOR_UNKNOWN";
  const item = command.expect?.item;
  return item && item !== compartment.item ? "ITEM_MISMATCH" : undefined;
}

/** State of one door; `undefined` if the compartment has no door on that side. */
export function doorOf(compartment: CompartmentReport, side: Side) {
  return { FRONT: compartment.front, BACK: compartment.back }[side];
}

/**
 * Second expiry check after STARTED is on disk, since the write may be slow.
 * EXPIRED is then journaled and answered instead of acting.
 */
export function checkBeforePulse(
  command: Pick<OnceCommand, "exp">,
  serverNow: number,
): "ACT" | "EXPIRED" {
  return serverNow < command.exp ? "ACT" : "EXPIRED";
}

/** Adds the entry to the memory: replaces the entry of the same command, keeps the last 64. */
export function remember(memory: CommandMemory, entry: JournalEntry): CommandMemory {
  const journal = memory.journal.some((known) => known.cmdId === entry.cmdId)
    ? memory.journal.map((known) => (known.cmdId === entry.cmdId ? entry : known))
    : [...memory.journal, entry].slice(-JOURNAL_SIZE);
  return { journal, lastSeq: Math.max(memory.lastSeq, entry.seq) };
}

/**
 * Recovers an unfinished journal entry after a restart: STARTED and ACKED become UNKNOWN, because
 * the pulse may or may not have been given. The pulse is never repeated.
 */
export function recoverEntry(entry: JournalEntry): JournalEntry | undefined {
  return entry.stage === "STARTED" || entry.stage === "ACKED"
    ? { ...entry, stage: "UNKNOWN" }
    : undefined;
}

/** True for stages that prove that the command did not and will not open a door. */
export function provesNotOpened(stage: AckStage): boolean {
  return stage === "REJECTED" || stage === "EXPIRED" || stage === "FAILED";
}

/**
 * True for answers after which the cabinet sends a new birth to resynchronise its clock: commands
 * rarely arrive late or from the future, but the server's clock may have been set since the last
 * hello.
 */
export function doubtsClock({ stage, reason }: Pick<Acknowledged, "stage" | "reason">): boolean {
  return stage === "EXPIRED" || reason === "BAD_EXPIRY";
}

/** True for commands that are journaled and executed at most once. */
export function isOnceCommand(command: Command): command is OnceCommand {
  return command.type === "OPEN" || command.type === "REBOOT";
}
