// SQL for the visibility of roll-outs, and shared conditions.
import { FAILED_STATES, IN_FLIGHT_STATES } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { join, type Sql, sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../cabinet/index.ts";

export interface RolloutKey {
  tenantId: number;
  id: number;
}

/** For `rollout` under this alias: maintenance staff see roll-outs that include cabinets of their stores. */
export function rolloutPredicate(session: Session, alias: Sql, requestedTenantId?: number): Sql {
  const isOfTenant = tenantPredicate(session, sql`${alias}.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and exists (
    select from rollout_target visible_target
    join cabinet visible_cabinet on visible_cabinet.tenant_id = visible_target.tenant_id
      and visible_cabinet.id = visible_target.cabinet_id
    where visible_target.tenant_id = ${alias}.tenant_id and visible_target.rollout_id = ${alias}.id
      and ${cabinetPredicate(session, sql`visible_cabinet`)})`;
}

const words = (states: readonly string[]) => sql`(${join(states.map((state) => sql`${state}`))})`;

/** For `rollout_target` under this alias. */
export function isInFlightSql(alias: Sql): Sql {
  return sql`${alias}.state in ${words(IN_FLIGHT_STATES)}`;
}

export function isFailedSql(alias: Sql): Sql {
  return sql`${alias}.state in ${words(FAILED_STATES)}`;
}
