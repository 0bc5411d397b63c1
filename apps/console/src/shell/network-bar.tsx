// Bar above every page while the server is out of reach, and until the page has been refreshed afterwards.
import { useEffect, useState, useSyncExternalStore } from "react";
import { content, networkStore } from "../kit/network.ts";
import { Glyph } from "./glyph.tsx";
import "./network-bar.css";

export function NetworkBar() {
  const { lostAt } = networkStore();
  const [isOld, setIsOld] = useState(false);
  useEffect(() => {
    if (lostAt !== null) {
      setIsOld(true);
      return;
    }
    if (!isOld) return;
    let isCurrent = true;
    void content.refetch().then(() => isCurrent && setIsOld(false));
    return () => {
      isCurrent = false;
    };
  }, [lostAt, isOld]);
  if (lostAt === null && !isOld) return null;
  return (
    <section className="network-bar" role="status" data-lost={lostAt !== null}>
      <Glyph name="alert" />
      {lostAt === null ? "网络已恢复，正在更新…" : <Loss lostAt={lostAt} />}
    </section>
  );
}

/** Follows what is on screen: another page has data of another time. */
function Loss({ lostAt }: { lostAt: number }) {
  const since = useSyncExternalStore(content.subscribe, () => content.sinceText(lostAt));
  const what = navigator.onLine ? "连接不上服务器" : "网络已断开";
  return `${what}，${since === null ? "" : `显示 ${since} 的数据，`}正在重连…`;
}
