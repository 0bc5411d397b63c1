// What a cabinet's screen shows: the playlist it should have, and how far it got with each file.
import { type Static, Type } from "typebox";
import { CommandId, Count, ReasonField, UnixMs } from "./fields.ts";

/** A server sends no more: with a cabinet's config they must fit into one frame. */
export const MAX_PLAYLIST = 20;

/** Names a file for ever; other contents have another id. */
const FileId = CommandId;
const MinuteOfDay = Type.Integer({ minimum: 0, maximum: 1439 });

export const PlaylistItem = Type.Object({
  file: FileId,
  type: Type.Enum(["IMAGE", "VIDEO"]),
  /** STANDBY, HOME, PICKUP; a cabinet passes over positions it does not know. */
  position: Type.String({ pattern: "^[A-Z][A-Z0-9_]{1,19}$" }),
  /** How long it stays on screen. */
  seconds: Type.Integer({ minimum: 1, maximum: 3600 }),
  /** Bytes. */
  size: Count,
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  /** Shown from this instant on, until before that one; absent: open to that side. */
  from: Type.Optional(UnixMs),
  until: Type.Optional(UnixMs),
  /** Each day from one minute of the day (UTC+8) until before another, across midnight if it is lower. */
  hours: Type.Optional(Type.Tuple([MinuteOfDay, MinuteOfDay])),
});
export type PlaylistItem = Static<typeof PlaylistItem>;

/** In the order of showing; whole, so that what is not in it is deleted. */
export const Playlist = Type.Object({
  version: Count,
  items: Type.Array(PlaylistItem, { maxItems: 64 }),
});
export type Playlist = Static<typeof Playlist>;

export const DOWNLOAD_STATES = ["WAITING", "DOWNLOADING", "READY", "FAILED"] as const;
export type DownloadState = (typeof DOWNLOAD_STATES)[number];

/** Why a file was not got: reasons of `FAILED`. */
export const DOWNLOAD_REASONS = [
  "NETWORK",
  "NOT_FOUND",
  "REFUSED",
  "BAD_SIZE",
  "BAD_CHECKSUM",
  "STORAGE",
] as const;
export type DownloadReason = (typeof DOWNLOAD_REASONS)[number];

/** The playlist in force, and every file of it. */
export const PlaylistReport = Type.Object({
  version: Count,
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
