// A cabinet's memory on disk: one line a fact, on the platter before anything follows from it.
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

/** Every cabinet leaves the factory with this program. */
const FACTORY_VERSION = "1.4.2";

/** How the last firmware job ended, for whoever asks again. */
export interface FinishedJob {
  readonly jobId: string;
  readonly status: "INSTALLED" | "FAILED";
  readonly reason?: string;
}

/** A fact worth surviving a loss of power. */
export type JournalRecord =
  | { readonly t: "boot"; readonly bootNo: number }
  | { readonly t: "command"; readonly entry: JournalEntry; readonly isReboot?: boolean }
  | { readonly t: "config"; readonly version: number; readonly values: ConfigValues }
  | { readonly t: "playlist"; readonly playlist: Playlist }
  /** The next start tries this version. */
  | { readonly t: "trial"; readonly jobId: string; readonly version: string }
  /** A firmware job is over; `program` is what runs from now on. */
  | { readonly t: "job"; readonly job: FinishedJob; readonly program?: string }
  | { readonly t: "item"; readonly no: number; readonly item: ItemState };

/** What all facts come to. */
export interface JournalState {
  bootNo: number;
  memory: CommandMemory;
  /** Unfinished restarts among the commands. */
  reboots: ReadonlySet<string>;
  config: { version: number; values: ConfigValues };
  playlist: Playlist;
  /** The version of the program that runs. */
  program: string;
  trial: { readonly jobId: string; readonly version: string } | undefined;
  job: FinishedJob | undefined;
  items: Map<number, ItemState>;
}

export interface Journal {
  /** What is remembered; waits for appends under way. */
  load(): Promise<JournalState>;
  /** Resolves when the fact cannot be lost any more. Appends keep their order. */
  append(record: JournalRecord): Promise<void>;
}

/** Nothing remembered yet. */
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

/** Adds one fact to the state. */
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

/** A line cut short by a loss of power was never relied upon: it is passed over. */
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
  // A line cut short must not swallow the next one.
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

  /** The new file takes the old one's name only when it is whole. */
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
    // The first record also makes the file, whose name must last too.
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
