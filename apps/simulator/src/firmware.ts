// Firmware jobs of the link protocol: verify, download, install on trial at the next start.
import path from "node:path";
import {
  compareVersions,
  type DownloadReason,
  filePath,
  type Job,
  type JobFailureReason,
  type JobRefusalReason,
  type JobStatus,
  verifyFirmware,
} from "@cabinet/link";
import type { Downloads } from "./download.ts";
import type { FaultPlan } from "./faults.ts";
import { applyRecord, type FinishedJob, type Journal, type JournalState } from "./journal.ts";
import type { World } from "./world.ts";

const TRIES = 3;
const TRY_AGAIN_MS = 2_000;
/** Delay before a restart, so that the last report can be sent. */
const SAY_MS = 800;

export type FirmwareFaults = Pick<FaultPlan, "badInstall" | "bootLoop">;

export interface FirmwareParts {
  readonly world: World;
  readonly journal: Journal;
  readonly downloads: Downloads | undefined;
  /** The maker's public key, built in at the factory. */
  readonly makerKey: string | undefined;
  readonly faults: FirmwareFaults;
  isOn(): boolean;
  openDoors(): number;
  /** True while a command executes. */
  isBusy(): boolean;
  report(job: { jobId: string; status: JobStatus; reason?: string }): void;
  restart(): void;
}

/**
 * Settles a firmware trial at boot: commits the new version if it runs, else rolls back to the
 * old one. Returns the journaled outcome, of which the caller reports a rollback.
 */
export async function settleTrial(
  state: JournalState,
  { journal, world, faults }: Pick<FirmwareParts, "journal" | "world" | "faults">,
): Promise<FinishedJob | undefined> {
  if (!state.trial) return undefined;
  const { jobId, version } = state.trial;
  const runs = world.random() >= faults.bootLoop;
  const job: FinishedJob = runs
    ? { jobId, status: "INSTALLED" }
    : { jobId, status: "FAILED", reason: "ROLLED_BACK" };
  const record = { t: "job", job, ...(runs && { program: version }) } as const;
  await journal.append(record);
  applyRecord(state, record);
  return job;
}

interface CurrentJob {
  readonly job: Job;
  status: "ACCEPTED" | "DOWNLOADING" | "INSTALLED";
  /** Downloaded and verified; waits until all doors are closed and no command runs. */
  isReady: boolean;
}

export class FirmwareUpdater {
  /** The running version. */
  readonly version: string;
  private readonly parts: FirmwareParts;
  private readonly stopper = new AbortController();
  private current: CurrentJob | undefined;
  private finished: FinishedJob | undefined;

  constructor(state: JournalState, parts: FirmwareParts) {
    this.parts = parts;
    this.version = state.program;
    this.finished = state.job;
  }

  take(job: Job): void {
    const { jobId } = job;
    if (this.current?.job.jobId === jobId) {
      this.parts.report({ jobId, status: this.current.status });
    } else if (this.finished?.jobId === jobId) this.parts.report(this.finished);
    else if (job.version === this.version) this.parts.report({ jobId, status: "INSTALLED" });
    else {
      const reason = this.refusal(job);
      if (reason) this.parts.report({ jobId, status: "REFUSED", reason });
      else void this.carryOut(job);
    }
  }

  /** Called about once a second; installs when every door is closed and no command executes. */
  tick(): void {
    if (!this.current?.isReady || !this.isQuiet()) return;
    this.current.isReady = false;
    void this.install(this.current);
  }

  stop(): void {
    this.stopper.abort();
  }

  private refusal(job: Job): JobRefusalReason | undefined {
    const { downloads, makerKey } = this.parts;
    if (this.current) return "BUSY";
    if (!downloads) return "NOT_SUPPORTED";
    if (makerKey === undefined) return "NO_MAKER_KEY";
    if (!verifyFirmware(job.sha256, job.signature, makerKey)) return "BAD_SIGNATURE";
    if (compareVersions(this.version, job.minVersion) < 0) return "BELOW_MIN_VERSION";
    return this.parts.openDoors() > 0 ? "DOOR_OPEN" : undefined;
  }

  private async carryOut(job: Job): Promise<void> {
    const current: CurrentJob = { job, status: "ACCEPTED", isReady: false };
    this.current = current;
    this.parts.report({ jobId: job.jobId, status: "ACCEPTED" });
    current.status = "DOWNLOADING";
    this.parts.report({ jobId: job.jobId, status: "DOWNLOADING" });
    const failure = await this.fetch(job);
    if (!this.parts.isOn()) return;
    if (failure) await this.fail(job, failure);
    else current.isReady = true;
  }

  private async fetch(job: Job): Promise<JobFailureReason | undefined> {
    const { downloads, world } = this.parts;
    const fileId = decodeURIComponent(job.url.slice(job.url.lastIndexOf("/") + 1));
    if (!downloads || job.url !== filePath(fileId)) return "DOWNLOAD";
    const target = path.join(downloads.folder, `firmware-${job.sha256.slice(0, 16)}.bin`);
    for (let attempt = 1; ; attempt++) {
      const file = { fileId, size: job.size, sha256: job.sha256 };
      const outcome = await downloads.fetch(file, target, this.stopper.signal);
      if (outcome.ok) return undefined;
      if (outcome.reason !== "NETWORK" || attempt === TRIES || !this.parts.isOn()) {
        return failureOf(outcome.reason);
      }
      await new Promise<void>((resolve) => void world.after(TRY_AGAIN_MS, resolve));
    }
  }

  /** Journals the trial before it reports INSTALLED, then restarts. */
  private async install({ job }: CurrentJob): Promise<void> {
    const { world, journal, faults, restart, report } = this.parts;
    const { jobId, version } = job;
    if (world.random() < faults.badInstall) return this.fail(job, "STORAGE");
    try {
      await journal.append({ t: "trial", jobId, version });
    } catch {
      return this.fail(job, "STORAGE");
    }
    if (!this.parts.isOn()) return;
    if (this.current) this.current.status = "INSTALLED";
    report({ jobId, status: "INSTALLED" });
    const restartWhenQuiet = () => {
      if (!this.parts.isOn()) return;
      if (this.isQuiet()) restart();
      else world.after(SAY_MS, restartWhenQuiet);
    };
    world.after(SAY_MS, restartWhenQuiet);
  }

  private async fail({ jobId }: Job, reason: JobFailureReason): Promise<void> {
    const job: FinishedJob = { jobId, status: "FAILED", reason };
    await this.parts.journal.append({ t: "job", job }).catch(() => {});
    if (!this.parts.isOn()) return;
    this.current = undefined;
    this.finished = job;
    this.parts.report(job);
  }

  private isQuiet(): boolean {
    return this.parts.openDoors() === 0 && !this.parts.isBusy();
  }
}

function failureOf(reason: DownloadReason): JobFailureReason {
  if (reason === "STORAGE") return "STORAGE";
  return reason === "BAD_SIZE" || reason === "BAD_CHECKSUM" ? "CHECKSUM" : "DOWNLOAD";
}
