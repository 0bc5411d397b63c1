// Adverts of the demo: pictures drawn at install time; some running, some ended, some upcoming.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import sharp from "sharp";
import { refreshPlaylists } from "../../features/fleet/advert/index.ts";
import { insertFile, type NewFile, useFile } from "../../features/organization/file/index.ts";
import type { Database, Db } from "../../platform/db/db.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { insertStoredObject } from "../../platform/files/stored-object.sql.ts";
import { insertRows } from "../rows.sql.ts";
import { DAY } from "./cabinet.ts";

type Position = "STANDBY" | "HOME" | "PICKUP";

interface DemoAdvert {
  title: string;
  position: Position;
  /** The picture consists of two colours and a shape. */
  art: readonly [from: string, to: string, shape: keyof typeof shapes];
  seconds: number;
  state: "DRAFT" | "ON" | "OFF";
  /** Days relative to today, both included. */
  days?: readonly [from: number, until: number];
  minutes?: readonly [from: number, until: number];
  /** Index of its store; absent: every cabinet. */
  store?: number;
  side?: "SINGLE" | "DOUBLE";
}

const sizes: Record<Position, readonly [number, number]> = {
  STANDBY: [1080, 1920],
  HOME: [1080, 480],
  PICKUP: [1080, 320],
};

/** Drawn around the centre, in units of half the picture's shorter side. */
const shapes = {
  gift: `<rect x="-.5" y="-.2" width="1" height=".65" rx=".05"/><rect x="-.58" y="-.38" width="1.16" height=".22" rx=".05"/>
    <path d="M0-.38C-.2-.75-.55-.6-.3-.4ZM0-.38C.2-.75 .55-.6 .3-.4Z"/>`,
  umbrella: `<path d="M-.65 .05A.65 .65 0 0 1 .65 .05Q.45-.08 .22 .05Q0-.08-.22 .05Q-.45-.08-.65 .05Z"/>
    <path d="M.03 0V.5A.14 .14 0 0 1-.25 .5" fill="none" stroke="#fff" stroke-width=".07"/>`,
  parcel: `<path d="M0-.55 .6-.25V.4L0 .7-.6 .4V-.25Z"/><path d="M-.6-.25 0 .05 .6-.25M0 .05V.7" fill="none" stroke="#0003" stroke-width=".03"/>`,
  cup: `<path d="M-.4-.35H.4L.32 .55H-.32Z"/><rect x="-.46" y="-.47" width=".92" height=".14" rx=".04"/>`,
} as const;

/** Adverts of the platform and of the two companies, in display order. */
const adverts: readonly (readonly DemoAdvert[])[] = [
  [
    {
      title: "体验中心欢迎页",
      position: "STANDBY",
      art: ["#4457b5", "#8d9bf0", "parcel"],
      seconds: 12,
      state: "ON",
    },
  ],
  [
    {
      title: "双十二存取优惠",
      position: "STANDBY",
      art: ["#c9493f", "#f29a6b", "gift"],
      seconds: 15,
      state: "ON",
      days: [-6, 21],
    },
    {
      title: "雨天借伞提示",
      position: "HOME",
      art: ["#2d6f8f", "#7fc4d8", "umbrella"],
      seconds: 8,
      state: "ON",
    },
    {
      title: "夜间咖啡买一送一",
      position: "PICKUP",
      art: ["#5b3a29", "#c08a5a", "cup"],
      seconds: 6,
      state: "ON",
      minutes: [18 * 60, 2 * 60],
      store: 0,
    },
    {
      title: "元旦寄存礼包",
      position: "STANDBY",
      art: ["#8a2b5e", "#e07aa5", "gift"],
      seconds: 15,
      state: "ON",
      days: [25, 45],
    },
    {
      title: "双面柜使用说明",
      position: "HOME",
      art: ["#3d4a6b", "#8fa0c9", "parcel"],
      seconds: 10,
      state: "DRAFT",
      side: "DOUBLE",
    },
    {
      title: "开业首周活动",
      position: "STANDBY",
      art: ["#3f7a4c", "#a7d08c", "gift"],
      seconds: 10,
      state: "OFF",
      days: [-40, -33],
    },
  ],
  [
    {
      title: "夜市存包上新",
      position: "STANDBY",
      art: ["#b5552b", "#f0b44c", "parcel"],
      seconds: 12,
      state: "ON",
    },
    {
      title: "雨季借伞免押金",
      position: "PICKUP",
      art: ["#23657a", "#6fb7c2", "umbrella"],
      seconds: 8,
      state: "ON",
    },
  ],
];

function draw({ position, art: [from, to, shape] }: DemoAdvert): Promise<Buffer> {
  const [width, height] = sizes[position];
  const unit = Math.min(width, height) / 2;
  const circles = [0.95, 0.72].map(
    (radius) => `<circle r="${radius}" fill="#fff" fill-opacity=".12"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/>
    <g transform="translate(${width / 2} ${height / 2}) scale(${unit * 0.8})" fill="#fff" fill-opacity=".92">
      ${circles.join("")}${shapes[shape]}</g></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 84 }).toBuffer();
}

export interface DrawnAdvert extends DemoAdvert {
  file: NewFile["file"];
}

/** Draws and stores the pictures, before the transaction that inserts the adverts. */
export function drawAdverts(database: Database, files: FileStore): Promise<DrawnAdvert[][]> {
  return Promise.all(
    adverts.map((ofTenant) =>
      Promise.all(
        ofTenant.map(async (advert) => {
          const key = randomUUID();
          const bytes = await draw(advert);
          await database.transaction("platform", (db) => insertStoredObject(db, key));
          const stored = await files.put(key, Readable.from([bytes]));
          const [width, height] = sizes[advert.position];
          const kind = { kind: "IMAGE", mediaType: "image/jpeg", durationMs: null } as const;
          const name = `${advert.title}.jpg`;
          return { ...advert, file: { key, ...kind, name, width, height, ...stored } };
        }),
      ),
    ),
  );
}

export interface AdvertPlace {
  tenantId: number;
  storeIds: readonly number[];
  operatorId: number;
}

export async function insertAdverts(
  db: Db,
  drawn: DrawnAdvert[],
  { tenantId, storeIds, operatorId }: AdvertPlace,
  today: number,
): Promise<void> {
  const dayOf = (days: number) => shanghaiDay(today + days * DAY);
  const rows: object[] = [];
  for (const [index, advert] of drawn.entries()) {
    const { file, days, minutes, store, side } = advert;
    const made = { tenantId, createdBy: operatorId, purpose: "ADVERT", file } as const;
    const fileId = await insertFile(db, made);
    await useFile(db, tenantId, fileId, "ADVERT");
    const targetKind = store !== undefined ? "STORE" : side ? "SIDE" : "ALL";
    rows.push({
      tenant_id: tenantId,
      title: advert.title,
      file_id: fileId,
      position: advert.position,
      duration_seconds: advert.seconds,
      sort: index + 1,
      from_date: days ? dayOf(days[0]) : null,
      until_date: days ? dayOf(days[1]) : null,
      from_minute: minutes?.[0] ?? null,
      until_minute: minutes?.[1] ?? null,
      target_kind: targetKind,
      target_ids: store === undefined ? [] : [storeIds[store]],
      target_side: side ?? null,
      state: advert.state,
      created_by: operatorId,
    });
  }
  await insertRows(db, "advert", rows);
  await refreshPlaylists(db, tenantId);
}
