// Virus scan of uploads: what clamd finds, or cannot answer for, is refused and leaves nothing.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { firmwareContract } from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { uploadScans } from "../apps/server/src/platform/metrics.ts";
import { PIXEL_PNG } from "./support/adverts.ts";
import { Clamd, ClamdStandIn, EICAR, hasClamd } from "./support/clamd.ts";
import { lacks } from "./support/lacks.ts";
import { openTestServer, type Person, type TestServer, useOpened } from "./support/test-server.ts";

const lines: Record<string, unknown>[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => lines.push(JSON.parse(line)) });
let platform: Person;

beforeEach(() => {
  lines.length = 0;
});

/** Firmware is stored as it is; images are encoded anew. */
const uploadTo = (testServer: TestServer, content: string | Buffer) =>
  testServer.call(firmwareContract.upload, platform, {
    body: {},
    file: { name: "image.bin", bytes: Buffer.from(content) },
  });

/** Objects in the database, and files on the disk. */
async function countStored({ database, dataDir }: TestServer): Promise<[number, number]> {
  const { n } = await database.read("platform", (db) =>
    db.one<{ n: number }>(sql`select count(*)::int as n from stored_object`),
  );
  const entries = await readdir(path.join(dataDir, "files"), {
    recursive: true,
    withFileTypes: true,
  });
  return [n, entries.filter((entry) => entry.isFile()).length];
}

async function scansOf(outcome: string): Promise<number> {
  const { values } = await uploadScans.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}

describe("stand-in of clamd", () => {
  const clamd = new ClamdStandIn();
  const testServer = useOpened(async () =>
    openTestServer({ clamd: (await clamd.open()).address, log }),
  );
  afterAll(() => clamd.close());
  beforeAll(async () => {
    platform = (await testServer.makeTenant(1)).people[0];
  });
  beforeEach(() => {
    clamd.early = null;
    clamd.scanned.length = 0;
  });

  async function expectUnavailable(): Promise<void> {
    const before = [await countStored(testServer), await scansOf("UNAVAILABLE")] as const;
    const { status, errMsg } = await uploadTo(testServer, "program 7");
    expect([status, errMsg]).toEqual([503, expect.stringContaining("病毒扫描暂时不可用")]);
    expect(await countStored(testServer)).toEqual(before[0]);
    expect(await scansOf("UNAVAILABLE")).toBe(before[1] + 1);
    expect(lines).toContainEqual(expect.objectContaining({ outcome: "UNAVAILABLE" }));
  }

  it("clean: scanned in full, then stored", async () => {
    const content = Buffer.alloc(3_000_000, "program 7");
    const before = await scansOf("CLEAN");
    expect((await uploadTo(testServer, content)).errMsg).toBe("");
    expect(clamd.scanned).toHaveLength(1);
    expect(clamd.scanned[0]?.equals(content)).toBe(true);
    expect(await scansOf("CLEAN")).toBe(before + 1);
    const file = { name: "logo.png", bytes: PIXEL_PNG };
    const logo = await testServer.call(tenantSettingContract.uploadLogo, platform, {
      ...{ body: {}, file },
    });
    expect(logo.errMsg).toBe("");
    expect(clamd.scanned).toHaveLength(2);
  });

  it("infected: refused with its name, logged, counted, and not kept", async () => {
    const before = [await countStored(testServer), await scansOf("INFECTED")] as const;
    const { code, errMsg } = await uploadTo(testServer, `program ${EICAR}`);
    expect([code, errMsg]).toEqual([1, expect.stringContaining("没有通过病毒扫描（Eicar-Test）")]);
    expect(await countStored(testServer)).toEqual(before[0]);
    expect(await scansOf("INFECTED")).toBe(before[1] + 1);
    const said = "stream: Eicar-Test FOUND";
    expect(lines).toContainEqual(expect.objectContaining({ outcome: "INFECTED", said }));
  });

  it.each(["INSTREAM size limit exceeded. ERROR", "stream: OK, maybe", ""])(
    "answer %j: refused with 503, and not kept",
    async (early) => {
      clamd.early = early;
      await expectUnavailable();
    },
  );

  it("down: refused with 503 until it is back", async () => {
    const { port } = clamd.address;
    await clamd.close();
    await expectUnavailable();
    await clamd.open(port);
    expect((await uploadTo(testServer, "program 7")).errMsg).toBe("");
  });
});

describe.skipIf(lacks("病毒扫描", !hasClamd && "没有安装 clamd"))("Debian's clamd", () => {
  let clamd: Clamd;
  const testServer = useOpened(async () => {
    clamd = await Clamd.open();
    return openTestServer({ clamd: { path: clamd.path }, log });
  });
  afterAll(() => clamd.close());
  beforeAll(async () => {
    platform = (await testServer.makeTenant(1)).people[0];
  });

  it("clean and infected uploads are told apart, the largest included", async () => {
    const largest = Buffer.alloc(63 * 1024 * 1024, "program 7");
    expect((await uploadTo(testServer, largest)).errMsg).toBe("");
    const { errMsg } = await uploadTo(testServer, EICAR);
    expect(errMsg).toContain("没有通过病毒扫描（Eicar-Test");
  });
});
