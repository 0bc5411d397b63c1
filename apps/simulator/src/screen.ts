// Screen of a cabinet: downloads its playlist's files one by one and reports their progress.
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import type {
  DownloadReason,
  DownloadState,
  Playlist,
  PlaylistItem,
  PlaylistReport,
} from "@cabinet/link";
import { type Downloads, isFileRight } from "./download.ts";
import type { World } from "./world.ts";

const TRIES = 3;
const RETRY_MS = 2_000;

export interface ScreenParts {
  readonly world: World;
  readonly downloads: Downloads;
  /** Called whenever the state of a file changed. */
  onChange(): void;
}

interface Progress {
  state: DownloadState;
  reason?: DownloadReason;
}

export class Screen {
  private readonly parts: ScreenParts;
  private playlist: Playlist;
  private progress = new Map<string, Progress>();
  private controller = new AbortController();
  private work: Promise<void> = Promise.resolve();

  constructor(playlist: Playlist, parts: ScreenParts) {
    this.playlist = playlist;
    this.parts = parts;
  }

  get version(): number {
    return this.playlist.version;
  }

  report(): PlaylistReport {
    const files = this.playlist.items.map(({ file }) => ({
      file,
      ...(this.progress.get(file) ?? { state: "WAITING" as const }),
    }));
    return { version: this.playlist.version, files };
  }

  /** Switches to this playlist; aborts the older one's running download and waits for its end. */
  take(playlist: Playlist): void {
    this.playlist = playlist;
    this.start(true);
  }

  /** Verifies every file and retries failed downloads. */
  refresh(): void {
    this.start(false);
  }

  private start(isNew: boolean): void {
    this.stop();
    const controller = new AbortController();
    this.controller = controller;
    this.work = this.work.then(() => this.fetchAll(controller.signal, isNew));
  }

  /** Power cut: aborts downloads; files on disk stay. */
  stop(): void {
    this.controller.abort();
  }

  private async fetchAll(signal: AbortSignal, isNew: boolean): Promise<void> {
    if (signal.aborted) return;
    const { items } = this.playlist;
    const before = JSON.stringify(this.report());
    const wanted = new Set(items.map(({ file }) => file));
    this.progress = new Map([...this.progress].filter(([file]) => wanted.has(file)));
    await this.deleteOthers(wanted);
    const missing: PlaylistItem[] = [];
    for (const item of items) {
      const isThere =
        this.progress.get(item.file)?.state === "READY" ||
        (await isFileRight(this.placeOf(item), item.size, item.sha256));
      this.progress.set(item.file, { state: isThere ? "READY" : "WAITING" });
      if (!isThere) missing.push(item);
    }
    if (signal.aborted) return;
    if (isNew || JSON.stringify(this.report()) !== before) this.parts.onChange();
    for (const item of missing) {
      if (signal.aborted) return;
      await this.fetchOne(item, signal);
    }
  }

  private async fetchOne(item: PlaylistItem, signal: AbortSignal): Promise<void> {
    const log = (progress: Progress) => {
      if (signal.aborted) return;
      this.progress.set(item.file, progress);
      this.parts.onChange();
    };
    log({ state: "DOWNLOADING" });
    for (let tried = 1; !signal.aborted; tried++) {
      const file = { fileId: item.file, size: item.size, sha256: item.sha256 };
      const outcome = await this.parts.downloads.fetch(file, this.placeOf(item), signal);
      if (outcome.ok) return log({ state: "READY" });
      if (tried === TRIES) return log({ state: "FAILED", reason: outcome.reason });
      await this.pause(RETRY_MS * tried * (0.5 + this.parts.world.random()), signal);
    }
  }

  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.parts.world.after(ms, resolve);
      signal.addEventListener("abort", () => {
        cancel();
        resolve();
      });
    });
  }

  private placeOf({ file }: PlaylistItem): string {
    return path.join(this.parts.downloads.folder, file);
  }

  private async deleteOthers(wanted: ReadonlySet<string>): Promise<void> {
    const { folder } = this.parts.downloads;
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      if (wanted.has(name.replace(/\.part$/, ""))) continue;
      await rm(path.join(folder, name), { force: true });
    }
  }
}
