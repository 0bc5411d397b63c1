// Uploaded images: decoded and re-encoded in a process of its own, one at a time.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Places, type PlaceUser } from "../db/places.ts";

const OWN_PATIENCE_MS = 600_000;
/** Beyond the process's own limit of 8 seconds it hangs. */
const HUNG_MS = 12_000;
const IDLE_MS = 60_000;

export interface CleanImage {
  bytes: Uint8Array;
  mediaType: string;
  width: number;
  height: number;
}

/** An upload waits for an image of somebody else that takes as long as any may: one account would refuse all others'. */
const CALL_PATIENCE_MS = 2 * HUNG_MS;
/** One image at a time, tenants in turn. */
const places = new Places(1, OWN_PATIENCE_MS, CALL_PATIENCE_MS);
let helper: ChildProcess | undefined;
let ending: NodeJS.Timeout | undefined;

/**
 * The image of a caller, whose turn it waits for like `Places.use`; a text says why there is none: it cannot be decoded
 * completely, or exceeds the limits.
 */
export function cleanImage(original: Buffer, caller: PlaceUser): Promise<CleanImage | string> {
  return places.use(caller, () => decodeAside(original));
}

/** An image that crashes or hangs the decoder ends that process alone. */
async function decodeAside(original: Buffer): Promise<CleanImage | string> {
  clearTimeout(ending);
  helper ??= startHelper();
  const used = helper;
  used.ref();
  used.channel?.ref();
  used.send(original);
  const stop = new AbortController();
  const { signal } = stop;
  const answer = await Promise.race([
    once(used, "message", { signal }).then(([result]) => result as CleanImage | string),
    once(used, "exit", { signal }).then(() => null),
    sleep(HUNG_MS, null, { signal }),
  ]).finally(() => stop.abort());
  used.unref();
  used.channel?.unref();
  if (answer === null) end();
  else ending = setTimeout(end, IDLE_MS).unref();
  return answer ?? "图片无法处理：请换一张，或另存后再上传";
}

function startHelper(): ChildProcess {
  const started = fork(new URL("image.process.ts", import.meta.url), { serialization: "advanced" });
  const forget = () => {
    if (helper === started) helper = undefined;
  };
  started.on("exit", forget).on("error", forget);
  return started;
}

function end(): void {
  helper?.kill("SIGKILL");
  helper = undefined;
}
