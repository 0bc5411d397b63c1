// Detail view of one malfunction: state, actions, place and timeline.
import { mapLink } from "@cabinet/contract/kit/place.rules.ts";
import {
  type MalfunctionDetail as Detail,
  type Malfunction,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  isOpenState,
  malfunctionSourceText,
  malfunctionTitle,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { adminStateText, doorStateText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Alert from "antd/es/alert";
import { ConnectivityStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status, useNow } from "../../../ui/display/status.tsx";
import { ActionButtons, type RowAction } from "../../../ui/list/row-actions.tsx";
import { useLiveRefresh, usePollMs } from "../../../ui/live/live.tsx";
import {
  Due,
  doneText,
  lastedText,
  nameOf,
  SeverityMark,
  StateStatus,
} from "./malfunction-status.tsx";
import { MalfunctionTimeline } from "./malfunction-timeline.tsx";
import "../../../ui/display/basics.css";
import "./malfunction.css";

export interface MalfunctionDetailProps {
  id: number;
  actionsOf: (malfunction: Malfunction) => RowAction[];
}

/** The malfunction, kept fresh while it is on screen. */
export function useMalfunction(id: number) {
  const answer = useCall(
    malfunctionContract.get,
    { params: { id } },
    { refetchInterval: usePollMs() },
  );
  const cabinetId = answer.data?.cabinetId ?? undefined;
  const refresh = () => answer.refetch();
  useLiveRefresh("malfunction", refresh, { cabinetId, pace: "close" });
  useLiveRefresh("command", refresh, { cabinetId, pace: "close" });
  useLiveRefresh("notice", refresh);
  return answer;
}

export function MalfunctionDetail({ id, actionsOf }: MalfunctionDetailProps) {
  const answer = useMalfunction(id);
  const may = usePermissions();
  const detail = answer.data;
  if (!detail) {
    return <AnswerState answer={answer} />;
  }
  return (
    <div className="malfunction-detail">
      <Heading detail={detail} actions={actionsOf(detail)} />
      <p className="malfunction-more">
        <Link className="ui-link" to={pathTo("/malfunction/incident", { id })}>
          查看影响范围与通知
        </Link>
      </p>
      <DrawerSection title="位置">
        <Facts facts={placeFacts(detail, may("compartment:read"))} />
      </DrawerSection>
      {detail.outage.length > 0 && (
        <DrawerSection title="离线的设备">
          <Outage cabinets={detail.outage} />
        </DrawerSection>
      )}
      <DrawerSection title="处理">
        <Facts facts={progressFacts(detail)} />
      </DrawerSection>
      <DrawerSection title="处理记录">
        <MalfunctionTimeline entries={detail.timeline} />
      </DrawerSection>
    </div>
  );
}

interface HeadingProps {
  detail: Detail;
  actions: readonly RowAction[];
  /** The page shows the impact in figures of its own. */
  isOnPage?: true;
}

export function Heading({ detail, actions, isOnPage }: HeadingProps) {
  // No reopening while a newer malfunction is open at the same place: a hint links to that one.
  const fit = actions.filter(({ key }) => key !== "reopen" || detail.openInsteadId === null);
  const ready = fit.filter((action) => !action.blocked);
  const blocked = fit.find((action) => action.key === "accept")?.blocked;
  return (
    <div className="malfunction-heading">
      <p>
        <SeverityMark of={detail.severity} />
        <StateStatus of={detail.state} />
        {isOpenState(detail.state) && <Due of={detail} />}
        {detail.repeatCount > 1 && <span>共上报 {detail.repeatCount} 次</span>}
      </p>
      <h3>{detail.description || malfunctionTitle(detail)}</h3>
      {!isOnPage && <Impact detail={detail} />}
      <Hints detail={detail} />
      {blocked && <p className="ui-cell-none">{blocked}</p>}
      <ActionButtons
        actions={ready}
        first={ready[0]?.isDanger ? undefined : ready[0]?.key}
        of={nameOf(detail)}
        visibleCount={3}
      />
    </div>
  );
}

/** How long an open malfunction lasts, and who waits for it. */
function Impact({ detail }: { detail: Detail }) {
  const now = useNow();
  if (!isOpenState(detail.state)) return null;
  const { cabinets, orders, goods } = detail.affected;
  const facts = [
    `已持续 ${lastedText(detail.createdAt, now)}`,
    detail.cabinetId === null && `${cabinets} 台设备离线`,
    goods > 0 && `在柜物品 ${goods} 件`,
    orders > goods && `进行中的订单 ${orders} 个`,
  ];
  return <p className="malfunction-impact">{facts.filter(Boolean).join(" · ")}</p>;
}

/** Warnings that save a trip: merged, newer one open, still reported, compartment still FAULT. */
function Hints({ detail }: { detail: Detail }) {
  const { state, isStillReported, place, mergedIntoId, openInsteadId } = detail;
  const isOver = !isOpenState(state);
  return (
    <>
      {mergedIntoId !== null && <Elsewhere id={mergedIntoId}>已并入门店断网故障</Elsewhere>}
      {openInsteadId !== null && openInsteadId !== mergedIntoId && (
        <Elsewhere id={openInsteadId}>同一位置又出现同类故障，请在该条记录上处理：</Elsewhere>
      )}
      {isOver && isStillReported && (
        <Alert type="warning" showIcon title="设备仍在上报这一异常，请到现场复核" />
      )}
      {isOver && place?.adminState === "FAULT" && (
        <Alert
          type="warning"
          showIcon
          title={
            <>
              格口仍标记为“故障”，修好后请
              <Link
                className="ui-link"
                to={pathTo("/cupboard/blockManage", {
                  id: detail.cabinetId,
                  no: detail.compartmentNo,
                })}
              >
                在格口管理中启用
              </Link>
            </>
          }
        />
      )}
    </>
  );
}

function Elsewhere({ id, children }: { id: number; children: string }) {
  return (
    <Alert
      type="info"
      showIcon
      title={
        <>
          {children}{" "}
          <Link className="ui-link" to={pathTo("/malfunction/incident", { id })}>
            #{id}
          </Link>
        </>
      }
    />
  );
}

export function placeFacts(detail: Detail, maySeeBoard: boolean): DescriptionItem[] {
  const { cabinetId, cabinetName, cabinetSn, compartmentNo, place } = detail;
  const board = pathTo("/cupboard/blockManage", { id: cabinetId, no: compartmentNo });
  const link = mapLink(detail, detail.storeName ?? "");
  const cabinet: DescriptionItem[] =
    cabinetId === null
      ? []
      : [
          [
            "设备",
            <span key="v" className="malfunction-cabinet">
              {maySeeBoard ? (
                <Link className="ui-link" to={board} title="到格口管理查看">
                  {cabinetName}
                </Link>
              ) : (
                cabinetName
              )}
              {place && <ConnectivityStatus of={place.isOnline ? "ONLINE" : "OFFLINE"} />}
            </span>,
          ],
          ["设备编号", cabinetSn],
          ...(compartmentNo === null ? [] : [["格口", compartmentFact(detail)] as const]),
        ];
  return [
    ...cabinet,
    ["门店", detail.storeName],
    [
      "地址",
      detail.storeAddress && (
        <>
          {detail.storeAddress}{" "}
          {link && (
            <a className="ui-link" href={link} target="_blank" rel="noopener noreferrer">
              查看地图
            </a>
          )}
        </>
      ),
    ],
    ["租户", detail.tenantName],
  ];
}

function compartmentFact({ compartmentNo, place }: Detail): string {
  const doors = [place?.doorFront, place?.doorBack]
    .filter((door) => door !== null && door !== undefined)
    .map((door, index) => `${index === 1 ? "背面门" : "箱门"}${doorStateText[door]}`);
  const facts = [
    place?.adminState && place.adminState !== "ENABLED" && adminStateText[place.adminState],
    ...doors,
    place?.orderId && `有订单 ${place.orderId}`,
  ].filter(Boolean);
  return `${compartmentNo} 号${facts.length > 0 ? `（${facts.join("，")}）` : ""}`;
}

function Outage({ cabinets }: { cabinets: Detail["outage"] }) {
  return (
    <ul className="malfunction-outage">
      {cabinets.map(({ cabinetId, name, sn, backAt }) => (
        <li key={cabinetId}>
          <span>
            {name} <small>{sn}</small>
          </span>
          <Status tone={backAt ? "good" : "bad"}>
            {backAt ? `${formatDateTime(backAt)} 恢复` : "离线"}
          </Status>
        </li>
      ))}
    </ul>
  );
}

export function progressFacts(detail: Detail): DescriptionItem[] {
  const time = (at: string | null) => at && formatDateTime(at);
  const source = malfunctionSourceText[detail.source];
  return [
    ["故障类型", malfunctionTitle(detail)],
    ["来源", detail.reporterName ? `${source}：${detail.reporterName}` : source],
    ["发生时间", time(detail.createdAt)],
    ...(detail.repeatCount > 1 ? [["最近上报", time(detail.lastAt)] as const] : []),
    ["处理人", detail.assigneeName || null],
    ["受理", stepFact(detail, detail.acceptedAt, detail.respondBy)],
    ["处理完成", stepFact(detail, detail.resolvedAt, detail.resolveBy)],
    ...(detail.cause ? [["故障原因", detail.cause] as const] : []),
    ...(detail.measure ? [["处理措施", detail.measure] as const] : []),
  ];
}

/** Time of completion or the deadline; null once the malfunction ended without this step. */
function stepFact({ state }: Detail, at: string | null, by: string | null): string | null {
  if (at !== null) return doneText(at, by);
  return by !== null && isOpenState(state) ? `须在 ${formatDateTime(by).slice(0, 16)} 前` : null;
}
