// Tiny MP4 files for tests: every box is there, without media data.

export function box(type: string, ...contents: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  const body = Buffer.concat(contents);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

interface Film {
  /** Sample entries; null: no such track. */
  video?: string | null;
  audio?: string | null;
  width?: number;
  height?: number;
  /** In milliseconds. */
  duration?: number;
  isIndexLast?: boolean;
  /** Uses the 64-bit version of the movie header. */
  isLong?: boolean;
}

export function makeMp4({
  video = "avc1",
  audio = "mp4a",
  width = 1080,
  height = 1920,
  duration = 15_000,
  isIndexLast = false,
  isLong = false,
}: Film): Buffer {
  const tracks = [
    ...(video ? [track("vide", pictureEntry(video, width, height))] : []),
    ...(audio ? [track("soun", box(audio, Buffer.alloc(28)))] : []),
  ];
  const index = box("moov", movieHeader(duration, isLong), ...tracks);
  const media = box("mdat", Buffer.alloc(64, 7));
  const type = box("ftyp", Buffer.from("isom\0\0\x02\0isomavc1", "latin1"));
  return Buffer.concat(isIndexLast ? [type, media, index] : [type, index, media]);
}

function movieHeader(duration: number, isLong: boolean): Buffer {
  const body = Buffer.alloc(isLong ? 112 : 100);
  if (isLong) {
    body[0] = 1;
    body.writeUInt32BE(1000, 20);
    body.writeBigUInt64BE(BigInt(duration), 24);
  } else {
    body.writeUInt32BE(1000, 12);
    body.writeUInt32BE(duration, 16);
  }
  return box("mvhd", body);
}

function pictureEntry(codec: string, width: number, height: number): Buffer {
  const body = Buffer.alloc(78);
  body.writeUInt16BE(width, 24);
  body.writeUInt16BE(height, 26);
  return box(codec, body);
}

function track(kind: "vide" | "soun", entry: Buffer): Buffer {
  const handler = Buffer.alloc(24);
  handler.write(kind, 8, "latin1");
  const count = Buffer.alloc(8);
  count.writeUInt32BE(1, 4);
  const table = box("stbl", box("stsd", count, entry));
  return box("trak", box("mdia", box("hdlr", handler), box("minf", table)));
}
