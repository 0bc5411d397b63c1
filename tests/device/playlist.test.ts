// Adverts from the operator to the screen: published, downloaded, verified, reported; and which
// cabinets get a file.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { cabinetSecretContract } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import {
  type AdvertDraft,
  advertContract,
} from "@cabinet/contract/fleet/advert/advert.contract.ts";
import { deriveKeys, makeFileAuthorization } from "@cabinet/link";
import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { advertJobs } from "../../apps/server/src/features/fleet/advert/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { NO_FAULTS } from "../../apps/simulator/src/faults.ts";
import { advertDraft, PIXEL_PNG } from "../support/adverts.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let person: Person;

beforeAll(async () => {
  await fleet.startGateway();
});
beforeEach(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
});

const addCabinet = () => fleet.addCabinet({ tenantId: person.tenantId });

/** A PNG of noise: it compresses badly, so that its download takes several chunks. */
async function makePicture(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const create = { width: 600, height: 600, channels: 3, background: "#fff", noise } as const;
  return sharp({ create }).png().toBuffer();
}

async function upload(bytes: Uint8Array): Promise<string> {
  const { data, errMsg } = await fleet.testServer.call(advertContract.upload, person, {
    body: {},
    file: { name: "a.png", bytes },
  });
  expect(errMsg).toBe("");
  return data.id;
}

async function makeAdvert(more: Partial<AdvertDraft> = {}, bytes: Uint8Array = PIXEL_PNG) {
  const fileId = more.fileId ?? (await upload(bytes));
  const draft: AdvertDraft = { ...advertDraft, ...more, fileId };
  const { data, errMsg } = await fleet.testServer.call(advertContract.create, person, {
    body: draft,
  });
  expect(errMsg).toBe("");
  return { id: data.id, draft };
}

async function act(action: "putOn" | "takeOff" | "delete" | "retry", id: number) {
  const reply = await fleet.testServer.call(advertContract[action], person, { params: { id } });
  expect(reply.errMsg).toBe("");
  return reply.data;
}

async function counts(id: number) {
  const { data } = await fleet.testServer.call(advertContract.get, person, { params: { id } });
  return data.downloads;
}

const isReady = (id: number, total = 1) =>
  until(
    "the download",
    async () => {
      const found = await counts(id);
      return found.ready === total && found.total === total;
    },
    20_000,
  );

const folderOf = (cabinet: FleetCabinet) => path.join(fleet.dataDir, "cabinet-files", cabinet.sn);

const filesOf = (cabinet: FleetCabinet) => readdir(folderOf(cabinet)).catch(() => []);

describe("playlist", () => {
  it("online cabinet: downloads the exact bytes, reports them, and deletes them when taken off", async () => {
    const cabinet = await addCabinet();
    await fleet.switchOn(cabinet);
    const { id, draft } = await makeAdvert({}, await makePicture());
    expect(await counts(id)).toEqual({ total: 0, ready: 0, failed: 0, unreached: 0 });
    await act("putOn", id);
    await isReady(id);
    const bytes = await readFile(path.join(folderOf(cabinet), draft.fileId));
    const { sha256 } = await fleet.testServer.database.read("platform", (db) =>
      db.one<{ sha256: string }>(sql`select sha256 from file where id = ${draft.fileId}`),
    );
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
    await act("takeOff", id);
    await until("the file to go", async () => (await filesOf(cabinet)).length === 0);
    expect(await counts(id)).toMatchObject({ total: 0 });
  });

  it("offline cabinet: gets it at the next hello; files survive a power loss", async () => {
    const cabinet = await addCabinet();
    const { id } = await makeAdvert();
    await act("putOn", id);
    expect(await counts(id)).toEqual({ total: 1, ready: 0, failed: 0, unreached: 1 });
    const machine = await fleet.switchOn(cabinet);
    await isReady(id);
    machine.losePower();
    await until("the power cut", () => !machine.hasSession());
    await until("the next session", () => machine.hasSession());
    expect(await filesOf(cabinet)).toHaveLength(1);
    expect(await counts(id)).toMatchObject({ ready: 1 });
  });

  // Does not wait for the hello: an advert put on during the handshake is part of it or follows it.
  it("advert with a new picture: replaced within one version", async () => {
    const cabinet = await addCabinet();
    await fleet.switchOn(cabinet);
    const { id, draft } = await makeAdvert();
    await act("putOn", id);
    await isReady(id);
    const fileId = await upload(await makePicture());
    const reply = await fleet.testServer.call(advertContract.update, person, {
      params: { id },
      body: { ...draft, fileId },
    });
    expect(reply.errMsg).toBe("");
    await until(
      "the new file alone",
      async () => String(await filesOf(cabinet)) === fileId,
      20_000,
    );
    await isReady(id);
  });

  it("unchanged: not sent again", async () => {
    const cabinet = await addCabinet();
    await fleet.switchOn(cabinet);
    const { id } = await makeAdvert();
    await act("putOn", id);
    await isReady(id);
    const version = async () =>
      (
        await fleet.testServer.database.read("platform", (db) =>
          db.one<{ version: number }>(sql`
            select version from cabinet_playlist where cabinet_id = ${cabinet.id}`),
        )
      ).version;
    const before = await version();
    const { database } = fleet.testServer;
    const run = advertJobs.tasks["advert.refreshPlaylists"];
    await run?.({}, { database, log: fleet.testServer.app.log as never });
    expect(await version()).toBe(before);
  });

  it("failed download: shown with its reason, and repeated on retry", async () => {
    const cabinet = await addCabinet();
    const faults = { ...NO_FAULTS, badFile: 1 };
    const mutable: { badFile: number } = faults;
    await fleet.switchOn(cabinet, { faults });
    const { id } = await makeAdvert();
    await act("putOn", id);
    await until("the failure", async () => (await counts(id)).failed === 1);
    const { data } = await fleet.testServer.call(advertContract.downloads, person, {
      params: { id },
      query: { state: "FAILED" },
    });
    expect(data.list[0]).toMatchObject({ cabinetSn: cabinet.sn, reason: "BAD_CHECKSUM" });
    mutable.badFile = 0;
    expect(await act("retry", id)).toEqual({ cabinets: 1 });
    await isReady(id);
  });

  it("advert for one cabinet: sent to that one only", async () => {
    const [aimed, other] = [await addCabinet(), await addCabinet()];
    const { id } = await makeAdvert({ targetKind: "CABINET", targetIds: [aimed.id] });
    await act("putOn", id);
    const { data } = await fleet.testServer.call(advertContract.downloads, person, {
      params: { id },
    });
    expect(data.list.map(({ cabinetSn }) => cabinetSn)).toEqual([aimed.sn]);
    const listed = async (cabinetId: number) =>
      (await fleet.testServer.call(advertContract.list, person, { query: { cabinetId } })).data
        .total;
    expect(await listed(aimed.id)).toBe(1);
    expect(await listed(other.id)).toBe(0);
  });

  it("twenty adverts: fit into one frame with the config; a twenty-first is refused", async () => {
    const cabinet = await addCabinet();
    const full = {
      fromDate: "2026-01-01",
      untilDate: "2099-12-31",
      fromTime: "22:00",
      untilTime: "06:30",
    };
    for (let each = 0; each < 20; each++) {
      const { id } = await makeAdvert({ ...full, position: "STANDBY" });
      await act("putOn", id);
    }
    await fleet.testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update cabinet set desired_config = jsonb_build_object('volume', 100, 'lightOnAt', '18:00',
          'lightOffAt', '06:00', 'doorOpenAlarmSeconds', 3600, 'heartbeatSeconds', 60)
        where id = ${cabinet.id}`),
    );
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet({ playlistVersion: 0 });
    const config = await until("the config", () => raw.heard("cfg")[0]?.message);
    expect(config.playlist?.items).toHaveLength(20);
    raw.cut();
    const { id } = await makeAdvert(full);
    const reply = await fleet.testServer.call(advertContract.putOn, person, { params: { id } });
    expect(reply.errMsg).toMatch(/将达到 21 个，最多 20 个/);
  });

  it("firmware without playlists: not sent, and the page shows it as unsupported", async () => {
    const cabinet = await addCabinet();
    const { id } = await makeAdvert();
    await act("putOn", id);
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet({});
    const found = await until("the note", async () => {
      const { data } = await fleet.testServer.call(advertContract.downloads, person, {
        params: { id },
      });
      return data.list[0]?.isSupported === false && data.list[0];
    });
    expect(found).toMatchObject({ state: "WAITING" });
    for (const { message } of raw.heard("cfg")) expect(message).not.toHaveProperty("playlist");
    raw.cut();
  });
});

describe("advert file", () => {
  async function ask(
    cabinet: FleetCabinet,
    fileId: string,
    more: { nonce?: string; range?: string; provenFor?: string } = {},
  ) {
    const { cabinetId, kid, secret } = cabinet.identity;
    const authorization = makeFileAuthorization({
      cabinetId,
      kid,
      nonce: more.nonce ?? (await fleet.nonce()),
      fileId: more.provenFor ?? fileId,
      keys: deriveKeys(secret),
    });
    const headers = { authorization, ...(more.range && { range: more.range }) };
    return fetch(new URL(`/device/v1/file/${fileId}`, fleet.origin), { headers });
  }

  it("cabinet with the advert: served whole or as a range", async () => {
    const cabinet = await addCabinet();
    const { id, draft } = await makeAdvert({}, await makePicture());
    expect((await ask(cabinet, draft.fileId)).status).toBe(404);
    await act("putOn", id);
    const whole = await ask(cabinet, draft.fileId);
    expect(whole.status).toBe(200);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.headers.get("content-type")).toBe("image/png");
    const rest = await ask(cabinet, draft.fileId, { range: "bytes=1000-" });
    expect(rest.status).toBe(206);
    expect(rest.headers.get("content-range")).toBe(
      `bytes 1000-${bytes.length - 1}/${bytes.length}`,
    );
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(1000))).toBe(true);
    const beyond = await ask(cabinet, draft.fileId, { range: `bytes=${bytes.length}-` });
    expect(beyond.status).toBe(416);
  });

  it("other cabinet, reused or foreign proof: refused", async () => {
    const [mine, other] = [await addCabinet(), await addCabinet()];
    const foreigner = await fleet.addCabinet();
    const { id, draft } = await makeAdvert({ targetKind: "CABINET", targetIds: [mine.id] });
    await act("putOn", id);
    expect((await ask(other, draft.fileId)).status).toBe(404);
    expect((await ask(foreigner, draft.fileId)).status).toBe(404);
    const nonce = await fleet.nonce();
    expect((await ask(mine, draft.fileId, { nonce })).status).toBe(200);
    expect((await ask(mine, draft.fileId, { nonce })).status).toBe(401);
    expect((await ask(mine, draft.fileId, { nonce: "A".repeat(22) })).status).toBe(401);
    const provenFor = "00000000-0000-4000-8000-000000000000";
    expect((await ask(mine, draft.fileId, { provenFor })).status).toBe(401);
    const stolen = { ...mine, identity: { ...mine.identity, secret: other.identity.secret } };
    expect((await ask(stolen, draft.fileId)).status).toBe(401);
    const bare = await fetch(new URL(`/device/v1/file/${draft.fileId}`, fleet.origin));
    expect(bare.status).toBe(401);
    expect((await ask(mine, "..%2f..%2fsecret.key")).status).toBe(401);
  });

  it("revoked secret: refused", async () => {
    const cabinet = await addCabinet();
    const { id, draft } = await makeAdvert();
    await act("putOn", id);
    expect((await ask(cabinet, draft.fileId)).status).toBe(200);
    const revoked = await fleet.testServer.call(cabinetSecretContract.revoke, person, {
      params: { id: cabinet.id },
      body: { kid: cabinet.identity.kid, reason: "密钥疑似泄露" },
    });
    expect(revoked.errMsg).toBe("");
    expect((await ask(cabinet, draft.fileId)).status).toBe(401);
  });
});
