// SQL for the lifecycle of the demo's malfunctions: assigned to a caretaker, processed, resolved with findings.
import {
  defaultSla,
  severityOfKind,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { MalfunctionKind } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";
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
  IDENTITY_SHARED: [["存储卡维修时被复制", "已停用复制的一台，更换密钥"]],
  UNCOMMANDED_OPENING: [["物业用钥匙开过箱门", "与物业确认，物品齐全，已要求提前告知"]],
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
      select malfunction.tenant_id, malfunction.id, malfunction.state, malfunction.created_at,
        assignee.id as worker_id,
        assignee.display_name as worker, reporter.display_name as reporter,
        case when malfunction.store_id is not null then 'SEVERE'
          else j -> 'severityOfKind' ->> malfunction.kind end as severity,
        malfunction.created_at + least(malfunction.updated_at - malfunction.created_at,
          make_interval(mins => 4 + (malfunction.id * 37 % 50)::int)) as accepted,
        j -> 'found' -> malfunction.kind -> (malfunction.id % jsonb_array_length(j -> 'found' -> malfunction.kind))::int as words,
        j -> 'defaultSla' as sla
      from malfunction
      cross join given
      left join cabinet on cabinet.tenant_id = malfunction.tenant_id
        and cabinet.id = malfunction.cabinet_id
      left join lateral (
        select operator.id, operator.display_name from operator
        left join operator_store on operator_store.tenant_id = operator.tenant_id
          and operator_store.operator_id = operator.id
          and operator_store.store_id = coalesce(malfunction.store_id, cabinet.store_id)
        where operator.tenant_id = malfunction.tenant_id and operator.disabled_at is null
          and (operator_store.store_id is not null or operator.user_type = 1)
        order by operator_store.store_id is null, (operator.id * 31 + malfunction.id) % 97
        limit 1) assignee on true
      left join lateral (
        select operator.display_name from operator
        where operator.tenant_id = malfunction.tenant_id and operator.user_type = 1
          and operator.disabled_at is null
          and (malfunction.kind = 'OCCUPANCY_ABNORMAL' or malfunction.description = any(${marked}))
        order by (operator.id * 17 + malfunction.id) % 89 limit 1) reporter on true)
    update malfunction set severity = course.severity, terms_since = course.created_at,
      last_at = course.created_at,
      source = case when course.reporter is null then 'DEVICE' else 'PERSON' end,
      reporter_name = coalesce(course.reporter, ''),
      respond_by = course.created_at
        + make_interval(mins => (course.sla -> course.severity ->> 'respondMinutes')::int),
      resolve_by = course.created_at
        + make_interval(mins => (course.sla -> course.severity ->> 'resolveMinutes')::int),
      assignee_id = case when course.state <> 'CREATED' then course.worker_id end,
      assignee_name = case when course.state <> 'CREATED' then coalesce(course.worker, '')
        else '' end,
      accepted_at = case when course.state in ('PROCESSING', 'RESOLVED', 'CLOSED')
        then course.accepted end,
      resolved_at = case when course.state in ('RESOLVED', 'CLOSED') then malfunction.updated_at
        end,
      closed_at = case when course.state in ('CLOSED', 'IGNORED') then malfunction.updated_at end,
      cause = case when course.state in ('RESOLVED', 'CLOSED') then course.words ->> 0 else '' end,
      measure = case when course.state in ('RESOLVED', 'CLOSED') then course.words ->> 1 else '' end
    from course
    where malfunction.tenant_id = course.tenant_id and malfunction.id = course.id`);
  await db.run(sql`
    insert into malfunction_event (tenant_id, malfunction_id, at, kind, actor_id, actor_name, text,
      to_state)
    select malfunction.tenant_id, malfunction.id, milestone.at, milestone.kind, case
      when milestone.step > 1 then malfunction.assignee_id end, milestone.actor,
      milestone.text, milestone.to_state
    from malfunction
    cross join lateral (values
      (0, malfunction.created_at, 'REPORTED', malfunction.reporter_name, malfunction.description,
        'CREATED'),
      (1, malfunction.created_at + (coalesce(malfunction.accepted_at,
        malfunction.updated_at) - malfunction.created_at) / 2, 'ASSIGNED', '',
        '派给 ' || malfunction.assignee_name, 'ASSIGNED'),
      (2, malfunction.accepted_at, 'ACCEPTED', malfunction.assignee_name, '', 'PROCESSING'),
      (3, malfunction.resolved_at, 'RESOLVED', malfunction.assignee_name,
        '原因：' || malfunction.cause || E'\\n措施：' || malfunction.measure, 'RESOLVED'),
      (4, malfunction.closed_at, 'CLOSED', malfunction.assignee_name, '', 'CLOSED'),
      (5, malfunction.closed_at, 'IGNORED', malfunction.assignee_name, '现场核实一切正常', 'IGNORED')
    ) as milestone (step, at, kind, actor, text, to_state)
    where milestone.at is not null and case milestone.step
      when 0 then true
      when 1 then malfunction.state <> 'CREATED' and malfunction.assignee_id is not null
      when 4 then malfunction.state = 'CLOSED'
      when 5 then malfunction.state = 'IGNORED'
      else true end
    order by milestone.at, milestone.step`);
}
