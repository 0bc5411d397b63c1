// 两步验证 in 个人设置: authenticator, passkeys and recovery codes of the signed-in account.
import {
  type Passkey,
  secondFactorContract,
} from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import { nameOf, Strict } from "@cabinet/contract/kit/fields.ts";
import Input from "antd/es/input";
import { useState } from "react";
import { addPasskey, canUsePasskeys } from "../../../domain/proof/passkey.ts";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { invalidateNoun, useCall, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { Modal } from "../../../ui/display/overlays.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { TotpForm } from "./totp-form.tsx";
import "../../../ui/display/basics.css";
import "./second-factor.css";

const PasskeyName = Strict({
  name: nameOf("名称", 1, 20),
});

export function SecondFactorCard() {
  const answer = useCall(secondFactorContract.get);
  const questions = useQuestions();
  const { ask, dialog } = useAction();
  const [opened, setOpened] = useState<"totp" | "passkey" | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { data } = answer;
  if (data === null) return null;
  const close = () => setOpened(null);
  const isOn = data !== undefined && (data.hasTotp || data.passkeys.length > 0);
  const finished = (newCodes: string[], text: string) => {
    close();
    void invalidateNoun(secondFactorContract.get);
    toast.success(text);
    if (newCodes.length > 0) setCodes(newCodes);
  };
  return (
    <PageCard
      title="两步验证"
      extra={data && <Status tone={isOn ? "good" : "quiet"}>{isOn ? "已开启" : "未开启"}</Status>}
    >
      {data ? (
        <dl className="account-choices">
          <div>
            <dt>验证器</dt>
            <dd>
              <span>{data.hasTotp ? "已绑定" : "未绑定"}</span>
              {data.hasTotp ? (
                <Button size="small" onClick={() => ask(questions.removeTotp)}>
                  解除绑定
                </Button>
              ) : (
                <Button size="small" type="primary" onClick={() => setOpened("totp")}>
                  绑定
                </Button>
              )}
            </dd>
          </div>
          <div>
            <dt>通行密钥</dt>
            <dd>
              {data.passkeys.map((passkey) => (
                <span key={passkey.id} className="second-factor-passkey">
                  {passkey.name}
                  <small>{passkeyNote(passkey)}</small>
                  <Button
                    size="small"
                    aria-label={`删除通行密钥 ${passkey.name}`}
                    onClick={() => ask(questions.removePasskey(passkey))}
                  >
                    删除
                  </Button>
                </span>
              ))}
              {canUsePasskeys ? (
                <Button size="small" onClick={() => setOpened("passkey")}>
                  新增
                </Button>
              ) : (
                <span className="ui-cell-none">用域名经 HTTPS 打开控制台时可以使用</span>
              )}
            </dd>
          </div>
          {isOn && (
            <div>
              <dt>恢复码</dt>
              <dd>
                <span>剩余 {data.recoveryCodes} 个</span>
                <Button size="small" onClick={() => ask(questions.renew(setCodes))}>
                  重新生成
                </Button>
              </dd>
            </div>
          )}
        </dl>
      ) : (
        <AnswerState answer={answer} />
      )}
      <p className="account-note">
        开启后，登录除密码外还要输入手机验证器里的验证码，或使用通行密钥。
        {data?.isDemanded && "此账号要求两步验证，至少保留一种方式。"}
      </p>
      {dialog}
      <Modal
        open={opened === "totp"}
        title="绑定验证器"
        width={440}
        footer={null}
        mask={{ closable: false }}
        scrollLock={false}
        destroyOnHidden
        onCancel={close}
      >
        <TotpForm
          onBound={(newCodes) => finished(newCodes, "验证器已绑定")}
          onCancel={close}
          cancelText="取消"
        />
      </Modal>
      <FormDialog
        open={opened === "passkey"}
        title="新增通行密钥"
        schema={PasskeyName}
        submitText="继续"
        fields={[
          {
            name: "name",
            label: "名称",
            control: <Input placeholder="如：办公室电脑" />,
            hint: "随后由浏览器用指纹、面容或 PIN 确认；密钥只能在当前域名下使用",
          },
        ]}
        submit={async ({ name }) => finished(await addPasskey(name), "通行密钥已新增")}
        onClose={close}
      />
      <Modal
        open={codes !== null}
        title="恢复码"
        width={480}
        footer={null}
        keyboard={false}
        closable={false}
        mask={{ closable: false }}
        scrollLock={false}
        destroyOnHidden
      >
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Modal>
    </PageCard>
  );
}

function passkeyNote({ host, lastUsedAt, createdAt }: Passkey): string {
  const use = lastUsedAt
    ? `最近使用 ${formatDateTime(lastUsedAt)}`
    : `${formatDateTime(createdAt)} 新增`;
  return host === location.hostname ? use : `${use}，用于 ${host}`;
}

function useQuestions() {
  const removeTotp = useWrite(secondFactorContract.removeTotp);
  const removePasskey = useWrite(secondFactorContract.removePasskey);
  const renew = useWrite(secondFactorContract.renewRecoveryCodes);
  return {
    removeTotp: {
      title: "解除绑定验证器",
      effect: "手机验证器里的验证码不再有效。没有其他方式时，两步验证随之关闭，登录只凭密码。",
      confirm: "解除绑定",
      isDanger: true,
      run: () => removeTotp.mutateAsync({}),
      done: "验证器已解除绑定",
    },
    removePasskey: ({ id, name }: Passkey) => ({
      title: "删除通行密钥",
      effect: `“${name}”不能再用于验证。没有其他方式时，两步验证随之关闭，登录只凭密码。`,
      confirm: "删除",
      isDanger: true,
      run: () => removePasskey.mutateAsync({ params: { id } }),
      done: `通行密钥“${name}”已删除`,
    }),
    renew: (show: (codes: string[]) => void) => ({
      title: "重新生成恢复码",
      effect: "旧的恢复码全部失效，新的只显示一次。",
      confirm: "重新生成",
      run: async () => show((await renew.mutateAsync({})).recoveryCodes),
    }),
  };
}
