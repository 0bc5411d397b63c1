// Issuing a cabinet's secret: what it does is said, then the secret is shown this once and never again.
import {
  cabinetSecretContract,
  type IssuedSecret,
  type KeyedCabinet,
} from "@cabinet/contract/cabinet-secret/cabinet-secret.contract.ts";
import { OVERLAP_HOURS } from "@cabinet/contract/cabinet-secret/cabinet-secret.rules.ts";
import Alert from "antd/es/alert";
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useState } from "react";
import { messageOf, toast } from "../../kit/feedback.ts";
import { formatDateTime } from "../../kit/format.ts";
import { useWrite } from "../../kit/query.ts";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { saveFile } from "../../ui/export-workbook.ts";
import { credentialOf } from "./credential-file.rules.ts";
import { activeSecrets } from "./secret-text.ts";
import "../../ui/basics.css";
import "./cabinet-secret.css";

const overlaps = [
  ["1", "1 小时"],
  ["24", "24 小时"],
  ["72", "3 天"],
  ["168", "7 天"],
] as const;

export interface IssueDialogProps {
  /** Null: closed. */
  cabinet: KeyedCabinet | null;
  onClose: () => void;
}

export function IssueDialog({ cabinet, onClose }: IssueDialogProps) {
  const [issued, setIssued] = useState<IssuedSecret | null>(null);
  const [shown, setShown] = useState(cabinet);
  if (cabinet && cabinet !== shown) setShown(cabinet);
  const isFirst = shown !== null && activeSecrets(shown).length === 0;
  const close = () => {
    onClose();
    setIssued(null);
  };
  return (
    <Modal
      open={cabinet !== null}
      title={issued ? "新密钥（只显示这一次）" : isFirst ? "生成密钥" : "轮换密钥"}
      width={560}
      footer={null}
      mask={{ closable: false }}
      // Once it is shown only the confirmation below closes it.
      keyboard={issued === null}
      closable={issued === null}
      scrollLock={false}
      destroyOnHidden
      onCancel={close}
    >
      {issued ? (
        <Issued issued={issued} onClose={close} />
      ) : (
        shown && <Ask cabinet={shown} isFirst={isFirst} onIssued={setIssued} onClose={close} />
      )}
    </Modal>
  );
}

interface AskProps {
  cabinet: KeyedCabinet;
  isFirst: boolean;
  onIssued: (issued: IssuedSecret) => void;
  onClose: () => void;
}

function Ask({ cabinet, isFirst, onIssued, onClose }: AskProps) {
  const [hours, setHours] = useState(String(OVERLAP_HOURS));
  const [failure, setFailure] = useState<string | null>(null);
  const issue = useWrite(cabinetSecretContract.issue, {
    invalidates: [cabinetSecretContract.list],
    isQuiet: true,
  });
  const run = async () => {
    setFailure(null);
    try {
      const body = { overlapHours: Number(hours) };
      onIssued(await issue.mutateAsync({ params: { id: cabinet.cabinetId }, body }));
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  const kids = activeSecrets(cabinet).map(({ kid }) => kid);
  return (
    <div className="issued">
      <p>
        {isFirst ? "为" : "轮换"}设备
        <b>
          “{cabinet.name}”（{cabinet.sn}）
        </b>
        {isFirst
          ? "生成连接密钥。密钥只显示一次，请准备好写入设备或保存。"
          : `的连接密钥。新密钥立即可用；现有密钥 ${kids.join("、")} 保留一段时间，请在此期间把新密钥写入设备。`}
      </p>
      {!isFirst && (
        <div className="issued-overlap">
          <p>旧密钥保留</p>
          <ChoiceBar label="旧密钥保留" choices={overlaps} chosen={hours} onChoose={setHours} />
        </div>
      )}
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      <div className="issued-foot">
        <span />
        <span className="issued-buttons">
          <Button disabled={issue.isPending} onClick={onClose}>
            取消
          </Button>
          <Button type="primary" loading={issue.isPending} onClick={() => void run()}>
            {isFirst ? "生成" : "轮换"}
          </Button>
        </span>
      </div>
    </div>
  );
}

function Issued({ issued, onClose }: { issued: IssuedSecret; onClose: () => void }) {
  const [isSaved, setIsSaved] = useState(false);
  const copy = async () => {
    try {
      await copyText(issued.secret);
      toast.success("密钥已复制");
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
  const download = () => {
    const text = `${JSON.stringify(credentialOf(issued, window.location), null, 2)}\n`;
    const file = new Blob([text], { type: "application/json" });
    saveFile(file, `${issued.sn}-${issued.kid}.json`);
  };
  return (
    <div className="issued">
      <Alert
        type="warning"
        showIcon
        title="关闭后不能再次查看。请现在复制或下载；不要通过聊天工具或邮件传送。"
      />
      <dl className="issued-secret">
        <div>
          <dt>设备</dt>
          <dd>
            {issued.name}（{issued.sn}）
          </dd>
        </div>
        <div>
          <dt>密钥编号</dt>
          <dd>
            <code>{issued.kid}</code>
          </dd>
        </div>
        <div>
          <dt>密钥</dt>
          <dd>
            <code>{issued.secret}</code>
          </dd>
        </div>
      </dl>
      <p className="issued-buttons">
        <Button type="primary" onClick={() => void copy()}>
          复制密钥
        </Button>
        <Button onClick={download}>下载凭据文件</Button>
      </p>
      {issued.previousKid && (
        <p>
          旧密钥 {issued.previousKid} 将于 {formatDateTime(issued.previousExpiresAt)}{" "}
          失效；届时仍用它连接的设备会断开。
        </p>
      )}
      <div className="issued-foot">
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
