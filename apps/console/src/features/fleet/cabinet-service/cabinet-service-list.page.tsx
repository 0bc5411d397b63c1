// 设备服务: service period of each cabinet; the platform renews, stops and resumes it.

import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { serviceStateText } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import {
  cabinetServiceContract,
  type ServicedCabinet,
} from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useCall } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { RenewDialog } from "./renew-dialog.tsx";
import { useServiceActions } from "./service-actions.tsx";
import { serviceColumns } from "./service-columns.tsx";
import { ServiceDetail } from "./service-detail.tsx";
import "../../../ui/display/basics.css";

const OPTIONS_STALE_MS = 60_000;

function useServiceFilters() {
  const models = useCall(
    cabinetModelContract.options,
    {},
    { staleTime: OPTIONS_STALE_MS, toasts: true },
  );
  return [
    textFilter("keyword", "编号/名称", "输入编号或名称"),
    choiceFilter("state", "服务状态", choicesOf(serviceStateText)),
    choiceFilter(
      "withinDays",
      "到期时间",
      [7, 15, 30, 60, 90].map((days) => ({ value: days, label: `${days} 天内` })),
    ),
    choiceFilter(
      "modelId",
      "型号",
      models.data?.map(({ id, name }) => ({ value: id, label: name })),
    ),
  ];
}

export const prefetch = listPrefetch(cabinetServiceContract.list);

export default function CabinetServiceListPage() {
  const filters = useServiceFilters();
  const { ask, dialog } = useAction();
  const [renewing, setRenewing] = useState<readonly ServicedCabinet[]>([]);
  const [done, setDone] = useState<() => void>(() => () => {});
  const { stop, resume } = useServiceActions(ask);
  const renew = (cabinets: readonly ServicedCabinet[], onDone = () => {}) => {
    setDone(() => onDone);
    setRenewing(cabinets);
  };

  return (
    <>
      <ListPage
        title="设备服务"
        spec={cabinetServiceContract.list}
        filters={filters}
        columns={serviceColumns}
        rowKey={(cabinet) => cabinet.cabinetId}
        toolbar={
          <Link className="ui-link" to="/register/record">
            操作记录
          </Link>
        }
        live="cabinet"
        actions={{
          width: 132,
          of: (cabinet) => cabinet.name,
          list: (cabinet) => [
            {
              key: "renew",
              label: cabinet.service.endsOn === null ? "开通" : "续期",
              run: () => renew([cabinet]),
            },
            cabinet.service.state === "STOPPED"
              ? { key: "resume", label: "恢复", run: () => resume([cabinet]) }
              : { key: "stop", label: "停止", isDanger: true, run: () => stop([cabinet]) },
            {
              key: "record",
              label: "操作记录",
              to: pathTo("/register/record", { cabinetId: cabinet.cabinetId }),
            },
          ],
        }}
        batch={(cabinets, clear) => (
          <>
            <Button onClick={() => renew(cabinets, clear)}>续期</Button>
            <Button danger onClick={() => stop(cabinets, clear)}>
              停止服务
            </Button>
            <Button onClick={() => resume(cabinets, clear)}>恢复服务</Button>
          </>
        )}
        detail={{
          title: (cabinet) => cabinet.name,
          body: (cabinet) => <ServiceDetail cabinet={cabinet} />,
        }}
        emptyHint="登记并分配到租户的设备会出现在这里"
      />
      {dialog}
      <RenewDialog cabinets={renewing} onClose={() => setRenewing([])} onDone={() => done()} />
    </>
  );
}
