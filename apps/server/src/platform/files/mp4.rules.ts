// Streaming MP4 box reader: codecs, picture size and duration. Media data is skipped.

export interface Mp4Facts {
  width: number;
  height: number;
  durationMs: number;
}

export type Mp4Outcome = { ok: true; facts: Mp4Facts } | { ok: false; why: string };

/** The index of ten minutes of film is a fraction of this. */
const MAX_INDEX_BYTES = 4 * 1024 * 1024;
const MAX_SIDE = 4096;
const MAX_HOURS = 24;

interface Box {
  type: string;
  body: DataView;
}

export class Mp4Scanner {
  /** Bytes of a box header, or of the index, received so far. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #wanted = 8;
  #state: "HEADER" | "SKIP" | "INDEX" | "BROKEN" = "HEADER";
  #skip = 0;
  #isFirst = true;
  #hasMedia = false;
  #index: Uint8Array | undefined;

  push(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0 && this.#state !== "BROKEN") {
      if (this.#state === "SKIP") {
        const passed = Math.min(this.#skip, rest.length);
        this.#skip -= passed;
        rest = rest.subarray(passed);
        if (this.#skip === 0) this.#await("HEADER", 8);
        continue;
      }
      const taken = rest.subarray(0, this.#wanted - this.#heldBytes);
      this.#held.push(taken.slice());
      this.#heldBytes += taken.length;
      rest = rest.subarray(taken.length);
      if (this.#heldBytes === this.#wanted) this.#complete(joined(this.#held));
    }
  }

  /** Call after the last byte. */
  end(): Mp4Outcome {
    const isWhole = this.#state === "HEADER" && this.#heldBytes === 0;
    if (!isWhole || !this.#index || !this.#hasMedia) {
      return { ok: false, why: "视频不完整或已损坏，请重新导出为 MP4" };
    }
    try {
      return judge(this.#index);
    } catch {
      return { ok: false, why: "视频的索引已损坏，请重新导出为 MP4" };
    }
  }

  #await(state: "HEADER" | "INDEX", bytes: number): void {
    this.#state = state;
    this.#held = [];
    this.#heldBytes = 0;
    this.#wanted = bytes;
  }

  #complete(bytes: Uint8Array): void {
    if (this.#state === "INDEX") {
      this.#index = bytes;
      this.#await("HEADER", 8);
      return;
    }
    const view = viewOf(bytes);
    let size = view.getUint32(0);
    if (size === 1 && bytes.length === 8) {
      // A large box has its 64-bit size after its name.
      this.#wanted = 16;
      return;
    }
    if (size === 1) size = Number(view.getBigUint64(8));
    const type = typeAt(view, 4);
    const left = size - bytes.length;
    if (left < 0 || (this.#isFirst && type !== "ftyp")) {
      this.#state = "BROKEN";
      return;
    }
    this.#isFirst = false;
    this.#hasMedia ||= type === "mdat" && left > 0;
    if (type === "moov") {
      if (this.#index || left > MAX_INDEX_BYTES || left === 0) this.#state = "BROKEN";
      else this.#await("INDEX", left);
    } else if (left === 0) this.#await("HEADER", 8);
    else {
      this.#state = "SKIP";
      this.#skip = left;
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function typeAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}

/** Throws RangeError where a box claims more bytes than there are. */
function boxesOf(view: DataView): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= view.byteLength; ) {
    const size = view.getUint32(at);
    if (size < 8) throw new RangeError("box too small");
    const body = new DataView(view.buffer, view.byteOffset + at + 8, size - 8);
    boxes.push({ type: typeAt(view, at + 4), body });
    at += size;
  }
  return boxes;
}

function boxAt(view: DataView, ...path: string[]): DataView | undefined {
  let here: DataView | undefined = view;
  for (const type of path) {
    here = here && boxesOf(here).find((box) => box.type === type)?.body;
  }
  return here;
}

function judge(index: Uint8Array): Mp4Outcome {
  const moov = viewOf(index);
  let picture: { width: number; height: number } | undefined;
  for (const { body } of boxesOf(moov).filter(({ type }) => type === "trak")) {
    const handler = boxAt(body, "mdia", "hdlr");
    const entries = boxAt(body, "mdia", "minf", "stbl", "stsd");
    if (!handler || !entries) throw new RangeError("no track");
    const track = typeAt(handler, 8);
    const codec = typeAt(entries, 12);
    if (track === "vide") {
      if (codec !== "avc1" && codec !== "avc3") {
        return { ok: false, why: `视频编码是 ${wordOf(codec)}，柜机只能播放 H.264` };
      }
      // Within the sample entry, after its size, name and fixed head.
      picture = { width: entries.getUint16(40), height: entries.getUint16(42) };
    } else if (track === "soun" && codec !== "mp4a") {
      return { ok: false, why: `音频编码是 ${wordOf(codec)}，柜机只能播放 AAC` };
    }
  }
  const durationMs = durationOf(moov);
  if (!picture || picture.width === 0 || picture.height === 0) {
    return { ok: false, why: "文件里没有视频画面" };
  }
  if (Math.max(picture.width, picture.height) > MAX_SIDE) {
    return {
      ok: false,
      why: `画面 ${picture.width}×${picture.height} 过大，边长不能超过 ${MAX_SIDE}`,
    };
  }
  if (durationMs <= 0) return { ok: false, why: "视频没有时长，请重新导出为 MP4" };
  if (durationMs > MAX_HOURS * 3_600_000) {
    return { ok: false, why: `视频的时长不能超过 ${MAX_HOURS} 小时，请剪短或重新导出为 MP4` };
  }
  return { ok: true, facts: { ...picture, durationMs } };
}

const wordOf = (codec: string) => (/^[\w ]{4}$/.test(codec) ? codec.trim() : "未知格式");

function durationOf(moov: DataView): number {
  const header = boxAt(moov, "mvhd");
  if (!header) throw new RangeError("no mvhd");
  const isLong = header.getUint8(0) === 1;
  const scale = header.getUint32(isLong ? 20 : 12);
  const length = isLong ? Number(header.getBigUint64(24)) : header.getUint32(16);
  return scale === 0 ? 0 : Math.round((length * 1000) / scale);
}
