// Strip on every page about a sign-in from a browser that is new to the account, until it is closed in this browser.
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import Alert from "antd/es/alert";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { formatDateTime } from "../../kit/format.ts";
import { whenIdle } from "../../kit/idle.ts";
import { useCall } from "../../kit/query.ts";
import { ownerOf, useSession } from "../../kit/session.ts";
import "./new-device-notice.css";

const REFRESH_MS = 60_000;
const KEY = "cupboard:seen-device:";

export function NewDeviceNotice() {
  const key = `${KEY}${ownerOf(useSession())}`;
  const [isIdle, setIsIdle] = useState(false);
  const [seen, setSeen] = useState(() => localStorage.getItem(key));
  // The page comes first.
  useEffect(() => whenIdle(() => setIsIdle(true)), []);
  const { data } = useCall(
    accountContract.newDevice,
    {},
    { enabled: isIdle, refetchInterval: REFRESH_MS },
  );
  if (!data || seen === String(data.id)) return null;
  return (
    <Alert
      className="new-device"
      type="warning"
      banner
      role="status"
      title={
        <>
          <b>新设备登录</b> {formatDateTime(data.at)}，{data.device}，{data.address ?? "地址未知"}
          。如非本人，请<Link to="/settings/index">修改密码并退出其他登录</Link>
        </>
      }
      closable={{
        "aria-label": "知道了",
        onClose: () => {
          localStorage.setItem(key, String(data.id));
          setSeen(String(data.id));
        },
      }}
    />
  );
}
