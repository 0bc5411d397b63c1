// Dialog that issues or rotates a key: explains the effect, then shows the secret exactly once.
import Alert from "antd/es/alert";
import { type ReactNode, useState } from "react";
import { messageOf } from "../../kit/feedback.ts";
import { formatDateTime } from "../../kit/format.ts";
import { Button } from "../../ui/display/button.tsx";
import { copyWithToast } from "../../ui/display/copy-text.ts";
import { Modal } from "../../ui/display/overlays.tsx";
import { useLast } from "../../ui/display/use-last.ts";
import { ChoiceBar } from "../../ui/form/choice-bar.tsx";
import { saveFile } from "../../ui/sheet/export-workbook.ts";
import "../../ui/display/basics.css";
import "./issue-key.css";
import "../../ui/display/shown-once.css";

const overlaps = [
  ["1", "1 小时"],
  ["24", "24 小时"],
  ["72", "3 天"],
  ["168", "7 天"],
] as const;

const SHOWN_ONCE = "新密钥（只显示这一次）";

/** Content of the one-time display. */
export interface ShownSecret {
  /** Owner and name of the key, shown above the secret. */
  facts: readonly (readonly [name: string, value: ReactNode])[];
  secret: string;
  /** Everything that the key's user needs, offered as a download. */
  file?: { name: string; content: unknown };
  /** The previous key and when it expires. */
  previous?: { kid: string; expiresAt: string | null; effect: string };
}

export interface IssueKeyProps<Issued> {
  open: boolean;
  /** Owner of the key. */
  owner: ReactNode;
  /** Name of the key's purpose, such as 连接密钥. */
  what: string;
  /** Keys now in force; empty for the first key. */
  kids: readonly string[];
  defaultHours: number;
  issue: (overlapHours: number) => Promise<Issued>;
  show: (issued: Issued) => ShownSecret;
  onClose: () => void;
}

export function IssueKey<Issued>(props: IssueKeyProps<Issued>) {
  const [issued, setIssued] = useState<Issued | null>(null);
  const isFirst = props.kids.length === 0;
  const close = () => {
    props.onClose();
    setIssued(null);
  };
  return (
    <Modal
      open={props.open}
      title={issued ? SHOWN_ONCE : isFirst ? "生成密钥" : "轮换密钥"}
      width={560}
      footer={null}
      mask={{ closable: false }}
      // After the secret is shown only the confirmation below closes the dialog.
      keyboard={issued === null}
      closable={issued === null}
      scrollLock={false}
      destroyOnHidden
      onCancel={close}
    >
      {issued ? (
        <Shown shown={props.show(issued)} onClose={close} />
      ) : (
        <Ask {...props} isFirst={isFirst} onIssued={setIssued} onClose={close} />
      )}
    </Modal>
  );
}

interface ShownKeyDialogProps {
  /** Null: the dialog is closed. */
  shown: ShownSecret | null;
  onClose: () => void;
}

/** Shows a key that another form has just issued. */
export function ShownKeyDialog({ shown, onClose }: ShownKeyDialogProps) {
  const last = useLast(shown);
  return (
    <Modal
      open={shown !== null}
      title={SHOWN_ONCE}
      width={560}
      footer={null}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      scrollLock={false}
      destroyOnHidden
    >
      {last && <Shown shown={last} onClose={onClose} />}
    </Modal>
  );
}

interface AskProps<Issued> extends IssueKeyProps<Issued> {
  isFirst: boolean;
  onIssued: (issued: Issued) => void;
}

function Ask<Issued>(props: AskProps<Issued>) {
  const { owner, what, kids, isFirst, onIssued, onClose } = props;
  const [hours, setHours] = useState(String(props.defaultHours));
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      onIssued(await props.issue(Number(hours)));
    } catch (error) {
      setFailure(messageOf(error));
      setIsBusy(false);
    }
  };
  return (
    <div className="ui-once">
      <p>
        {isFirst ? "为" : "轮换"}
        {owner}
        {isFirst
          ? `生成${what}。密钥只显示一次，请准备好写入第三方系统或保存。`
          : `的${what}。新密钥立即可用；现有密钥 ${kids.join("、")} 保留一段时间，请在此期间换上新密钥。`}
      </p>
      {!isFirst && (
        <div className="ui-issue-overlap">
          <p>旧密钥保留</p>
          <ChoiceBar label="旧密钥保留" choices={overlaps} chosen={hours} onChoose={setHours} />
        </div>
      )}
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      <div className="ui-once-foot">
        <span />
        <span className="ui-once-buttons">
          <Button disabled={isBusy} onClick={onClose}>
            取消
          </Button>
          <Button type="primary" loading={isBusy} onClick={() => void run()}>
            {isFirst ? "生成" : "轮换"}
          </Button>
        </span>
      </div>
    </div>
  );
}

function Shown({ shown, onClose }: { shown: ShownSecret; onClose: () => void }) {
  const { facts, secret, file, previous } = shown;
  const [isSaved, setIsSaved] = useState(false);
  const download = ({ name, content }: NonNullable<ShownSecret["file"]>) => {
    const text = `${JSON.stringify(content, null, 2)}\n`;
    saveFile(new Blob([text], { type: "application/json" }), name);
  };
  return (
    <div className="ui-once">
      <Alert
        type="warning"
        showIcon
        title="关闭后不能再次查看。请现在复制或下载；不要通过聊天工具或邮件传送。"
      />
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>密钥</dt>
          <dd>
            <code>{secret}</code>
          </dd>
        </div>
      </dl>
      <p className="ui-once-buttons">
        <Button type="primary" onClick={() => void copyWithToast(secret, "密钥已复制")}>
          复制密钥
        </Button>
        {file && <Button onClick={() => download(file)}>下载凭据文件</Button>}
      </p>
      {previous && (
        <p>
          旧密钥 {previous.kid} 将于 {formatDateTime(previous.expiresAt)} 失效；{previous.effect}
        </p>
      )}
      <div className="ui-once-foot">
        <label>
          <input
            type="checkbox"
            className="ui-check"
            checked={isSaved}
            onChange={(event) => setIsSaved(event.target.checked)}
          />
          我已保存密钥
        </label>
        <Button disabled={!isSaved} onClick={onClose}>
          完成
        </Button>
      </div>
    </div>
  );
}
