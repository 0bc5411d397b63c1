// 故障详情: one outage or broken cabinet on a page of its own: duration, impact, notices, progress.
import { noticeStepText } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import type { MalfunctionDetail as Detail } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { isOpenState } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { Facts } from "../../../ui/display/detail-drawer.tsx";
import {
  NoRecord,
  RecordFailure,
  RecordLoading,
  useIdParam,
} from "../../../ui/display/one-record.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { Status, useNow } from "../../../ui/display/status.tsx";
import { AffectedOrders } from "./affected-orders.tsx";
import { useMalfunctionActions } from "./malfunction-actions.tsx";
import { Heading, placeFacts, progressFacts, useMalfunction } from "./malfunction-detail.tsx";
import { lastedText, nameOf, placeText } from "./malfunction-status.tsx";
import { MalfunctionTimeline } from "./malfunction-timeline.tsx";
import "../../../ui/chart/figure-cards.css";
import "../../../ui/display/basics.css";
import "./incident.css";

const list = { path: "/malfunction/index", title: "故障处理" } as const;

export default function IncidentPage() {
  const id = useIdParam("id");
  if (id === null) {
    return <NoRecord title="没有指定故障" hint="请从故障处理选择一条故障。" list={list} />;
  }
  return <Incident key={id} id={id} />;
}

function Incident({ id }: { id: number }) {
  const answer = useMalfunction(id);
  const { actionsOf, dialogs } = useMalfunctionActions();
  const may = usePermissions();
  const detail = answer.data;
  if (!detail) {
    if (!answer.error) return <RecordLoading />;
    const hint = "可能属于其他租户，或不在您负责的门店。";
    const retry = () => void answer.refetch();
    return <RecordFailure error={answer.error} hint={hint} list={list} onRetry={retry} />;
  }
  return (
    <div className="incident">
      <PageCard
        title={`${nameOf(detail)} · ${placeText(detail)}`}
        extra={
          <Link className="ui-link" to="/malfunction/index">
            返回故障处理
          </Link>
        }
      >
        <div className="incident-head" data-severity={detail.severity}>
          <Heading detail={detail} actions={actionsOf(detail)} isOnPage />
        </div>
        <Impact detail={detail} />
      </PageCard>
      <div className="incident-columns">
        <div>
          <PageCard title="影响的设备">
            <Cabinets detail={detail} mayOpen={may("compartment:read")} />
          </PageCard>
          {may("order:read") && (
            <PageCard title="受影响的订单">
              <AffectedOrders malfunctionId={detail.id} isOpen={isOpenState(detail.state)} />
            </PageCard>
          )}
          <PageCard title="处理记录">
            <MalfunctionTimeline entries={detail.timeline} />
          </PageCard>
        </div>
        <div>
          <PageCard title="已通知">
            <Notices notices={detail.notices} />
          </PageCard>
          <PageCard title="处理">
            <Facts facts={progressFacts(detail)} />
          </PageCard>
          <PageCard title="位置">
            <Facts facts={placeFacts(detail, may("compartment:read"))} />
          </PageCard>
        </div>
      </div>
      {dialogs}
    </div>
  );
}

/** Start and end: the first cabinet's last report, or the registration. */
function spanOf({ outage, createdAt, resolvedAt, closedAt }: Detail) {
  const gone = outage.flatMap(({ goneAt }) => goneAt ?? []).toSorted()[0];
  return { from: gone && gone < createdAt ? gone : createdAt, to: resolvedAt ?? closedAt };
}

function Impact({ detail }: { detail: Detail }) {
  const now = useNow();
  const { affected, outage, cabinetId, state } = detail;
  const { from, to } = spanOf(detail);
  const isOpen = isOpenState(state);
  const end = isOpen || to === null ? now : Date.parse(to);
  const total = cabinetId === null ? outage.length : 1;
  const back = outage.filter(({ backAt }) => backAt !== null).length;
  const figures: [title: string, value: string, note: string][] = [
    [
      isOpen ? "已持续" : "持续",
      lastedText(from, end),
      `${formatDateTime(from).slice(0, 16)} 起${isOpen || to === null ? "" : `，${formatDateTime(to).slice(5, 16)} 恢复`}`,
    ],
    [
      "影响的设备",
      `${formatNumber(total)} 台`,
      cabinetId === null ? `已恢复 ${back} 台` : (detail.cabinetSn ?? ""),
    ],
    ["在柜物品", `${formatNumber(affected.goods)} 件`, "现在取不出或受影响"],
    ["进行中的订单", `${formatNumber(affected.orders)} 个`, "含存取中"],
    ["期间订单", `${formatNumber(affected.during)} 个`, "故障期间产生"],
    [
      "已通知",
      `${formatNumber(new Set(detail.notices.flatMap(({ names }) => names)).size)} 人`,
      detail.assigneeName ? `处理人 ${detail.assigneeName}` : "未派单",
    ],
  ];
  return (
    <ul className="ui-figures" aria-label="影响范围">
      {figures.map(([title, value, note]) => (
        <li key={title}>
          <span>{title}</span>
          <b>{value}</b>
          <em>{note}</em>
        </li>
      ))}
    </ul>
  );
}

/** Cabinets of an outage, or the one cabinet. */
function Cabinets({ detail, mayOpen }: { detail: Detail; mayOpen: boolean }) {
  const now = useNow();
  const { cabinetId, cabinetName, cabinetSn, place, affected } = detail;
  const { from, to } = spanOf(detail);
  const rows =
    cabinetId === null
      ? detail.outage
      : [
          {
            cabinetId,
            name: cabinetName ?? "",
            sn: cabinetSn ?? "",
            goneAt: from,
            backAt: isOpenState(detail.state) ? null : to,
            orders: affected.orders,
            goods: affected.goods,
          },
        ];
  const down = cabinetId === null || detail.kind === "OFFLINE" ? "离线" : "未恢复";
  const goneTitle = down === "离线" ? "离线自" : "发生于";
  return (
    <div className="incident-scroll">
      <table className="incident-cabinets" aria-label="影响的设备">
        <thead>
          <tr>
            <th>设备</th>
            <th>状态</th>
            <th>{goneTitle}</th>
            <th>持续</th>
            <th>在柜物品</th>
            <th>进行中订单</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.cabinetId}>
              <td>
                {mayOpen ? (
                  <Link
                    className="ui-link"
                    to={pathTo("/cupboard/blockManage", {
                      id: row.cabinetId,
                      no: detail.compartmentNo,
                    })}
                  >
                    {row.name}
                  </Link>
                ) : (
                  row.name
                )}
                <small>{row.sn}</small>
              </td>
              <td data-label="状态">
                <Status tone={row.backAt === null ? "bad" : "good"}>
                  {row.backAt === null ? down : "已恢复"}
                </Status>
                {place && cabinetId !== null && row.backAt === null && down !== "离线" && (
                  <small>{place.isOnline ? "设备在线" : "设备离线"}</small>
                )}
              </td>
              <td data-label={goneTitle}>
                {row.goneAt ? formatDateTime(row.goneAt).slice(5, 16) : "—"}
              </td>
              <td data-label="持续">
                {row.goneAt
                  ? lastedText(row.goneAt, row.backAt === null ? now : Date.parse(row.backAt))
                  : "—"}
              </td>
              <td data-label="在柜物品">{row.goods}</td>
              <td data-label="进行中订单">{row.orders}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Notices({ notices }: Pick<Detail, "notices">) {
  if (notices.length === 0) return <p className="ui-cell-none">暂未通知</p>;
  return (
    <ul className="incident-notices">
      {notices.map(({ at, step, names, bySms }) => (
        <li key={`${step} ${at}`}>
          <span>
            {noticeStepText[step]}
            <time dateTime={at}>{formatDateTime(at).slice(5, 16)}</time>
          </span>
          <b>{names.join("、")}</b>
          {bySms > 0 && <small>{bySms} 人同时发短信</small>}
        </li>
      ))}
    </ul>
  );
}
