// Heading of the adverts page, which is not in the menu: title, and the cabinet it is filtered by.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { Link } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { useListState } from "../../../ui/list/list-state.ts";
import "../../../domain/cabinet/log-heading.css";

/** `cabinetId` undefined: the adverts of all cabinets. */
export function AdvertHeading({ cabinetId }: { cabinetId: number | undefined }) {
  const { filter } = useListState();
  const mayRead = usePermission("cabinet:read");
  const cabinet = useCall(
    cabinetContract.get,
    { params: { id: cabinetId ?? 0 } },
    { enabled: cabinetId !== undefined && mayRead },
  );
  return (
    <header className="log-heading">
      <h2>广告管理</h2>
      {cabinetId !== undefined && (
        <>
          <span className="log-cabinet">
            {cabinet.data
              ? `投放到 ${cabinet.data.name}（${cabinet.data.sn}）的广告`
              : `投放到设备 ${cabinetId} 的广告`}
          </span>
          <button type="button" className="ui-link" onClick={() => filter({ cabinetId: "" })}>
            查看全部广告
          </button>
        </>
      )}
      <Link className="ui-link log-back" to="/cupboard/index">
        返回设备列表
      </Link>
    </header>
  );
}
