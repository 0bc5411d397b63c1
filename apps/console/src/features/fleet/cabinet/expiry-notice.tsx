// Notice above a tenant's cabinets when the service of some expires soon or has expired.
import { serviceReminders } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { cabinetServiceContract } from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { useListState } from "../../../ui/list/list-state.ts";
import "../../../ui/display/basics.css";
import "../../../domain/cabinet/cabinet-service.css";

const STALE_MS = 60_000;

export function ExpiryNotice() {
  const isPlatform = useIsPlatform();
  const { filter } = useListState();
  const { data } = useCall(
    cabinetServiceContract.summary,
    {},
    { enabled: !isPlatform, staleTime: STALE_MS },
  );
  if (isPlatform || !data) return null;
  const reminders = serviceReminders(data);
  if (reminders.length === 0) return null;
  return (
    <p className="ui-order-notice" role="status">
      <b>设备服务提醒</b>
      {reminders.map(({ state, text }) => (
        <button
          key={state}
          type="button"
          className="ui-link"
          onClick={() => filter({ serviceState: state })}
        >
          {text}
        </button>
      ))}
      <span>
        {data.nextEndsOn && `最近到期日 ${data.nextEndsOn}。`}请联系平台续期；已存物品可照常取出。
      </span>
    </p>
  );
}
