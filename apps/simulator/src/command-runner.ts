// Executes commands as the link protocol requires: decide, persist, pulse once, persist, reply.
import {
  type AckStage,
  CONFIRM_WITHIN_MS,
  type CommandMemory,
  checkBeforePulse,
  decideCommand,
  entryOf,
  type FailReason,
  type JournalEntry,
  type JournalStage,
  type OnceCommand,
  type OpenCommand,
  remember,
  type Side,
} from "@cabinet/link";
import type { Hardware } from "./hardware.ts";
import type { Journal } from "./journal.ts";
import type { World } from "./world.ts";

/** Checkpoints at which a test or a fault plan may cut the power. */
export type Checkpoint = "RECEIVED" | "STARTED" | "PULSED" | "ACKED";

export interface RunnerParts {
  readonly world: World;
  readonly hardware: Hardware;
  readonly journal: Journal;
  /** False once the power is cut: running work stops there. */
  isOn(): boolean;
  /** The current session. */
  session(): { readonly epoch: number | undefined; readonly serverNow: number | undefined };
  acknowledge(entry: Omit<JournalEntry, "stage"> & { stage: AckStage }): void;
  /** Restarts the cabinet. */
  restart(): void;
  onCheckpoint(checkpoint: Checkpoint): void;
}

/** A pulse whose door the sensor has not yet reported open. */
interface Awaited {
  readonly command: OpenCommand;
  cancelTimer(): void;
}

export class CommandRunner {
  memory: CommandMemory;
  private readonly parts: RunnerParts;
  private readonly awaited = new Map<number, Awaited>();
  private turn: Promise<void> = Promise.resolve();
  private underWay = 0;

  constructor(memory: CommandMemory, parts: RunnerParts) {
    this.memory = memory;
    this.parts = parts;
  }

  /** Queues a command: the next one waits until this one's pulse is journaled. */
  take(command: OnceCommand): void {
    this.underWay++;
    this.turn = this.turn
      .then(() => this.carryOut(command))
      .finally(() => {
        this.underWay--;
      });
  }

  /** True while a command executes or waits for its door to open. */
  isBusy(): boolean {
    return this.underWay > 0 || this.awaited.size > 0;
  }

  /** Called when the sensor reports an open door; returns the `cmdId` that caused it, if any. */
  doorOpened(no: number, side: Side): string | undefined {
    const awaited = this.awaited.get(no);
    if (awaited?.command.side !== side) return undefined;
    this.endWait(awaited.command, "CONFIRMED");
    return awaited.command.cmdId;
  }

  private async carryOut(command: OnceCommand): Promise<void> {
    const { hardware, restart } = this.parts;
    if (this.losesPowerAt("RECEIVED")) return;
    const decision = decideCommand(
      {
        ...this.memory,
        ...this.parts.session(),
        compartments: hardware.report(),
        awaiting: new Set(this.awaited.keys()),
      },
      command,
    );
    if (decision.do === "IGNORE") return;
    if (decision.do === "REPLY") return this.parts.acknowledge(decision.entry);
    if (decision.do === "PERSIST_AND_REPLY") {
      return this.settle(command, decision.entry.stage, decision.entry.reason);
    }
    try {
      await this.persist(command, "STARTED");
    } catch {
      return this.settle(command, "FAILED", "JOURNAL" satisfies FailReason);
    }
    if (this.losesPowerAt("STARTED")) return;
    const { serverNow } = this.parts.session();
    if (serverNow === undefined || checkBeforePulse(command, serverNow) === "EXPIRED") {
      return this.settle(command, "EXPIRED");
    }
    if (command.type === "REBOOT") {
      await this.settle(command, "ACKED");
      if (this.parts.isOn()) restart();
      return;
    }
    hardware.pulse(command.cmdId, command.no, command.side);
    this.awaitDoor(command);
    if (this.losesPowerAt("PULSED")) return;
    await this.settle(command, "ACKED");
    this.losesPowerAt("ACKED");
  }

  private losesPowerAt(checkpoint: Checkpoint): boolean {
    if (this.parts.isOn()) this.parts.onCheckpoint(checkpoint);
    return !this.parts.isOn();
  }

  private awaitDoor(command: OpenCommand): void {
    const cancelTimer = this.parts.world.after(CONFIRM_WITHIN_MS, () =>
      this.endWait(command, "NOT_CONFIRMED"),
    );
    this.awaited.set(command.no, { command, cancelTimer });
  }

  private endWait(command: OpenCommand, stage: "CONFIRMED" | "NOT_CONFIRMED"): void {
    this.awaited.get(command.no)?.cancelTimer();
    this.awaited.delete(command.no);
    void this.settle(command, stage);
  }

  /** Journals and acknowledges a result; acknowledges it even if the journal write fails. */
  private async settle(command: OnceCommand, stage: AckStage, reason?: string): Promise<void> {
    if (!this.parts.isOn()) return;
    await this.persist(command, stage, reason).catch(() => {});
    if (!this.parts.isOn()) return;
    this.parts.acknowledge({ ...entryOf(command, stage), ...(reason && { reason }) });
  }

  /** Updates the memory before the write, so that a duplicate arriving meanwhile is detected. */
  private persist(command: OnceCommand, stage: JournalStage, reason?: string): Promise<void> {
    const entry: JournalEntry = { ...entryOf(command, stage), ...(reason && { reason }) };
    this.memory = remember(this.memory, entry);
    const isReboot = command.type === "REBOOT";
    return this.parts.journal.append({ t: "command", entry, ...(isReboot && { isReboot }) });
  }
}
