// Playlist of a cabinet's screen, and the download state of each file.
import { type Static, Type } from "typebox";
import { CommandId, Count, ReasonField, ReportedVersion, UnixMs } from "./fields.ts";

/** Unique id of a file's content; other content has another id. */
const FileId = CommandId;
const MinuteOfDay = Type.Integer({ minimum: 0, maximum: 1439 });

export const PlaylistItem = Type.Object({
  file: FileId,
  type: Type.Enum(["IMAGE", "VIDEO"]),
  /** STANDBY, HOME, PICKUP; a cabinet ignores positions it does not know. */
  position: Type.String({ pattern: "^[A-Z][A-Z0-9_]{1,19}$" }),
  /** Seconds on screen. */
  seconds: Type.Integer({ minimum: 1, maximum: 3600 }),
  /** Bytes. */
  size: Count,
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  /** Shown from `from` (inclusive) until `until` (exclusive); an absent bound is open. */
  from: Type.Optional(UnixMs),
  until: Type.Optional(UnixMs),
  /**
   * Daily window in minutes of the day (UTC+8), end exclusive; spans midnight if the end is lower.
   */
  hours: Type.Optional(Type.Tuple([MinuteOfDay, MinuteOfDay])),
});
export type PlaylistItem = Static<typeof PlaylistItem>;

/** Complete playlist in display order; the cabinet deletes files that are not in it. */
export const Playlist = Type.Object({
  version: Count,
  items: Type.Array(PlaylistItem, { maxItems: 64 }),
});
export type Playlist = Static<typeof Playlist>;

export const DOWNLOAD_STATES = ["WAITING", "DOWNLOADING", "READY", "FAILED"] as const;
export type DownloadState = (typeof DOWNLOAD_STATES)[number];

/** Reasons of `FAILED` downloads. */
export const DOWNLOAD_REASONS = [
  "NETWORK",
  "NOT_FOUND",
  "REFUSED",
  "BAD_SIZE",
  "BAD_CHECKSUM",
  "STORAGE",
] as const;
export type DownloadReason = (typeof DOWNLOAD_REASONS)[number];

/** Playlist in force, with the state of every file. */
export const PlaylistReport = Type.Object({
  version: ReportedVersion,
  files: Type.Array(
    Type.Object({
      file: FileId,
      state: Type.Enum(DOWNLOAD_STATES),
      reason: Type.Optional(ReasonField),
    }),
    { maxItems: 64 },
  ),
});
export type PlaylistReport = Static<typeof PlaylistReport>;
