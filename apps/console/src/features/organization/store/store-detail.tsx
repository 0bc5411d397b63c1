// Detail view of one store: place, contact, staff and cabinets.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { mapLink } from "@cabinet/contract/kit/place.rules.ts";
import {
  type StoreDetail as Detail,
  type Store,
  storeContract,
} from "@cabinet/contract/organization/store/store.contract.ts";
import { ConnectivityStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { OpenIncidents } from "../../../domain/open-incidents.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { AnswerState, ErrorState } from "../../../ui/display/states.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { ContactPhone } from "./contact-phone.tsx";
import { cabinetsLink } from "./store-columns.tsx";
import "../../../ui/display/basics.css";
import "./store.css";

export function StoreDetail({ store }: { store: Store }) {
  const may = usePermissions();
  const answer = useCall(storeContract.get, { params: { id: store.id } });
  const detail = answer.data?.id === store.id ? answer.data : undefined;
  if (answer.error && !detail) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  return (
    <>
      <OpenIncidents of={{ storeId: store.id }} />
      <DrawerSection title="基本信息">
        <Facts facts={basicFacts(store, detail)} />
      </DrawerSection>
      <DrawerSection title="联系与负责">
        <Facts facts={peopleFacts(store, detail)} />
      </DrawerSection>
      <DrawerSection title="设备">
        {may("cabinet:read") ? (
          <StoreCabinets storeId={store.id} mayOpen={may("compartment:read")} />
        ) : (
          `共 ${store.cabinets} 台，在线 ${store.online} 台，有故障 ${store.faulty} 台`
        )}
      </DrawerSection>
    </>
  );
}

function basicFacts(store: Store, detail: Detail | undefined): DescriptionItem[] {
  const link = mapLink(store, store.name);
  return [
    ["编码", store.code],
    ["租户", store.tenantName],
    ["地区", store.region || null],
    ["地址", store.address || null],
    [
      "坐标（GCJ-02）",
      link && (
        <>
          {store.longitude}, {store.latitude}{" "}
          <a className="ui-link" href={link} target="_blank" rel="noopener noreferrer">
            查看地图
          </a>
        </>
      ),
    ],
    ["营业时间", store.openingHours || null],
    ["备注", store.remark || null],
    [
      "最近修改",
      detail &&
        `${formatDateTime(detail.editedAt)}${detail.editedBy ? `，${detail.editedBy}` : ""}`,
    ],
  ];
}

function peopleFacts(store: Store, detail: Detail | undefined): DescriptionItem[] {
  return [
    ["联系人", store.contactName || null],
    [
      "联系电话",
      <ContactPhone
        key={`${store.id} ${store.contactPhone}`}
        storeId={store.id}
        masked={store.contactPhone}
      />,
    ],
    ["负责人", store.managerName],
    ["运维人员", detail && (detail.caretakers.join("、") || null)],
  ];
}

/** Maximum number of cabinets in the drawer; 设备列表 shows all. */
const SHOWN = 20;

function StoreCabinets({ storeId, mayOpen }: { storeId: number; mayOpen: boolean }) {
  const answer = useCall(cabinetContract.list, {
    query: { page: 1, pageSize: SHOWN, storeId, sort: "name" },
  });
  useLiveRefresh("cabinet", () => answer.refetch());
  if (!answer.data) return <AnswerState answer={answer} />;
  const { list, total } = answer.data;
  if (total === 0) return <p className="ui-cell-none">暂无设备，可通过“分配设备”添加</p>;
  return (
    <>
      <ul className="store-cabinets">
        {list.map((cabinet) => (
          <li key={cabinet.id}>
            <span>
              {cabinet.name} <small>{cabinet.sn}</small>
            </span>
            <span className="store-cabinet-state">
              <ConnectivityStatus of={cabinet.connectivity} />
              {mayOpen && (
                <Link className="ui-link" to={pathTo("/cupboard/blockManage", { id: cabinet.id })}>
                  格口管理
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Link className="ui-link" to={cabinetsLink(storeId)}>
        在设备列表中查看全部 {total} 台
      </Link>
    </>
  );
}
