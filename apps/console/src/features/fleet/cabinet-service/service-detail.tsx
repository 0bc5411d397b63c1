// Details of a cabinet's service, with its latest records.
import { serviceActionText } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import {
  cabinetServiceContract,
  type ServicedCabinet,
} from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { daysLeftText, ServiceStatus } from "../../../domain/cabinet/cabinet-service.tsx";
import { LifecycleStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Age } from "../../../ui/display/status.tsx";
import { changeText } from "./service-record.rules.ts";
import "../../../ui/display/basics.css";
import "./service-detail.css";

export function ServiceDetail({ cabinet }: { cabinet: ServicedCabinet }) {
  const { service, stoppedAt } = cabinet;
  const stopped: DescriptionItem[] = stoppedAt
    ? [
        ["停止时间", formatDateTime(stoppedAt)],
        ["停止原因", cabinet.stopReason],
      ]
    : [];
  return (
    <>
      <DrawerSection title="服务">
        <Facts
          facts={[
            ["服务状态", <ServiceStatus key="v" service={service} />],
            ["开始日期", service.startsOn],
            ["到期日", service.endsOn],
            ["剩余天数", service.daysLeft === null ? null : daysLeftText(service.daysLeft)],
            ...stopped,
            ["在柜物品", `${cabinet.occupied} 件`],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="设备">
        <Facts
          facts={[
            ["编号", cabinet.sn],
            ["租户", cabinet.tenantName],
            ["型号", cabinet.modelName],
            ["门店", cabinet.storeName],
            ["运营状态", <LifecycleStatus key="v" of={cabinet.lifecycle} />],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="最近操作">
        <LastRecords cabinetId={cabinet.cabinetId} />
      </DrawerSection>
    </>
  );
}

function LastRecords({ cabinetId }: { cabinetId: number }) {
  const answer = useCall(cabinetServiceContract.records, {
    query: { page: 1, pageSize: 5, cabinetId },
  });
  if (!answer.data) return <AnswerState answer={answer} />;
  if (answer.data.list.length === 0) return <p className="ui-cell-none">暂无操作记录</p>;
  return (
    <>
      <ul className="service-records">
        {answer.data.list.map((record) => (
          <li key={record.id}>
            <b>{serviceActionText[record.action]}</b>
            <span>{changeText(record)}</span>
            <small>
              {record.actorName} · {record.reason} · <Age time={record.at} />
            </small>
          </li>
        ))}
      </ul>
      <Link className="ui-link" to={pathTo("/register/record", { cabinetId })}>
        查看全部操作记录
      </Link>
    </>
  );
}
