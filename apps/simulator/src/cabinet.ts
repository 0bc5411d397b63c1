// One run of a cabinet's program: reports, commands, sensors, heartbeats and config.
import {
  type AckStage,
  type CabinetKeys,
  COMMAND_TYPES,
  type ConfigMessage,
  type ConfigValues,
  doorOf,
  doubtsClock,
  isOnceCommand,
  type JournalEntry,
  openDown,
  type ParsedCommand,
  recoverEntry,
  type SimulatedCabinet,
  splitSnapshot,
} from "@cabinet/link";
import { type Checkpoint, CommandRunner } from "./command-runner.ts";
import { DoorWatch } from "./door-watch.ts";
import type { Downloads } from "./download.ts";
import { type FirmwareFaults, FirmwareUpdater, settleTrial } from "./firmware.ts";
import { Greeting } from "./greeting.ts";
import type { Hardware, SensorChange } from "./hardware.ts";
import { applyRecord, type Journal, type JournalState } from "./journal.ts";
import { Reporter } from "./reporter.ts";
import { Screen } from "./screen.ts";
import type { Session } from "./transport.ts";
import { Vitals } from "./vitals.ts";
import type { World } from "./world.ts";

const CAPABILITIES = [...COMMAND_TYPES, "CONFIG", "FIRMWARE"];

export interface CabinetParts {
  readonly identity: SimulatedCabinet;
  readonly keys: CabinetKeys;
  readonly world: World;
  readonly hardware: Hardware;
  readonly journal: Journal;
  readonly downloads?: Downloads;
  readonly firmwareFaults: FirmwareFaults;
  restart(): void;
  /** Disconnects and reconnects as after any connection loss. */
  reconnect(): void;
  onCheckpoint(checkpoint: Checkpoint): void;
}

export class Cabinet {
  private hasPower = true;
  private readonly parts: CabinetParts;
  private readonly startedAt: number;
  private readonly reporter: Reporter;
  private readonly greeting: Greeting;
  private readonly runner: CommandRunner;
  private readonly vitals: Vitals;
  private readonly doors: DoorWatch;
  private readonly screen: Screen | undefined;
  private readonly firmware: FirmwareUpdater;
  private config: { version: number; values: ConfigValues };
  private nextBeatAt = 0;
  private badFrames = 0;

  /** Boots the cabinet: increments `bootNo` and settles commands the last run left unfinished. */
  static async start(parts: CabinetParts): Promise<Cabinet> {
    const state = await parts.journal.load();
    const boot = { t: "boot", bootNo: state.bootNo + 1 } as const;
    await parts.journal.append(boot);
    applyRecord(state, boot);
    const trial = await settleTrial(state, { ...parts, faults: parts.firmwareFaults });
    const recovered: JournalEntry[] = [];
    for (const entry of state.memory.journal) {
      const found = recoverEntry(entry);
      if (!found) continue;
      const isReboot = state.reboots.has(entry.cmdId);
      recovered.push(isReboot ? { ...found, stage: "CONFIRMED" } : found);
    }
    for (const entry of recovered) {
      const record = { t: "command", entry } as const;
      await parts.journal.append(record);
      applyRecord(state, record);
    }
    const cabinet = new Cabinet(parts, state, recovered);
    if (trial?.status === "FAILED") cabinet.reporter.report("evt", { type: "JOB", job: trial });
    return cabinet;
  }

  private constructor(parts: CabinetParts, state: JournalState, recovered: JournalEntry[]) {
    const { world, hardware, identity, keys, journal } = parts;
    this.parts = parts;
    this.startedAt = world.mono();
    this.config = state.config;
    this.vitals = new Vitals(world);
    this.doors = new DoorWatch(hardware.report(), this.mono());
    this.reporter = new Reporter({
      cabinetId: identity.cabinetId,
      keys,
      bootNo: state.bootNo,
      mono: () => this.mono(),
      unixTime: () => this.greeting.serverNow(),
    });
    this.greeting = new Greeting({
      world,
      mono: () => this.mono(),
      sendBirth: (nonce) => this.sendBirth(nonce),
    });
    const { downloads } = parts;
    this.screen =
      downloads &&
      new Screen(state.playlist, { world, downloads, onChange: () => this.reportScreen() });
    this.runner = new CommandRunner(state.memory, {
      world,
      isOn: () => this.hasPower,
      hardware,
      journal,
      session: () => ({ epoch: this.greeting.epoch, serverNow: this.greeting.serverNow() }),
      acknowledge: (entry) => {
        this.reporter.report("ack", entry);
        if (doubtsClock(entry)) this.greeting.doubtClock();
      },
      restart: parts.restart,
      onCheckpoint: parts.onCheckpoint,
    });
    this.firmware = new FirmwareUpdater(state, {
      world,
      journal,
      downloads,
      makerKey: identity.makerKey,
      faults: parts.firmwareFaults,
      isOn: () => this.hasPower,
      openDoors: () => hardware.openDoors(),
      isBusy: () => this.runner.isBusy(),
      report: (job) => this.reporter.report("evt", { type: "JOB", job }),
      restart: parts.restart,
    });
    hardware.onChange = (change) => this.sense(change);
    for (const { stage, ...entry } of recovered) {
      this.reporter.report("ack", { ...entry, stage: stage as AckStage });
    }
  }

  isOn(): boolean {
    return this.hasPower;
  }

  /** Ends this run for good; the next one begins with `Cabinet.start`. */
  cutPower(): void {
    this.hasPower = false;
    this.screen?.stop();
    this.firmware.stop();
  }

  hasSession(): boolean {
    return this.greeting.epoch !== undefined;
  }

  /** The commands in its journal, oldest first. */
  journalled(): readonly JournalEntry[] {
    return this.runner.memory.journal;
  }

  connected(session: Session, nonce: string): void {
    this.reporter.attach(session);
    this.nextBeatAt = this.mono() + this.heartbeatMs() * this.parts.world.random();
    this.greeting.connected(nonce);
    this.reporter.resend();
  }

  disconnected(): void {
    this.reporter.detach();
    this.greeting.disconnected();
  }

  /** Called about once a second. */
  tick(): void {
    const now = this.mono();
    this.greeting.tick(now);
    if (this.reporter.isAttached() && now >= this.nextBeatAt) {
      this.nextBeatAt = now + this.heartbeatMs() * (1 - 0.2 * this.parts.world.random());
      this.beat();
    }
    this.watchOpenDoors(now);
    this.firmware.tick();
  }

  /** Handles a raw message from the connection. */
  receive(topic: string, bytes: Uint8Array): void {
    if (!this.hasPower) return;
    const opened = openDown(this.parts.keys, this.parts.identity.cabinetId, topic, bytes);
    if (!opened.ok) this.badFrames++;
    else if (opened.kind === "hello") {
      if (this.greeting.take(opened.message)) this.screen?.refresh();
    } else if (opened.kind === "cmd") this.obey(opened.command);
    else if (opened.kind === "cfg") void this.configure(opened.message);
    else if (this.isCurrent(opened.message)) this.firmware.take(opened.message);
  }

  private mono(): number {
    return this.parts.world.mono() - this.startedAt;
  }

  private isCurrent({ epoch }: { readonly epoch: number }): boolean {
    return epoch === this.greeting.epoch;
  }

  private heartbeatMs(): number {
    const seconds = this.config.values.heartbeatSeconds;
    return 1_000 * (typeof seconds === "number" ? Math.min(Math.max(seconds, 5), 60) : 30);
  }

  private sendBirth(nonce: string): number {
    const { identity, hardware } = this.parts;
    let n = 0;
    for (const part of splitSnapshot(this.runner.memory.journal, hardware.report())) {
      n = this.reporter.snapshot("birth", {
        nonce,
        lastSeq: this.runner.memory.lastSeq,
        side: identity.side,
        appVersion: this.firmware.version,
        capabilities: [...CAPABILITIES, ...(hardware.hasItemSensors() ? ["ITEM_SENSOR"] : [])],
        configVersion: this.config.version,
        ...(this.screen && { playlistVersion: this.screen.version }),
        signalDbm: this.vitals.signalDbm,
        temperatureC: this.vitals.temperatureC,
        ...part,
      });
    }
    return n;
  }

  private obey(command: ParsedCommand): void {
    if (!command.ok) {
      const { cmdId, seq, error } = command;
      if (cmdId) {
        this.reporter.report("ack", {
          cmdId,
          ...(seq !== undefined && { seq }),
          stage: "REJECTED",
          reason: error,
        });
      }
      return;
    }
    const { message } = command;
    if (isOnceCommand(message)) this.runner.take(message);
    else if (message.type === "BIRTH") {
      if (!this.greeting.birthAgain(message.nonce)) this.parts.reconnect();
    } else if (this.isCurrent(message)) this.sendState(message.cmdId);
  }

  private sendState(cmdId: string): void {
    for (const { part, parts, compartments } of splitSnapshot([], this.parts.hardware.report())) {
      this.reporter.snapshot("state", { full: true, cmdId, part, parts, compartments });
    }
  }

  private async configure(message: ConfigMessage): Promise<void> {
    if (!this.isCurrent(message)) return;
    const { version, values, playlist } = message;
    if (this.screen && playlist && playlist.version > this.screen.version) {
      this.screen.take(playlist);
      await this.parts.journal.append({ t: "playlist", playlist }).catch(() => {});
      if (!this.hasPower) return;
    } else if (playlist) this.reportScreen();
    if (version > this.config.version) {
      this.config = { version, values };
      this.nextBeatAt = Math.min(this.nextBeatAt, this.mono() + this.heartbeatMs());
      await this.parts.journal.append({ t: "config", version, values }).catch(() => {});
      if (!this.hasPower) return;
    }
    const { config } = this;
    this.reporter.report("state", { full: false, part: 1, parts: 1, compartments: [], config });
  }

  private reportScreen(): void {
    if (!this.screen || !this.hasPower) return;
    const playlist = this.screen.report();
    this.reporter.report("state", { full: false, part: 1, parts: 1, compartments: [], playlist });
  }

  private sense({ kind, side, compartment }: SensorChange): void {
    const { no, item } = compartment;
    if (kind === "ITEM") {
      void this.parts.journal.append({ t: "item", no, item }).catch(() => {});
      const type = { PRESENT: "ITEM_PLACED", EMPTY: "ITEM_TAKEN", UNKNOWN: "ITEM_TAKEN" }[item];
      if (this.hasPower) this.reporter.report("evt", { type, compartment });
      return;
    }
    if (!this.hasPower) return;
    this.doors.see(compartment, side, this.mono());
    const isOpen = doorOf(compartment, side) === "OPEN";
    const cmdId = isOpen ? this.runner.doorOpened(no, side) : undefined;
    const type = isOpen ? "DOOR_OPENED" : "DOOR_CLOSED";
    this.reporter.report("evt", { type, side, compartment, ...(cmdId && { cmdId }) });
  }

  private watchOpenDoors(now: number): void {
    const setting = this.config.values.doorOpenAlarmSeconds;
    const limitMs = 1_000 * (typeof setting === "number" ? setting : 120);
    for (const { no, side, openMs } of this.doors.overdue(now, limitMs)) {
      const compartment = this.parts.hardware.report().find((row) => row.no === no);
      const value = Math.round(openMs / 1_000);
      this.reporter.report("evt", {
        type: "DOOR_LEFT_OPEN",
        side,
        value,
        ...(compartment && { compartment }),
      });
    }
  }

  private beat(): void {
    const { signalDbm, temperatureC, supplyVolts, events } = this.vitals.measure(
      this.config.values,
      this.greeting.serverNow(),
    );
    const openDoors = this.parts.hardware.openDoors();
    const { badFrames } = this;
    this.reporter.beat({ signalDbm, temperatureC, supplyVolts, openDoors, badFrames });
    for (const event of events) this.reporter.report("evt", event);
  }
}
