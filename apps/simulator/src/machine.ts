// One simulated cabinet: power, reboots and reconnects.
import {
  BACKOFF_BASE_MS,
  BACKOFF_CAP_MS,
  BACKOFF_RESET_AFTER_MS,
  type CabinetKeys,
  deriveKeys,
  type JournalEntry,
  makeConnectPassword,
  type SimulatedCabinet,
  sealUp,
} from "@cabinet/link";
import { Cabinet } from "./cabinet.ts";
import type { Checkpoint } from "./command-runner.ts";
import { type DownloadRequest, type Downloads, openDownloads } from "./download.ts";
import { NO_FAULTS } from "./faults.ts";
import type { FirmwareFaults } from "./firmware.ts";
import { Hardware } from "./hardware.ts";
import type { Journal } from "./journal.ts";
import { ConnectError, type Session, type Transport } from "./transport.ts";
import type { World } from "./world.ts";

const BOOT_MS = 2_000;
const GOODBYE_MS = 600;
/** Inserting the plug or the cable wakes the cabinet at once; the check only bounds a lost wake. */
const UNPLUGGED_CHECK_MS = 60_000;

export interface MachineOptions {
  /** Absent: a firmware without playlist support, which downloads nothing. */
  readonly downloads?: Pick<DownloadRequest, "server"> & {
    readonly folder: string;
    readonly faults: DownloadRequest["faults"] & FirmwareFaults;
  };
  readonly autoCloseMs: number;
  isJammed(): boolean;
  /** False: a cabinet without item sensors. */
  readonly hasItemSensors?: boolean;
  /** True to cut the power at this checkpoint of a command. */
  losesPowerAt(checkpoint: Checkpoint): boolean;
  /** Receives each failed attempt as a Chinese message. */
  onTrouble(message: string): void;
}

export class Machine {
  readonly hardware: Hardware;
  private readonly identity: SimulatedCabinet;
  private readonly keys: CabinetKeys;
  private readonly world: World;
  private readonly transport: Transport;
  private readonly journal: Journal;
  private readonly options: MachineOptions;
  private readonly downloads: Downloads | undefined;
  private cabinet: Cabinet | undefined;
  private line: { readonly nonce: string; readonly session: Session } | undefined;
  private life: Promise<void> | undefined;
  private isStopped = false;
  private isPlugged = true;
  private isLineIn = true;
  private wake: () => void = () => {};

  constructor(
    identity: SimulatedCabinet,
    world: World,
    transport: Transport,
    journal: Journal,
    options: MachineOptions,
  ) {
    this.identity = { ...identity };
    this.keys = deriveKeys(identity.secret);
    this.world = world;
    this.transport = transport;
    this.journal = journal;
    this.options = options;
    this.hardware = new Hardware(identity, world, options);
    const { keys } = this;
    this.downloads =
      options.downloads &&
      openDownloads({ ...options.downloads, identity: this.identity, keys, world });
  }

  /** Powers on; stays on through reboots and connection losses until `stop`. */
  async start(): Promise<void> {
    this.hardware.restore((await this.journal.load()).items);
    this.life = this.live();
  }

  /** True while there is a session (hello received) on the current connection. */
  hasSession(): boolean {
    return (this.cabinet?.isOn() && this.cabinet.hasSession()) ?? false;
  }

  /** Called about once a second. */
  tick(): void {
    if (this.cabinet?.isOn()) this.cabinet.tick();
  }

  /** Cuts the power; it returns after about two seconds. */
  losePower(): void {
    this.cabinet?.cutPower();
    this.line?.session.abort();
    this.wake();
  }

  hasPower(): boolean {
    return this.isPlugged;
  }

  hasLine(): boolean {
    return this.isLineIn;
  }

  /** Pulls or inserts the power plug; unlike after `losePower`, the cabinet stays off until then. */
  setPower(isPlugged: boolean): void {
    this.isPlugged = isPlugged;
    if (isPlugged) this.wake();
    else this.losePower();
  }

  /** Pulls or inserts the network cable: without it no connection succeeds. */
  setLine(isLineIn: boolean): void {
    this.isLineIn = isLineIn;
    if (isLineIn) this.wake();
    else this.cutLine();
  }

  /** Commands that this run remembers, oldest first; none without power. */
  journalled(): readonly JournalEntry[] {
    return this.cabinet?.isOn() ? this.cabinet.journalled() : [];
  }

  /** Cuts the connection; reconnects as after any loss. */
  cutLine(): void {
    this.line?.session.abort();
  }

  /** Switches to a new secret by reconnecting with it. False if it is the current one. */
  changeKey({ kid, secret }: Pick<SimulatedCabinet, "kid" | "secret">): boolean {
    if (kid === this.identity.kid && secret === this.identity.secret) return false;
    // `identity` and `keys` are shared: sign the goodbye with the old keys before replacing them.
    const goodbye = this.sayGoodbye();
    Object.assign(this.identity, { kid, secret });
    Object.assign(this.keys, deriveKeys(secret));
    void goodbye.then(() => this.wake());
    return true;
  }

  /** Publishes its own last will and disconnects, within two seconds at most. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    await this.sayGoodbye();
    this.cabinet?.cutPower();
    await this.within(GOODBYE_MS, this.life);
  }

  private async sayGoodbye(): Promise<void> {
    if (!this.line) return;
    const { nonce, session } = this.line;
    await this.within(GOODBYE_MS, session.publish(this.will(nonce)));
    await this.within(GOODBYE_MS, session.close());
  }

  /** Waits until `work` settles, at most `ms`. */
  private async within(ms: number, work: Promise<void> | undefined): Promise<void> {
    let cancel = () => {};
    const timeUp = new Promise<void>((resolve) => {
      cancel = this.world.after(ms, resolve);
    });
    await Promise.race([work?.catch(() => {}), timeUp]);
    cancel();
  }

  private will(nonce: string) {
    return sealUp(this.keys, this.identity.cabinetId, "will", { nonce });
  }

  private async live(): Promise<void> {
    while (!this.isStopped) {
      if (!this.isPlugged) {
        await this.pause(UNPLUGGED_CHECK_MS);
        continue;
      }
      this.cabinet = await this.switchOn();
      // The plug may have been pulled during the boot.
      if (!this.isPlugged) this.cabinet?.cutPower();
      if (this.cabinet) await this.stayConnected(this.cabinet);
      if (!this.isStopped) await this.pause(BOOT_MS * (0.5 + this.world.random()));
    }
  }

  /** Boots the program; not without a writable journal, since no result would be durable. */
  private async switchOn(): Promise<Cabinet | undefined> {
    try {
      return await Cabinet.start({
        identity: this.identity,
        keys: this.keys,
        world: this.world,
        hardware: this.hardware,
        journal: this.journal,
        ...(this.downloads && { downloads: this.downloads }),
        firmwareFaults: this.options.downloads?.faults ?? NO_FAULTS,
        restart: () => this.losePower(),
        reconnect: () => this.cutLine(),
        onCheckpoint: (checkpoint) => {
          if (this.options.losesPowerAt(checkpoint)) this.losePower();
        },
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.onTrouble(`${this.identity.cabinetId}：指令日志读写失败（${reason}）`);
      return undefined;
    }
  }

  /** Keeps this run connected: reconnects after each loss with backoff and full jitter. */
  private async stayConnected(cabinet: Cabinet): Promise<void> {
    let attempt = 0;
    while (cabinet.isOn() && !this.isStopped) {
      if (!this.isLineIn) {
        attempt = 0;
        await this.pause(UNPLUGGED_CHECK_MS);
        continue;
      }
      const greetedMs = await this.spendConnection(cabinet);
      if (greetedMs >= BACKOFF_RESET_AFTER_MS) attempt = 0;
      if (!cabinet.isOn() || this.isStopped) return;
      const most = Math.min(BACKOFF_BASE_MS * 2 ** attempt++, BACKOFF_CAP_MS);
      await this.pause(most * this.world.random());
    }
  }

  /** Runs one connection to its end; returns its duration in ms, 0 if it ended with no session. */
  private async spendConnection(cabinet: Cabinet): Promise<number> {
    const { cabinetId, kid } = this.identity;
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    try {
      const line = await this.transport.connect(
        {
          cabinetId,
          password: (nonce) => makeConnectPassword({ cabinetId, kid, nonce, keys: this.keys }),
          will: (nonce) => this.will(nonce),
        },
        {
          onMessage: (topic, bytes) => cabinet.receive(topic, bytes),
          onClose: close,
        },
      );
      this.line = line;
      if (!cabinet.isOn() || !this.isLineIn) line.session.abort();
      else if (this.isStopped) await line.session.close();
      else cabinet.connected(line.session, line.nonce);
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      const prefix = error.kind === "REFUSED" ? `${cabinetId}:` : "";
      this.options.onTrouble(`${prefix}${error.message}`);
      return 0;
    }
    const connectedAt = this.world.mono();
    await closed;
    const greetedMs = cabinet.hasSession() ? this.world.mono() - connectedAt : 0;
    this.line = undefined;
    cabinet.disconnected();
    return greetedMs;
  }

  /** Waits `ms`, or until the next `wake`. */
  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.world.after(ms, resolve);
      this.wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
