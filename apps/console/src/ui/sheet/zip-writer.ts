// Streaming zip writer that keeps only compressed data in memory (APPNOTE 6.3, without extensions).

const encoder = new TextEncoder();

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crcOf(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}

/** Archive entry that grows as text is added. */
class ZipFile {
  readonly name: Uint8Array<ArrayBuffer>;
  crc = 0;
  size = 0;
  packedSize = 0;
  readonly packed: Uint8Array<ArrayBuffer>[] = [];
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #reading: Promise<void>;

  constructor(name: string) {
    this.name = encoder.encode(name);
    const packing = new CompressionStream("deflate-raw");
    this.#writer = packing.writable.getWriter();
    this.#reading = this.#read(packing.readable.getReader());
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<void> {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      this.packed.push(part.value);
      this.packedSize += part.value.byteLength;
    }
  }

  /** Awaits compression (backpressure), so that little uncompressed data is buffered. */
  async add(text: string): Promise<void> {
    const bytes = encoder.encode(text);
    this.crc = crcOf(bytes, this.crc);
    this.size += bytes.byteLength;
    await this.#writer.ready;
    await this.#writer.write(bytes);
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#reading;
  }
}

const DEFLATED = 8;
/** Version 2.0 is required for deflated entries. */
const VERSION = 20;
/** 1980-01-01: does not reveal when the file was made. */
const DATE = 0x21;

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];

/** Numbers of 2 or 4 bytes, little-endian. */
function fields(...numbers: [bytes: 2 | 4, value: number][]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of numbers) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

const factsOf = (file: ZipFile): [2 | 4, number][] => [
  [2, VERSION],
  [2, 0],
  [2, DEFLATED],
  [2, 0],
  [2, DATE],
  [4, file.crc],
  [4, file.packedSize],
  [4, file.size],
  [2, file.name.byteLength],
  [2, 0],
];

export class ZipWriter {
  readonly #files: ZipFile[] = [];

  /** Starts an entry, to which text is added incrementally. */
  open(name: string): { add: (text: string) => Promise<void> } {
    const file = new ZipFile(name);
    this.#files.push(file);
    return file;
  }

  async addText(name: string, text: string): Promise<void> {
    await this.open(name).add(text);
  }

  /** Completes the archive and returns it in pieces; nothing can be added afterwards. */
  async close(): Promise<Uint8Array<ArrayBuffer>[]> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const entries: Uint8Array<ArrayBuffer>[] = [];
    let at = 0;
    for (const file of this.#files) {
      await file.close();
      const header = fields([4, LOCAL], ...factsOf(file));
      entries.push(
        fields(
          [4, CENTRAL],
          [2, VERSION],
          ...factsOf(file),
          [2, 0],
          [2, 0],
          [2, 0],
          [4, 0],
          [4, at],
        ),
        file.name,
      );
      parts.push(header, file.name, ...file.packed);
      at += header.byteLength + file.name.byteLength + file.packedSize;
    }
    const size = entries.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const count = this.#files.length;
    const end = fields(
      [4, END],
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
      [4, size],
      [4, at],
      [2, 0],
    );
    return [...parts, ...entries, end];
  }
}
