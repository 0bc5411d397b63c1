// Append-only journal of a cabinet: one JSON line per record, fsynced before any effect.
import { type FileHandle, mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import {
  type CommandMemory,
  type ConfigValues,
  type ItemState,
  type JournalEntry,
  type Playlist,
  remember,
} from "@cabinet/link";

/** Firmware version of a new cabinet. */
const FACTORY_VERSION = "1.4.2";

/** Outcome of the last firmware job, reported again if the job is sent again. */
export interface FinishedJob {
  readonly jobId: string;
  readonly status: "INSTALLED" | "FAILED";
  readonly reason?: string;
}

/** A record that must survive a power loss. */
export type JournalRecord =
  | { readonly t: "boot"; readonly bootNo: number }
  | { readonly t: "command"; readonly entry: JournalEntry; readonly isReboot?: boolean }
  | { readonly t: "config"; readonly version: number; readonly values: ConfigValues }
  | { readonly t: "playlist"; readonly playlist: Playlist }
  /** The next boot tries this version. */
  | { readonly t: "trial"; readonly jobId: string; readonly version: string }
  /** A firmware job has ended; `program`: the version that runs from now on, if changed. */
  | { readonly t: "job"; readonly job: FinishedJob; readonly program?: string }
  | { readonly t: "item"; readonly no: number; readonly item: ItemState };

/** State folded from all records. */
export interface JournalState {
  bootNo: number;
  memory: CommandMemory;
  /** `cmdId`s of unfinished restart commands. */
  reboots: ReadonlySet<string>;
  config: { version: number; values: ConfigValues };
  playlist: Playlist;
  /** The running version. */
  program: string;
  trial: { readonly jobId: string; readonly version: string } | undefined;
  job: FinishedJob | undefined;
  items: Map<number, ItemState>;
}

export interface Journal {
  /** Reads the state; waits for pending appends. */
  load(): Promise<JournalState>;
  /** Resolves once the record is durable (fsync). Appends keep their order. */
  append(record: JournalRecord): Promise<void>;
}

/** State of a new cabinet. */
export function emptyJournalState(): JournalState {
  return {
    bootNo: 0,
    memory: { lastSeq: 0, journal: [] },
    reboots: new Set(),
    config: { version: 0, values: {} },
    playlist: { version: 0, items: [] },
    program: FACTORY_VERSION,
    trial: undefined,
    job: undefined,
    items: new Map(),
  };
}

/** Applies one record to the state. */
export function applyRecord(state: JournalState, record: JournalRecord): void {
  if (record.t === "boot") state.bootNo = record.bootNo;
  else if (record.t === "config") state.config = record;
  else if (record.t === "playlist") state.playlist = record.playlist;
  else if (record.t === "trial") state.trial = record;
  else if (record.t === "job") {
    state.trial = undefined;
    state.job = record.job;
    state.program = record.program ?? state.program;
  } else if (record.t === "item") state.items.set(record.no, record.item);
  else {
    state.memory = remember(state.memory, record.entry);
    if (record.isReboot) state.reboots = new Set([...state.reboots, record.entry.cmdId]);
  }
}

/** Skips a line torn by a power loss: its append never resolved, so nothing relied on it. */
function readRecord(line: string): JournalRecord | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function recordsOf(state: JournalState): JournalRecord[] {
  return [
    { t: "boot", bootNo: state.bootNo },
    { t: "config", ...state.config },
    { t: "playlist", playlist: state.playlist },
    ...(state.job ? [{ t: "job", job: state.job, program: state.program } as const] : []),
    ...(state.trial ? [{ t: "trial", ...state.trial } as const] : []),
    ...[...state.items].map(([no, item]) => ({ t: "item", no, item }) as const),
    ...state.memory.journal.map((entry) => {
      const isReboot = state.reboots.has(entry.cmdId);
      return { t: "command", entry, ...(isReboot && { isReboot }) } as const;
    }),
  ];
}

function toLines(records: readonly JournalRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

async function writeDurably(file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

const COMPACT_ABOVE_BYTES = 128 * 1024;

/** The journal of one cabinet in `folder`, as `{cabinetId}.journal`; only its owner can read it. */
export function fileJournal(folder: string, cabinetId: string): Journal {
  const file = path.join(folder, `${cabinetId}.journal`);
  let last: Promise<unknown> = Promise.resolve();
  // True after a torn line: the next append starts with a newline to not be swallowed by it.
  let isLineOpen = false;

  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = last.then(act);
    last = mine.catch(() => {});
    return mine;
  }

  async function read(): Promise<JournalState> {
    const state = emptyJournalState();
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    for (const line of text.split("\n")) {
      const record = line === "" ? undefined : readRecord(line);
      if (record) applyRecord(state, record);
    }
    isLineOpen = text !== "" && !text.endsWith("\n");
    if (text.length > COMPACT_ABOVE_BYTES) await compact(state);
    return state;
  }

  /** Rewrites the journal atomically: temporary file, fsync, rename. */
  async function compact(state: JournalState): Promise<void> {
    await writeDurably(await open(`${file}.new`, "w", 0o600), toLines(recordsOf(state)));
    await rename(`${file}.new`, file);
    await syncFolder();
    isLineOpen = false;
  }

  async function syncFolder(): Promise<void> {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  }

  async function write(record: JournalRecord): Promise<void> {
    const start = isLineOpen ? "\n" : "";
    isLineOpen = true;
    await writeDurably(await open(file, "a", 0o600), start + toLines([record]));
    isLineOpen = false;
    // The first record creates the file: fsync the folder so that its entry is durable too.
    if (record.t === "boot" && record.bootNo === 1) await syncFolder();
  }

  return {
    load: () =>
      inTurn(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return read();
      }),
    append: (record) => inTurn(() => write(record)),
  };
}
