// Seals stored secrets again with the current master key, in batches, while servers run.
import type pg from "pg";
import { totpSealedFor } from "../features/identity/second-factor/index.ts";
import { secretOwner } from "../features/link/device/index.ts";
import {
  miniProgramSealedFor,
  pushKeySealedFor,
  pushTokenSealedFor,
} from "../features/messaging/mini-program/index.ts";
import { CHANNEL_SECRET_OWNER, smsTextOwner } from "../features/messaging/sms/index.ts";
import { contentOwner } from "../features/messaging/template/index.ts";
import { webhookSealedFor } from "../features/messaging/webhook/index.ts";
import { paymentSealedFor } from "../features/money/payment/index.ts";
import { mapCodeSealedFor } from "../features/organization/tenant-setting/index.ts";
import { openKeyOwner } from "../features/partners/open-api/index.ts";
import type { Vault } from "../platform/secrets.ts";

/** Rows that one transaction locks. */
const BATCH = 200;
const SAMPLES = 3;

interface Row {
  tenantId: number;
  id: number;
  kid: string;
  sn: string;
  appId: number;
  endpointId: number;
  endUserId: number;
  operatorId: number;
  phone: string;
}

interface SealedColumn {
  table: string;
  column: string;
  /** Primary key. */
  key: string[];
  /** Further columns that `owner` reads. */
  reads?: string[];
  owner(row: Row): string;
}

const ofTenant = (
  table: string,
  column: string,
  owner: (tenantId: number) => string,
): SealedColumn => ({ table, column, key: ["tenant_id"], owner: (row) => owner(row.tenantId) });
const ofSms = (column: string): SealedColumn => ({
  ...{ table: "sms_message", column, key: ["tenant_id", "id"], reads: ["phone"] },
  owner: smsTextOwner,
});

/** Every sealed column; a test compares the list with the catalogue of the database. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    ...{ table: "cabinet_secret", column: "sealed_secret" },
    key: ["tenant_id", "cabinet_id", "kid"],
    reads: [
      `(select sn from cabinet where cabinet.tenant_id = cabinet_secret.tenant_id
        and cabinet.id = cabinet_secret.cabinet_id) as sn`,
    ],
    owner: ({ sn, kid }) => secretOwner(sn, kid),
  },
  {
    ...{ table: "callback_secret", column: "sealed", key: ["tenant_id", "id"] },
    reads: ["endpoint_id"],
    owner: ({ tenantId, endpointId }) => webhookSealedFor(tenantId, endpointId),
  },
  ofTenant("mini_program_setting", "sealed_secret", miniProgramSealedFor),
  ofTenant("mini_program_setting", "sealed_push_token", pushTokenSealedFor),
  ofTenant("mini_program_setting", "sealed_push_key", pushKeySealedFor),
  {
    ...{ table: "open_app_key", column: "sealed_secret", key: ["tenant_id", "app_id", "kid"] },
    owner: openKeyOwner,
  },
  ofTenant("payment_setting", "sealed_private_key", paymentSealedFor.privateKey),
  ofTenant("payment_setting", "sealed_api_v3_key", paymentSealedFor.apiV3Key),
  {
    ...{ table: "sms_channel", column: "sealed_secret", key: ["is_only"] },
    owner: () => CHANNEL_SECRET_OWNER,
  },
  ofSms("sealed_text"),
  ofSms("sealed_carrier"),
  {
    ...{ table: "subscribe_message", column: "sealed_content", key: ["tenant_id", "id"] },
    reads: ["end_user_id"],
    owner: ({ tenantId, endUserId }) => contentOwner(tenantId, endUserId),
  },
  ofTenant("tenant_setting", "sealed_map_code", mapCodeSealedFor),
  {
    ...{ table: "totp", column: "sealed_secret", key: ["tenant_id", "operator_id"] },
    owner: totpSealedFor,
  },
];

export interface ResealCount {
  /** `table.column` */
  column: string;
  resealed: number;
  /** Could not be opened by any key of the ring, and were left alone. */
  failed: number;
}

/** A repeated run continues where an interrupted one ended: values of the current key are skipped. */
export async function resealAll(client: pg.Client, vault: Vault): Promise<ResealCount[]> {
  const counts: ResealCount[] = [];
  for (const sealed of sealedColumns) counts.push(await resealColumn(client, vault, sealed));
  return counts;
}

/**
 * Columns with values that no key of the vault opens: some of the newest rows suffice to recognise another
 * installation's key. Texts of old messages are empty, and are not searched through.
 */
export async function findUnopenable(client: pg.Client, vault: Vault): Promise<string[]> {
  const columns: string[] = [];
  for (const { table, column, key, reads = [], owner } of sealedColumns) {
    const newestFirst = key.map((name) => `${name} desc`).join(", ");
    const { rows } = await inPlatformRole(client, () =>
      client.query<Row & { sealedValue: Buffer }>(
        `select ${[...key, ...reads].join(", ")}, ${column} as sealed_value
        from (select * from ${table} order by ${newestFirst} limit ${BATCH}) as ${table}
        where ${column} <> '' limit ${SAMPLES}`,
      ),
    );
    const isOpened = ({ sealedValue, ...row }: Row & { sealedValue: Buffer }) =>
      sealAgain(vault, sealedValue, owner(row)) !== null;
    if (!rows.every(isOpened)) columns.push(`${table}.${column}`);
  }
  return columns;
}

async function resealColumn(
  client: pg.Client,
  vault: Vault,
  sealed: SealedColumn,
): Promise<ResealCount> {
  const count = { column: `${sealed.table}.${sealed.column}`, resealed: 0, failed: 0 };
  let last: unknown[] | null = null;
  do {
    last = await inPlatformRole(client, () => resealBatch(client, vault, sealed, last, count));
  } while (last);
  return count;
}

/** Returns the key of the last row, null when none is left after `after`. */
async function resealBatch(
  client: pg.Client,
  vault: Vault,
  { table, column, key, reads = [], owner }: SealedColumn,
  after: unknown[] | null,
  count: ResealCount,
): Promise<unknown[] | null> {
  const keys = key.join(", ");
  const places = key.map((_, at) => `$${at + 2}`).join(", ");
  const { rows } = await client.query<Row & { sealedValue: Buffer; rowKey: unknown[] }>({
    text: `
      select ${[keys, ...reads].join(", ")}, ${column} as sealed_value
      from ${table}
      where ${column} <> '' and substring(${column} for 4) <> $1
        ${after ? `and (${keys}) > (${places})` : ""}
      order by ${keys} limit ${BATCH}`,
    values: [vault.currentKeyId, ...(after ?? [])],
  });
  const keyOf = (row: object) => key.map((name) => Reflect.get(row, camelCase(name)));
  const equal = key.map((name, at) => `${name} = $${at + 3}`).join(" and ");
  for (const { sealedValue, ...row } of rows) {
    const again = sealAgain(vault, sealedValue, owner(row));
    if (!again) {
      count.failed++;
      continue;
    }
    // Unless somebody entered or erased the value meanwhile.
    const { rowCount } = await client.query(
      `update ${table} set ${column} = $1 where ${column} = $2 and ${equal}`,
      [again, sealedValue, ...keyOf(row)],
    );
    count.resealed += rowCount ?? 0;
  }
  const lastRow = rows.at(-1);
  return lastRow ? keyOf(lastRow) : null;
}

function sealAgain(vault: Vault, sealed: Buffer, owner: string): Buffer | null {
  try {
    return vault.seal(vault.open(sealed, owner), owner);
  } catch {
    return null;
  }
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** The owner of the tables has no rows of tenants: row-level security is forced on it, too. */
async function inPlatformRole<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query("begin");
  try {
    await client.query("set local role cabinet_platform");
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
