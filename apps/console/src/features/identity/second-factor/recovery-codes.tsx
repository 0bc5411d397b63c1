// Recovery codes, shown once.
import Alert from "antd/es/alert";
import { useState } from "react";
import { Button } from "../../../ui/display/button.tsx";
import { copyWithToast } from "../../../ui/display/copy-text.ts";
import "../../../ui/display/basics.css";
import "../../../ui/display/shown-once.css";
import "./second-factor.css";

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isKept, setIsKept] = useState(false);
  return (
    <div className="ui-once">
      <Alert
        type="warning"
        showIcon
        title="恢复码只显示这一次。手机丢失或换机时，用一个恢复码代替验证码登录；每个只能用一次，请存放在手机以外的地方。"
      />
      <ul className="second-factor-recovery" aria-label="恢复码">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="ui-once-foot">
        <label>
          <input
            type="checkbox"
            className="ui-check"
            checked={isKept}
            onChange={(event) => setIsKept(event.target.checked)}
          />
          我已存好恢复码
        </label>
        <span className="ui-once-buttons">
          <Button onClick={() => void copyWithToast(codes.join("\n"), "恢复码已复制")}>复制</Button>
          <Button type="primary" disabled={!isKept} onClick={onDone}>
            完成
          </Button>
        </span>
      </div>
    </div>
  );
}
