// Images are decoded in a process of their own: its end is nobody else's.
import { execFileSync } from "node:child_process";
import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { cleanImage } from "./image.ts";

const caller = { share: { load: "interactive", tenant: 1, account: 1, isBounded: true } } as const;
const helpers = () =>
  execFileSync("ps", ["-o", "pid=,ni=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("image.process.ts"))
    .map((line) => line.trim().split(/\s+/));

test("a decoder that dies refuses its image, and the next image gets another one", async () => {
  const background = { r: 40, g: 90, b: 160 };
  const large = await sharp({ create: { width: 5_000, height: 4_999, channels: 3, background } })
    .png()
    .toBuffer();
  const refused = cleanImage(large, caller);
  await vi.waitFor(() => expect(helpers()).toHaveLength(1), 5_000);
  const [[pid = ""] = []] = helpers();
  process.kill(Number(pid), "SIGKILL");
  expect(await refused).toBe("图片无法处理：请换一张，或另存后再上传");

  const small = await sharp(large).resize(64).png().toBuffer();
  expect(await cleanImage(small, caller)).toMatchObject({ mediaType: "image/png", width: 64 });
  const [[, niceness] = []] = helpers();
  expect(niceness).toBe("10");
});
