// Details of an advert: preview on the screen, schedule, target, download state of each cabinet.
import {
  type Advert,
  type AdvertDownload,
  advertContract,
} from "@cabinet/contract/fleet/advert/advert.contract.ts";
import {
  advertPositionText,
  type DownloadState,
  downloadReasonOf,
  downloadStateText,
} from "@cabinet/contract/fleet/advert/advert.rules.ts";
import { connectivityText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import Segmented from "antd/es/segmented";
import { useState } from "react";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { AdvertStatus, scheduleText, targetText } from "./advert-columns.tsx";
import { fileFacts } from "./advert-media.tsx";
import { AdvertScreen } from "./advert-screen.tsx";
import "./advert-detail.css";

const ALL_TARGETS = 200;

interface AdvertDetailProps {
  advert: Advert;
  onRetry: (advert: Advert) => void;
}

export function AdvertDetail({ advert, onRetry }: AdvertDetailProps) {
  const { title, position, file } = advert;
  return (
    <>
      <div className="advert-detail">
        <AdvertScreen position={position} file={file} title={title} />
        <Facts
          facts={[
            ["状态", <AdvertStatus key="v" advert={advert} />],
            ["位置", advertPositionText[position]],
            ["投放时间", scheduleText(advert)],
            ["播放时长", `${advert.durationSeconds} 秒`],
            ["投放范围", targetText(advert, ALL_TARGETS)],
            ["素材", fileFacts(file)],
            ["文件名", file.name],
            ["租户", advert.tenantName],
            ["更新时间", formatDateTime(advert.updatedAt)],
          ]}
        />
      </div>
      <DrawerSection title="各设备的下载状态">
        {advert.state === "ON" ? (
          <Downloads advert={advert} onRetry={onRetry} />
        ) : (
          <p className="ui-cell-none">上架后，设备会自动下载；这里会显示每台设备的进度。</p>
        )}
      </DrawerSection>
    </>
  );
}

const tones: Record<DownloadState, Tone> = {
  WAITING: "quiet",
  DOWNLOADING: "waiting",
  READY: "good",
  FAILED: "bad",
};

function Downloads({ advert, onRetry }: AdvertDetailProps) {
  const [state, setState] = useState<DownloadState | "ALL">("ALL");
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const mayWrite = usePermission("advert:write");
  const answer = useCall(
    advertContract.downloads,
    {
      params: { id: advert.id },
      query: { page, pageSize, ...(state !== "ALL" && { state }) },
    },
    { keepPreviousData: true },
  );
  useLiveRefresh("cabinet", () => answer.refetch());
  const { ready, failed, total, unreached } = advert.downloads;
  return (
    <DrawerList
      answer={answer}
      pages={pages}
      emptyText="暂无符合条件的设备"
      row={(row) => (
        <DrawerRow
          key={row.cabinetId}
          name={
            <>
              {row.cabinetName}
              <small>
                {row.cabinetSn}
                {row.storeName && ` · ${row.storeName}`}
              </small>
            </>
          }
          state={
            <>
              <Status tone={tones[row.state]}>{stateOf(row)}</Status>
              <small>
                <Age time={row.changedAt} />
              </small>
            </>
          }
        />
      )}
    >
      <p className="advert-cabinets-sum">
        应投放 <b>{total}</b> 台，已就绪 <b>{ready}</b> 台
        {failed > 0 && (
          <>
            ，失败 <b data-bad="true">{failed}</b> 台
          </>
        )}
        {unreached > 0 && (
          <>
            ，离线未收到 <b>{unreached}</b> 台
          </>
        )}
        {mayWrite && failed > 0 && <Button onClick={() => onRetry(advert)}>重试失败的设备</Button>}
      </p>
      <Segmented
        value={state}
        options={[
          { value: "ALL", label: "全部" },
          ...Object.entries(downloadStateText).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(next) => {
          setState(next as DownloadState | "ALL");
          pages.setPage(1);
        }}
      />
    </DrawerList>
  );
}

function stateOf({ state, reason, connectivity, isSupported }: AdvertDownload): string {
  if (state === "FAILED") return `${downloadStateText.FAILED}：${downloadReasonOf(reason)}`;
  if (state === "READY") return downloadStateText.READY;
  if (!isSupported) return "设备程序版本过旧，不支持广告";
  if (connectivity !== "ONLINE") return `设备${connectivityText[connectivity]}，上线后自动下载`;
  return downloadStateText[state];
}
