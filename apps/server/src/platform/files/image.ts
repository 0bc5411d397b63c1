// Decodes and re-encodes images: the output contains only pixels, of a bounded size.
import sharp, { type Sharp } from "sharp";
import { Places, type PlaceUser } from "../db/places.ts";

/** A photograph of a good camera has 24 million; each costs the processor time, in a PNG of one colour for a few bytes. */
const MAX_PIXELS = 25_000_000;
/** Larger than any cabinet's screen. */
const MAX_SIDE = 3840;
const SECONDS = 8;
const OWN_PATIENCE_MS = 600_000;

// One image at a time on one core, tenants in turn, so that uploads do not starve other work.
const places = new Places(1, OWN_PATIENCE_MS);
sharp.concurrency(1);
sharp.cache(false);

const encoders: Record<string, (image: Sharp) => Sharp> = {
  jpeg: (image) => image.jpeg({ quality: 86 }),
  png: (image) => image.png({ compressionLevel: 9 }),
  webp: (image) => image.webp({ quality: 86 }),
};

const BROKEN = "图片已损坏或不完整";

export interface CleanImage {
  bytes: Buffer;
  mediaType: string;
  width: number;
  height: number;
}

/**
 * The image of a caller, whose turn it waits for like `Places.use`; a text says why there is none: it cannot be decoded
 * completely, or exceeds the limits.
 */
export function cleanImage(original: Buffer, caller: PlaceUser): Promise<CleanImage | string> {
  return places.use(caller, () => decode(original));
}

async function decode(original: Buffer): Promise<CleanImage | string> {
  const input = { limitInputPixels: MAX_PIXELS, failOn: "error", animated: false } as const;
  try {
    const head = sharp(original, { ...input, limitInputPixels: false });
    const { format, width: columns, height: rows } = await head.metadata();
    const encode = encoders[format];
    if (!encode) return BROKEN;
    if (columns * rows > MAX_PIXELS) {
      return `图片有 ${columns} × ${rows} 像素，最多 ${MAX_PIXELS / 10_000} 万像素：请缩小后再上传`;
    }
    const small = sharp(original, input)
      .rotate()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true })
      .timeout({ seconds: SECONDS });
    const { data, info } = await encode(small).toBuffer({ resolveWithObject: true });
    return {
      bytes: data,
      mediaType: `image/${info.format}`,
      width: info.width,
      height: info.height,
    };
  } catch {
    return BROKEN;
  }
}
