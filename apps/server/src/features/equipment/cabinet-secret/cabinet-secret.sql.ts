// SQL for the list and use of cabinet secrets; never returns the secrets themselves.

import type {
  cabinetSecretContract,
  KeyedCabinet,
} from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { todaySql } from "../../../platform/db/shanghai.sql.ts";
import { and, type Sql, sql } from "../../../platform/db/sql.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { connectivitySql } from "../../link/device/index.ts";

export type SecretQuery = Input<typeof cabinetSecretContract.list>["query"];

const cabinet = sql`cabinet`;

/** Active secrets, for `cabinet_secret secret`. */
const isInForce = sql`(secret.expires_at is null or secret.expires_at > now())`;

const secretState = sql`(case when secret.revoked_at is not null then 'REVOKED'
  when secret.expires_at is null then 'ACTIVE' when secret.expires_at > now() then 'ENDING'
  else 'EXPIRED' end)`;

/** The last use: by the current connection, or at the last sign-in. */
const lastUsed = sql`(case when cabinet.connection_kid = secret.kid
  then greatest(secret.last_used_at, cabinet.last_seen_at) else secret.last_used_at end)`;

/** For the row `cabinet`: how many secrets are active, and how many of these have an end. */
const keyFacts = sql`
  cross join lateral (
    select count(*) filter (where ${isInForce}) as active,
      count(*) filter (where ${isInForce} and secret.expires_at is not null) as ending,
      max(${lastUsed}) as last_used_at
    from cabinet_secret secret where secret.tenant_id = cabinet.tenant_id
      and secret.cabinet_id = cabinet.id) key_facts`;

const keyState = sql`(case when key_facts.active = 0 then 'NONE'
  when key_facts.active = key_facts.ending then 'ENDING'
  when key_facts.active > 1 then 'OVERLAP' else 'ACTIVE' end)`;

function matching(session: Session, query: SecretQuery): Sql {
  const keyword = query.keyword?.trim();
  const kid = query.kid?.trim();
  const hasNetworks = sql`exists (select from cabinet_network network
    where network.tenant_id = cabinet.tenant_id and network.cabinet_id = cabinet.id)`;
  const conditions = and(
    cabinetPredicate(session, cabinet, query.tenantId),
    keyword && cabinetKeywordSql(cabinet, keyword),
    query.state && sql`${keyState} = ${query.state}`,
    kid &&
      sql`exists (select from cabinet_secret secret
        where secret.tenant_id = cabinet.tenant_id and secret.cabinet_id = cabinet.id
          and strpos(secret.kid, ${kid}) > 0)`,
    query.hasNetworks !== undefined && (query.hasNetworks ? hasNetworks : sql`not ${hasNetworks}`),
  );
  return sql`from cabinet ${keyFacts} where ${conditions}`;
}

/** Times inside JSON bypass the driver's formatting, so they are formatted here as ISO 8601. */
function iso(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The number of ended secrets shown per cabinet, beside the active ones. */
const ENDED_SHOWN = 10;

export function findKeyedCabinets(
  db: Db,
  session: Session,
  query: SecretQuery,
): Promise<Page<KeyedCabinet>> {
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select cabinet.id as cabinet_id, cabinet.tenant_id, tenant.name as tenant_name, cabinet.sn,
        cabinet.name, store.name as store_name, ${connectivitySql(cabinet)} as connectivity,
        cabinet.lifecycle = 'RETIRED' as is_retired, cabinet.key_state as state,
        cabinet.key_used_at as last_used_at,
        array(select case when masklen(network.network) = case family(network.network)
          when 4 then 32 else 128 end
            then host(network.network) else network.network::text end
          from cabinet_network network
          where network.tenant_id = cabinet.tenant_id and network.cabinet_id = cabinet.id
          order by network.network) as networks,
        coalesce((
          select json_agg(secret order by secret.ended, secret."createdAt" desc, secret.kid) from (
            select secret.kid, ${secretState} as state,
              coalesce(cabinet.connection_kid = secret.kid, false) as "isConnected",
              ${iso(sql`secret.created_at`)} as "createdAt", secret.issued_by as "issuedBy",
              ${iso(lastUsed)} as "lastUsedAt", ${iso(sql`secret.expires_at`)} as "expiresAt",
              ${iso(sql`secret.revoked_at`)} as "revokedAt", secret.revoked_by as "revokedBy",
              not ${isInForce} as ended
            from cabinet_secret secret where secret.tenant_id = cabinet.tenant_id
              and secret.cabinet_id = cabinet.id
            order by ended, secret.created_at desc, secret.kid
            limit ${ENDED_SHOWN}) secret), '[]') as secrets
      from (select cabinet.*, ${keyState} as key_state, key_facts.last_used_at as key_used_at
        ${matched} order by cabinet.tenant_id, cabinet.sn ${pageLimits(query)}) cabinet
      join tenant on tenant.id = cabinet.tenant_id
      left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
      order by cabinet.tenant_id, cabinet.sn`,
  });
}

export interface LockedCabinet {
  tenantId: number;
  cabinetId: number;
  sn: string;
  name: string;
  isRetired: boolean;
  side: Side;
  /** The current date in Shanghai. */
  today: string;
}

/** Locks the cabinet until the transaction ends; null when this account may not see it. */
export function lockCabinet(db: Db, session: Session, id: number): Promise<LockedCabinet | null> {
  return db.maybe(sql`
    select cabinet.tenant_id, cabinet.id as cabinet_id, cabinet.sn, cabinet.name,
      cabinet.lifecycle = 'RETIRED' as is_retired, model.side, ${todaySql}::text as today
    from cabinet join cabinet_model model on model.id = cabinet.model_id
    where cabinet.id = ${id} and ${cabinetPredicate(session, cabinet)}
    for no key update of cabinet`);
}

type Key = Pick<LockedCabinet, "tenantId" | "cabinetId">;

export interface SecretRow {
  kid: string;
  isInForce: boolean;
  expiresAt: string | null;
}

/** Newest first. */
export function findSecretsOf(db: Db, { tenantId, cabinetId }: Key): Promise<SecretRow[]> {
  return db.many(sql`
    select secret.kid, ${isInForce} as is_in_force, secret.expires_at
    from cabinet_secret secret
    where secret.tenant_id = ${tenantId} and secret.cabinet_id = ${cabinetId}
    order by secret.created_at desc, secret.kid`);
}

export function findDoors(db: Db, { tenantId, cabinetId }: Key): Promise<{ no: number }[]> {
  return db.many(sql`
    select no from compartment where tenant_id = ${tenantId} and cabinet_id = ${cabinetId}
    order by no`);
}

/**
 * The first entry that is not a valid CIDR network or address; bits behind the prefix are invalid
 * too.
 */
export async function findInvalidNetwork(db: Db, networks: string[]): Promise<string | null> {
  const found = await db.maybe<{ network: string }>(sql`
    select network from unnest(${networks}::text[]) as network
    where not pg_input_is_valid(network, 'cidr') limit 1`);
  return found?.network ?? null;
}

/** Returns the previous networks. */
export async function replaceNetworks(
  db: Db,
  { tenantId, cabinetId }: Key,
  networks: string[],
): Promise<string[]> {
  const before = await db.many<{ network: string }>(sql`
    delete from cabinet_network where tenant_id = ${tenantId} and cabinet_id = ${cabinetId}
    returning network::text`);
  await db.run(sql`
    insert into cabinet_network (tenant_id, cabinet_id, network)
    select distinct ${tenantId}::int, ${cabinetId}::bigint, network
    from unnest(${networks}::cidr[]) as network`);
  return before.map(({ network }) => network).sort();
}
