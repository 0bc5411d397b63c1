// Files that calls take: which kinds there are, how large each may be, how they are told apart.

export const FILE_KINDS = ["IMAGE", "VIDEO", "FIRMWARE"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const MB = 1024 * 1024;

export interface FileKindRule {
  title: string;
  maxBytes: number;
  /** What a browser's file chooser offers. */
  accept: string;
  /** In words. */
  formats: string;
}

/** Promise I2 keeps images at 5 MB; docs/decisions/0013 says why films and firmware may be larger. */
export const fileKindRules: Record<FileKind, FileKindRule> = {
  IMAGE: {
    title: "图片",
    maxBytes: 5 * MB,
    accept: ".jpg,.jpeg,.png,.webp",
    formats: "JPG、PNG 或 WebP",
  },
  VIDEO: { title: "视频", maxBytes: 50 * MB, accept: ".mp4", formats: "MP4（H.264 + AAC）" },
  FIRMWARE: { title: "固件", maxBytes: 64 * MB, accept: ".bin,.img,.zip,.swu", formats: "固件包" },
};

/** Largest file among these kinds. */
export function maxBytesOf(kinds: readonly FileKind[]): number {
  return Math.max(...kinds.map((kind) => fileKindRules[kind].maxBytes));
}

/** `5 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MB) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / MB).toFixed(bytes % MB === 0 ? 0 : 1)} MB`;
}

/** A file as it arrived: stored, measured and hashed, not yet anybody's. */
export interface ReceivedFile {
  /** Of the object in the storage. */
  key: string;
  kind: FileKind;
  mediaType: string;
  /** As the sender called it, for people to read; never part of a path. */
  name: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  width: number | null;
  height: number | null;
  durationMs: number | null;
}
