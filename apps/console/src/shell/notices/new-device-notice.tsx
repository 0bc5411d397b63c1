// Strip on every page about a sign-in from a browser that is new to the account, until it is closed in this browser.
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { formatDateTime } from "../../kit/format.ts";
import { whenIdle } from "../../kit/idle.ts";
import { useCall } from "../../kit/query.ts";
import { ownerOf, useSession } from "../../kit/session.ts";
import { Glyph } from "../glyph.tsx";
import "./notice-strip.css";

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
  const close = () => {
    localStorage.setItem(key, String(data.id));
    setSeen(String(data.id));
  };
  const time = formatDateTime(data.at);
  const place = `${data.device}，${data.address ?? "地址未知"}`;
  return (
    <aside className="notice-strip" aria-label="登录提醒" aria-live="polite">
      <div>
        <article>
          <h2>
            <Glyph name="alert" />
            新设备登录
          </h2>
          <time dateTime={data.at}>{time}</time>
          <p title={place}>
            <b>{place}</b> 如非本人，请修改密码
          </p>
          <div>
            <Link to="/settings/index">查看登录记录</Link>
            <button type="button" onClick={close}>
              知道了
            </button>
          </div>
        </article>
      </div>
    </aside>
  );
}
