// Firmware and roll-outs of the demo: one finished, one stopped automatically, one running.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { stageSizes } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import { signFirmware } from "@cabinet/link";
import { insertFile, type NewFile, useFile } from "../../features/organization/file/index.ts";
import type { Database, Db } from "../../platform/db/db.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { insertStoredObject } from "../../platform/files/stored-object.sql.ts";
import type { PlacedStory } from "../orders/placed-story.ts";
import { insertRows, insertRowsReturningIds } from "../rows.sql.ts";
import { DAY, HOUR, MINUTE } from "./cabinet.ts";
import type { DemoMaker } from "./maker.ts";

const images = [
  {
    version: "1.4.2",
    minVersion: "0.0.0",
    notes: "修正：弱信号时心跳偶尔中断\n修正：断电后音量恢复为默认值",
    state: "RELEASED",
    daysAgo: 34,
  },
  {
    version: "1.5.0",
    minVersion: "1.4.0",
    notes: "新增：开门更快，平均缩短 0.4 秒\n新增：取件提示音可单独设置",
    state: "RELEASED",
    daysAgo: 3,
  },
  {
    version: "1.6.0-rc.1",
    minVersion: "1.5.0",
    notes: "试用：低温环境下的电池保护",
    state: "DRAFT",
    daysAgo: 1,
  },
] as const;

export type BuiltImage = (typeof images)[number] & { file: NewFile["file"] };

const IMAGE_BYTES = 384 * 1024;

/** Stores the images before the transaction that inserts their rows. */
export function buildImages(database: Database, files: FileStore): Promise<BuiltImage[]> {
  return Promise.all(
    images.map(async (image) => {
      const key = randomUUID();
      const bytes = Buffer.alloc(IMAGE_BYTES, `cabinet program ${image.version}\n`);
      await database.transaction("platform", (db) => insertStoredObject(db, key));
      const stored = await files.put(key, Readable.from([bytes]));
      const measures = { width: null, height: null, durationMs: null };
      const kind = { kind: "FIRMWARE", mediaType: "application/octet-stream" } as const;
      const name = `cabinet-${image.version}.bin`;
      return { ...image, file: { key, ...kind, name, ...measures, ...stored } };
    }),
  );
}

export interface RolloutContext {
  now: number;
  maker: DemoMaker;
  images: readonly BuiltImage[];
  modelIds: readonly number[];
  stories: readonly PlacedStory[];
  keeper: { operatorId: number; signature: string };
}

const time = (ms: number) => new Date(ms).toISOString();

/** Returns firmware ids by version. */
async function insertImages(db: Db, context: RolloutContext): Promise<Map<string, number>> {
  const { now, maker, keeper, modelIds } = context;
  const rows: object[] = [];
  for (const { file, version, minVersion, notes, state, daysAgo } of context.images) {
    const createdBy = keeper.operatorId;
    const fileId = await insertFile(db, { tenantId: 1, createdBy, purpose: "FIRMWARE", file });
    await useFile(db, 1, fileId, "FIRMWARE");
    const at = now - daysAgo * DAY;
    rows.push({
      version,
      min_version: minVersion,
      notes,
      file_id: fileId,
      file_name: file.name,
      size_bytes: file.sizeBytes,
      sha256: file.sha256,
      signature: signFirmware(file.sha256, maker.privateKey),
      state,
      created_by: keeper.signature,
      created_at: time(at),
      released_at: state === "RELEASED" ? time(at + 3 * HOUR) : null,
    });
  }
  const ids = await insertRowsReturningIds(db, "firmware", "version", rows);
  await insertRows(
    db,
    "firmware_model",
    context.images.flatMap(({ version }, nth) =>
      modelIds.map((modelId) => ({ firmware_id: ids[nth], model_id: modelId, version })),
    ),
  );
  return new Map(context.images.map(({ version }, nth) => [version, ids[nth] as number]));
}

const PERCENTS = [1, 10, 100];

interface Plan {
  name: string;
  story: readonly PlacedStory[];
  startedAt: number;
  row: object;
  /** State of the nth cabinet, and when it reached it. */
  target: (stage: number, nth: number) => object;
  events: readonly object[];
}

async function insertRollout(db: Db, plan: Plan): Promise<void> {
  const [first] = plan.story;
  if (!first) return;
  const { tenantId, actors } = first;
  const actor = actors[1];
  const startedAt = time(plan.startedAt);
  const [id] = await insertRowsReturningIds(db, "rollout", "name", [
    {
      tenant_id: tenantId,
      name: plan.name,
      selection: {},
      stage_percents: PERCENTS,
      advance_percent: 90,
      dwell_minutes: 30,
      stop_percent: 5,
      timeout_minutes: 30,
      starts_at: startedAt,
      started_at: startedAt,
      created_at: startedAt,
      actor_id: actor?.operatorId,
      actor_name: actor?.signature,
      ...plan.row,
    },
  ]);
  const sizes = stageSizes(plan.story.length, PERCENTS);
  const stageOf = sizes.flatMap((size, stage) => Array<number>(size).fill(stage));
  await insertRows(
    db,
    "rollout_target",
    plan.story.map(({ cabinetId }, nth) => ({
      tenant_id: tenantId,
      rollout_id: id,
      cabinet_id: cabinetId,
      stage: stageOf[nth] ?? 0,
      ...plan.target(stageOf[nth] ?? 0, nth),
    })),
  );
  await insertRows(
    db,
    "rollout_event",
    plan.events.map((event) => ({ tenant_id: tenantId, rollout_id: id, ...event })),
  );
}

const event = (at: number, kind: string, more: object = {}) => ({
  at: time(at),
  kind,
  stage: null,
  text: "",
  actor_name: null,
  ...more,
});

export async function insertRollouts(db: Db, context: RolloutContext): Promise<void> {
  const { now, stories } = context;
  const firmware = await insertImages(db, context);
  const of = (tenant: number) =>
    stories.filter(({ cabinet }) => cabinet.tenant === tenant && cabinet.isSimulated);
  const actorOf = (tenant: number) => of(tenant)[0]?.actors[1]?.signature ?? null;

  const begun = now - 30 * DAY;
  const stageAt = [begun, begun + 50 * MINUTE, begun + 2 * HOUR];
  await insertRollout(db, {
    name: "全部门店升级到 1.4.2",
    story: of(1),
    startedAt: begun,
    row: {
      kind: "FIRMWARE",
      firmware_id: firmware.get("1.4.2"),
      state: "FINISHED",
      stage: 2,
      ended_at: time(begun + 3 * HOUR),
    },
    target: (stage, nth) => {
      const sent = (stageAt[stage] ?? begun) + nth * 40_000;
      return {
        kind: "FIRMWARE",
        state: "SUCCEEDED",
        from_version: nth % 4 === 0 ? "1.3.8" : "1.4.1",
        attempts: nth % 7 === 3 ? 2 : 1,
        sent_at: time(sent),
        progressed_at: time(sent + 3 * MINUTE),
        settled_at: time(sent + 3 * MINUTE + nth * 1_000),
        detail: null,
      };
    },
    events: [
      event(begun - MINUTE, "CREATED", {
        text: `升级固件，共 ${of(1).length} 台设备`,
        actor_name: actorOf(1),
      }),
      event(begun, "STARTED", { stage: 1 }),
      event(stageAt[1] ?? begun, "ADVANCED", { stage: 2 }),
      event(stageAt[2] ?? begun, "ADVANCED", { stage: 3 }),
      event(begun + 3 * HOUR, "FINISHED"),
    ],
  });

  const stopped = now - 2 * DAY;
  const reason = "第 1 批：已执行 1 台，失败 1 台，超过停止阈值 5%";
  await insertRollout(db, {
    name: "试升级到 1.5.0",
    story: of(2),
    startedAt: stopped,
    row: {
      kind: "FIRMWARE",
      firmware_id: firmware.get("1.5.0"),
      state: "STOPPED",
      state_reason: reason,
      stage: 0,
    },
    target: (_, nth) => ({
      kind: "FIRMWARE",
      state: nth === 0 ? "FAILED" : "WAITING",
      from_version: "1.4.2",
      attempts: nth === 0 ? 1 : 0,
      sent_at: nth === 0 ? time(stopped + 2_000) : null,
      progressed_at: nth === 0 ? time(stopped + 4 * MINUTE) : null,
      settled_at: nth === 0 ? time(stopped + 4 * MINUTE) : null,
      detail: nth === 0 ? "新版本未能启动，设备已恢复原版本" : null,
    }),
    events: [
      event(stopped - MINUTE, "CREATED", {
        text: `升级固件，共 ${of(2).length} 台设备`,
        actor_name: actorOf(2),
      }),
      event(stopped, "STARTED", { stage: 1 }),
      event(stopped + 4 * MINUTE, "STOPPED", { stage: 1, text: reason }),
    ],
  });

  // Really running: simulated cabinets apply it as soon as they connect.
  await insertRollout(db, {
    name: "夜间音量调低",
    story: of(2),
    startedAt: now - 20 * MINUTE,
    row: {
      kind: "CONFIG",
      config: { volume: 40 },
      state: "RUNNING",
      stage: 0,
      dwell_minutes: 720,
    },
    target: () => ({ kind: "CONFIG", state: "WAITING" }),
    events: [
      event(now - 21 * MINUTE, "CREATED", {
        text: `下发参数，共 ${of(2).length} 台设备`,
        actor_name: actorOf(2),
      }),
      event(now - 20 * MINUTE, "STARTED", { stage: 1 }),
    ],
  });
}
