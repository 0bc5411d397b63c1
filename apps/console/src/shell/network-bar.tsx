// Bar above every page while the server is out of reach, and until the page has been refreshed afterwards.
import { useEffect, useState } from "react";
import { formatNear } from "../kit/format.ts";
import { networkStore } from "../kit/network.ts";
import { contentSince, refetchContent } from "../kit/query.ts";
import { Glyph } from "./glyph.tsx";
import "./network-bar.css";

export function NetworkBar() {
  const { lostAt } = networkStore();
  const [since, setSince] = useState<number | null>(null);
  const [isOld, setIsOld] = useState(false);
  useEffect(() => {
    if (lostAt !== null) {
      setSince(contentSince());
      setIsOld(true);
      return;
    }
    if (!isOld) return;
    let isCurrent = true;
    void refetchContent().then(() => isCurrent && setIsOld(false));
    return () => {
      isCurrent = false;
    };
  }, [lostAt, isOld]);
  if (lostAt === null && !isOld) return null;
  return (
    <section className="network-bar" role="status" data-lost={lostAt !== null}>
      <Glyph name="alert" />
      {lostAt === null ? "网络已恢复，正在更新…" : lossText(since, lostAt)}
    </section>
  );
}

function lossText(since: number | null, now: number): string {
  const what = navigator.onLine ? "连接不上服务器" : "网络已断开";
  return `${what}，${since === null ? "" : `显示 ${formatNear(since, now)} 的数据，`}正在重连…`;
}
