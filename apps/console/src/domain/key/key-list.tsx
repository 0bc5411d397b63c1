// Keys with a rotation overlap: a cell shows those in force, a drawer all known ones.
import { formatDateTime } from "../../kit/format.ts";
import { Age, Status } from "../../ui/display/status.tsx";
import { CellText } from "../../ui/list/data-table.tsx";
import { activeKeys, type KeyFacts, secretStateText, secretTone } from "./key-text.ts";
import "../../ui/display/basics.css";
import "./key-list.css";

export function ActiveKeys({ keys }: { keys: readonly KeyFacts[] }) {
  const active = activeKeys(keys);
  if (active.length === 0) return <CellText>{null}</CellText>;
  return (
    <span className="ui-kids">
      {active.map(({ kid, isConnected }) => (
        <code
          key={kid}
          data-connected={isConnected}
          title={isConnected ? "设备当前用它连接" : undefined}
        >
          {kid}
        </code>
      ))}
    </span>
  );
}

export function KeyList({ keys }: { keys: readonly KeyFacts[] }) {
  if (keys.length === 0) return <p className="ui-cell-none">暂无密钥</p>;
  return (
    <ul className="ui-keys">
      {keys.map((key) => (
        <li key={key.kid}>
          <span className="ui-keys-head">
            <code data-connected={key.isConnected}>{key.kid}</code>
            <Status tone={secretTone[key.state]}>{secretStateText(key)}</Status>
            {key.isConnected && <b>当前连接</b>}
          </span>
          <small>
            {formatDateTime(key.createdAt)} 生成
            {key.issuedBy && `（${key.issuedBy}）`}
            {key.revokedBy && `，由 ${key.revokedBy} 吊销`}
          </small>
          <small>
            最近使用 <Age time={key.lastUsedAt} />
          </small>
        </li>
      ))}
    </ul>
  );
}
