// Uploaded files: kinds, size limits and recognition.

export const FILE_KINDS = ["IMAGE", "VIDEO", "FIRMWARE"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const MB = 1024 * 1024;

export interface FileKindRule {
  title: string;
  maxBytes: number;
  /** Value of the `accept` attribute of a file input. */
  accept: string;
  /** Accepted formats, in Chinese. */
  formats: string;
}

/**
 * Size limits: 5 MB for images (promise I2); decision 0013 says why films and firmware may be
 * larger.
 */
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

/** Largest size limit among these kinds, in bytes. */
export function maxBytesOf(kinds: readonly FileKind[]): number {
  return Math.max(...kinds.map((kind) => fileKindRules[kind].maxBytes));
}

/** `5 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MB) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / MB).toFixed(bytes % MB === 0 ? 0 : 1)} MB`;
}

/** Received file: stored, measured and hashed, but not yet linked to a record. */
export interface ReceivedFile {
  /** Key of the object in the storage. */
  key: string;
  kind: FileKind;
  mediaType: string;
  /** File name given by the sender, for display only; never part of a path. */
  name: string;
  sizeBytes: number;
  /** SHA-256 as hexadecimal digits. */
  sha256: string;
  width: number | null;
  height: number | null;
  durationMs: number | null;
}
