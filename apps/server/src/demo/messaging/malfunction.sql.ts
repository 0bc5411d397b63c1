// SQL for the lifecycle of the demo's malfunctions: assigned to a caretaker, processed, resolved with findings.
import {
  defaultSla,
  type MalfunctionKind,
  severityOfKind,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { type Db, sql } from "../../platform/db/db.ts";
import { faultReasons } from "../reasons.ts";

type Found = readonly [cause: string, measure: string];

const found: Readonly<Record<MalfunctionKind, readonly Found[]>> = {
  OFFLINE: [
    ["路由器断电", "恢复供电，设备已上线"],
    ["流量卡欠费停机", "已充值，更换为年付套餐"],
  ],
  OPEN_FAILED: [
    ["锁舌卡滞，弹簧老化", "更换电控锁，开门测试 3 次正常"],
    ["箱门变形顶住锁扣", "校正门板，补润滑，测试正常"],
  ],
  DOOR_LEFT_OPEN: [
    ["用户取件后未关门", "电话联系用户，现场关好箱门"],
    ["门内有异物挡住", "清理异物，关门后门磁正常"],
  ],
  OCCUPANCY_ABNORMAL: [
    ["用户遗留物品", "联系用户取回，格口已清空"],
    ["红外传感器积灰", "清洁传感器，读数正常"],
  ],
  VIBRATION: [["附近施工", "与物业确认，施工结束后恢复正常"]],
  TAMPER: [["有人用力拉拽箱门", "调取监控，柜体无损伤，已与物业沟通"]],
  POWER_LOW: [["电源适配器老化", "更换适配器，电压恢复 12.1 V"]],
  BOARD_FAULT: [["驱动板排线松动", "重新插紧排线，逐门测试正常"]],
  TEMPERATURE_HIGH: [["散热风扇停转", "更换风扇，温度已回落"]],
  TEMPERATURE_LOW: [["门缝密封条脱落", "更换密封条"]],
  NETWORK_POOR: [["天线松动", "紧固天线，信号恢复"]],
  OTHER: [
    ["门锁螺丝松动", "紧固螺丝，已启用格口"],
    ["格口内壁破损", "更换内胆，已启用格口"],
  ],
};

/** All tenants; deterministic per malfunction. */
export async function insertMalfunctionProgress(db: Db): Promise<void> {
  const marked = faultReasons.map(({ reason }) => reason);
  const given = JSON.stringify({ found, severityOfKind, defaultSla });
  await db.run(sql`
    with given as (select ${given}::jsonb as j), course as (
      select m.tenant_id, m.id, m.state, m.created_at, w.id as worker_id,
        w.display_name as worker, p.display_name as reporter,
        case when m.store_id is not null then 'SEVERE'
          else j -> 'severityOfKind' ->> m.kind end as severity,
        m.created_at + least(m.updated_at - m.created_at,
          make_interval(mins => 4 + (m.id * 37 % 50)::int)) as accepted,
        j -> 'found' -> m.kind -> (m.id % jsonb_array_length(j -> 'found' -> m.kind))::int as words,
        j -> 'defaultSla' as sla
      from malfunction m
      cross join given
      left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
      left join lateral (
        select o.id, o.display_name from operator o
        left join operator_store k on k.tenant_id = o.tenant_id and k.operator_id = o.id
          and k.store_id = coalesce(m.store_id, c.store_id)
        where o.tenant_id = m.tenant_id and o.disabled_at is null
          and (k.store_id is not null or o.user_type = 1)
        order by k.store_id is null, (o.id * 31 + m.id) % 97 limit 1) w on true
      left join lateral (
        select o.display_name from operator o
        where o.tenant_id = m.tenant_id and o.user_type = 1 and o.disabled_at is null
          and (m.kind = 'OCCUPANCY_ABNORMAL' or m.description = any(${marked}))
        order by (o.id * 17 + m.id) % 89 limit 1) p on true)
    update malfunction m set severity = r.severity, terms_since = r.created_at,
      last_at = r.created_at,
      source = case when r.reporter is null then 'DEVICE' else 'PERSON' end,
      reporter_name = coalesce(r.reporter, ''),
      respond_by = r.created_at
        + make_interval(mins => (r.sla -> r.severity ->> 'respondMinutes')::int),
      resolve_by = r.created_at
        + make_interval(mins => (r.sla -> r.severity ->> 'resolveMinutes')::int),
      assignee_id = case when r.state <> 'CREATED' then r.worker_id end,
      assignee_name = case when r.state <> 'CREATED' then coalesce(r.worker, '') else '' end,
      accepted_at = case when r.state in ('PROCESSING', 'RESOLVED', 'CLOSED') then r.accepted end,
      resolved_at = case when r.state in ('RESOLVED', 'CLOSED') then m.updated_at end,
      closed_at = case when r.state in ('CLOSED', 'IGNORED') then m.updated_at end,
      cause = case when r.state in ('RESOLVED', 'CLOSED') then r.words ->> 0 else '' end,
      measure = case when r.state in ('RESOLVED', 'CLOSED') then r.words ->> 1 else '' end
    from course r
    where m.tenant_id = r.tenant_id and m.id = r.id`);
  await db.run(sql`
    insert into malfunction_event (tenant_id, malfunction_id, at, kind, actor_id, actor_name, text,
      to_state)
    select m.tenant_id, m.id, e.at, e.kind, case when e.step > 1 then m.assignee_id end, e.actor,
      e.text, e.to_state
    from malfunction m
    cross join lateral (values
      (0, m.created_at, 'REPORTED', m.reporter_name, m.description, 'CREATED'),
      (1, m.created_at + (coalesce(m.accepted_at, m.updated_at) - m.created_at) / 2, 'ASSIGNED', '',
        '派给 ' || m.assignee_name, 'ASSIGNED'),
      (2, m.accepted_at, 'ACCEPTED', m.assignee_name, '', 'PROCESSING'),
      (3, m.resolved_at, 'RESOLVED', m.assignee_name,
        '原因：' || m.cause || E'\\n措施：' || m.measure, 'RESOLVED'),
      (4, m.closed_at, 'CLOSED', m.assignee_name, '', 'CLOSED'),
      (5, m.closed_at, 'IGNORED', m.assignee_name, '现场核实一切正常', 'IGNORED')
    ) as e (step, at, kind, actor, text, to_state)
    where e.at is not null and case e.step
      when 0 then true
      when 1 then m.state <> 'CREATED' and m.assignee_id is not null
      when 4 then m.state = 'CLOSED'
      when 5 then m.state = 'IGNORED'
      else true end
    order by e.at, e.step`);
}
