// Dialog that shows a first password exactly once; it closes when the password was handed over.
import Alert from "antd/es/alert";
import { useState } from "react";
import { Button } from "../../ui/display/button.tsx";
import { copyWithToast } from "../../ui/display/copy-text.ts";
import { Modal } from "../../ui/display/overlays.tsx";
import "../../ui/display/basics.css";
import "../../ui/display/shown-once.css";

export interface FirstPassword {
  /** Names the completed action, such as 账号已新增. */
  title: string;
  displayName: string;
  username: string;
  password: string;
}

export interface PasswordOnceProps {
  /** Null: the dialog is closed. */
  first: FirstPassword | null;
  onClose: () => void;
}

export function PasswordOnce({ first, onClose }: PasswordOnceProps) {
  // Keeps the password rendered during the closing animation, then drops it.
  const [shown, setShown] = useState(first);
  if (first && first !== shown) setShown(first);
  return (
    <Modal
      open={first !== null}
      title={shown?.title}
      width={480}
      footer={null}
      keyboard={false}
      closable={false}
      mask={{ closable: false }}
      scrollLock={false}
      destroyOnHidden
      afterClose={() => setShown(null)}
    >
      {shown && <Handover first={shown} onClose={onClose} />}
    </Modal>
  );
}

function Handover({ first, onClose }: { first: FirstPassword; onClose: () => void }) {
  const [isHandedOver, setIsHandedOver] = useState(false);
  const { displayName, username, password } = first;
  const copy = () => copyWithToast(`账号：${username}\n密码：${password}`, "账号和密码已复制");
  return (
    <div className="ui-once">
      <Alert
        type="warning"
        showIcon
        title="密码只显示这一次。请当面或经可靠的途径交给本人，登录后须先改成自己的密码。"
      />
      <dl>
        <div>
          <dt>姓名</dt>
          <dd>{displayName}</dd>
        </div>
        <div>
          <dt>账号</dt>
          <dd>
            <code>{username}</code>
          </dd>
        </div>
        <div>
          <dt>密码</dt>
          <dd>
            <code>{password}</code>
          </dd>
        </div>
      </dl>
      <div className="ui-once-foot">
        <label>
          <input
            type="checkbox"
            className="ui-check"
            checked={isHandedOver}
            onChange={(event) => setIsHandedOver(event.target.checked)}
          />
          我已记下密码
        </label>
        <span className="ui-once-buttons">
          <Button onClick={() => void copy()}>复制账号和密码</Button>
          <Button type="primary" disabled={!isHandedOver} onClick={onClose}>
            完成
          </Button>
        </span>
      </div>
    </div>
  );
}
