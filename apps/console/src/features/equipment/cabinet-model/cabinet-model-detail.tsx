// Details of a cabinet model: layout, capabilities, heartbeat settings.
import {
  type CabinetModel,
  cabinetModelContract,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { capabilityText } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { totalOf } from "./cabinet-model-columns.tsx";
import { LayoutDrawing, sizesText } from "./layout-drawing.tsx";
import "./cabinet-model-detail.css";

export function CabinetModelDetail({ model }: { model: CabinetModel }) {
  const answer = useCall(cabinetModelContract.get, { params: { id: model.id } });
  const maySeeCabinets = usePermission("cabinet:read");
  const cabinets = `${model.cabinetCount} 台`;
  return (
    <>
      <DrawerSection title="基本信息">
        <Facts
          facts={[
            ["单双面", sideText[model.side]],
            ["厂商", model.vendor || null],
            ["格口", `${totalOf(model)} 个（${sizesText(model.sizes)}）`],
            [
              "使用设备",
              maySeeCabinets && model.cabinetCount > 0 ? (
                <Link
                  key="v"
                  className="ui-link"
                  to={pathTo("/cupboard/index", { modelId: model.id })}
                >
                  {cabinets}
                </Link>
              ) : (
                cabinets
              ),
            ],
            ["心跳间隔", `${model.heartbeatSeconds} 秒`],
            ["离线阈值", `${model.offlineSeconds} 秒无心跳即离线`],
            ["备注", model.remark || null],
            ["更新时间", formatDateTime(model.updatedAt)],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="布局">
        {answer.data ? (
          <LayoutDrawing
            key={answer.data.version}
            name={model.name}
            layout={answer.data.layout}
            isDouble={model.side === "DOUBLE"}
          />
        ) : answer.error ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <div className="model-layout-loading" role="status" aria-label="正在加载布局" />
        )}
      </DrawerSection>
      <DrawerSection title="能力">
        {model.capabilities.length === 0 ? (
          <p className="ui-cell-none">没有登记能力</p>
        ) : (
          <dl className="model-capabilities">
            {model.capabilities.map((capability) => (
              <div key={capability}>
                <dt>{capabilityText[capability].name}</dt>
                <dd>{capabilityText[capability].meaning}</dd>
              </div>
            ))}
          </dl>
        )}
      </DrawerSection>
    </>
  );
}
