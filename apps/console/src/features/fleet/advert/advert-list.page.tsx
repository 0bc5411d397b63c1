// 广告管理: adverts in playing order, with the download state of the cabinets.
import { advertContract } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import {
  advertPhaseText,
  advertPositionText,
  advertStateText,
} from "@cabinet/contract/fleet/advert/advert.rules.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { useAdvertActions } from "./advert-actions.tsx";
import { advertColumns } from "./advert-columns.tsx";
import { AdvertDetail } from "./advert-detail.tsx";
import { AdvertForm, type Editing } from "./advert-form.tsx";
import { AdvertHeading } from "./advert-heading.tsx";

const filters = [
  textFilter("keyword", "标题", "输入广告标题"),
  choiceFilter("position", "位置", choicesOf(advertPositionText)),
  choiceFilter("state", "状态", choicesOf(advertStateText)),
  choiceFilter("phase", "投放阶段", choicesOf(advertPhaseText)),
];

export const prefetch = listPrefetch(advertContract.list);

export default function AdvertListPage() {
  const { texts } = useListState();
  const cabinetId = Number(texts.cabinetId) || undefined;
  const mayWrite = usePermission("advert:write");
  const { ask, dialog } = useAction();
  const [editing, setEditing] = useState<Editing>(null);
  // Under a filter a move may swap with a hidden neighbour and appear to do nothing.
  const isFiltered = ["keyword", "position", "state", "phase", "cabinetId"].some(
    (name) => texts[name],
  );
  const { actionsOf, retry } = useAdvertActions({ ask, edit: setEditing, isFiltered });
  return (
    <>
      <ListPage
        title="广告管理"
        heading={<AdvertHeading cabinetId={cabinetId} />}
        spec={advertContract.list}
        filters={filters}
        columns={advertColumns}
        rowKey={(advert) => advert.id}
        toolbar={
          mayWrite && (
            <Button type="primary" onClick={() => setEditing("new")}>
              新增广告
            </Button>
          )
        }
        live="cabinet"
        actions={mayWrite && { width: 132, of: (advert) => advert.title, list: actionsOf }}
        detail={{
          title: (advert) => advert.title,
          body: (advert) => <AdvertDetail key={advert.id} advert={advert} onRetry={retry} />,
        }}
        emptyHint={
          cabinetId === undefined
            ? "新增一个广告，选好投放范围并上架，设备会自动下载和播放"
            : "没有投放到这台设备的广告"
        }
      />
      {dialog}
      <AdvertForm editing={editing} onClose={() => setEditing(null)} />
    </>
  );
}
