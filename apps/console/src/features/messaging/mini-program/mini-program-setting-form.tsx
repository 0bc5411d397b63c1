// The form of 小程序配置: secrets are entered or generated here, never shown again; empty keeps them.
import {
  type MiniProgramSetting,
  MiniProgramSettingDraft,
  miniProgramContract,
} from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import {
  isSealedMode,
  PUSH_KEY_LENGTH,
  PUSH_MODES,
  PUSH_TOKEN_LENGTH,
  type PushMode,
  pushModeText,
} from "@cabinet/contract/messaging/mini-program/mini-program.rules.ts";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { useState } from "react";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import { RandomTextInput } from "../../../ui/form/random-text-input.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";

export interface MiniProgramSettingFormProps {
  open: boolean;
  setting: MiniProgramSetting;
  /** Tenant of the setting, chosen by platform staff; undefined: the account's own. */
  tenantId: number | undefined;
  onClose: () => void;
}

export function MiniProgramSettingForm(props: MiniProgramSettingFormProps) {
  const { open, setting, tenantId } = props;
  const [chosenMode, setChosenMode] = useState<PushMode | null>(null);
  const onClose = () => {
    setChosenMode(null);
    props.onClose();
  };
  const save = useWrite(miniProgramContract.saveSetting);
  return (
    <FormDrawer
      open={open}
      title={`小程序配置：${setting.tenantName}`}
      schema={MiniProgramSettingDraft}
      width={600}
      fields={[
        ...programFields(setting),
        ...pushFields(setting, chosenMode ?? setting.pushMode, setChosenMode),
      ]}
      initial={{
        appId: setting.appId || (setting.paymentAppId ?? ""),
        pushMode: setting.pushMode,
      }}
      submitText="保存并验证"
      submit={async ({ appId, secret, pushMode, pushToken, pushKey }) => {
        await save.mutateAsync({
          body: {
            appId,
            ...(pushMode && { pushMode }),
            // An empty secret field keeps the stored value.
            ...(secret && { secret }),
            ...(pushToken && { pushToken }),
            ...(pushKey && { pushKey }),
            ...(tenantId && { tenantId }),
            editVersion: setting.editVersion,
          },
        });
        toast.success("小程序配置已保存，正在验证");
      }}
      onClose={onClose}
    />
  );
}

function programFields(setting: MiniProgramSetting): FieldOf<typeof MiniProgramSettingDraft>[] {
  const isNew = setting.editVersion === 0;
  return [
    {
      section: "登录",
      name: "appId",
      label: "小程序 AppID",
      control: <Input placeholder="wx 开头，18 位" />,
      hint: isNew
        ? "小程序后台“开发管理 › 开发设置 › 开发者 ID”中查看"
        : "更换后，用户须在新的小程序中重新授权一次手机号",
    },
    {
      name: "secret",
      label: "AppSecret",
      control: <Input.Password autoComplete="off" placeholder="32 位小写字母和数字" />,
      hint: isNew
        ? "加密保存，不再显示"
        : "加密保存，不再显示；留空则保持不变，更换 AppID 时须填写",
      problem: (value) => (isNew && !value ? "AppSecret不能为空" : null),
    },
  ];
}

/** Push settings. WeChat verifies the URL at once, so token and key must be saved here first. */
function pushFields(
  setting: MiniProgramSetting,
  mode: PushMode,
  onMode: (mode: PushMode) => void,
): FieldOf<typeof MiniProgramSettingDraft>[] {
  const secret = (field: {
    name: keyof MiniProgramSettingDraft;
    label: string;
    length: number;
    isKept: boolean;
  }): FieldOf<typeof MiniProgramSettingDraft> => {
    const { name, label, length, isKept } = field;
    return {
      name,
      label,
      control: (
        <RandomTextInput
          length={length}
          placeholder={isKept ? "已保存，留空则保持不变" : `点“生成”，或填写小程序后台中已有的`}
        />
      ),
      hint: "保存后加密存放，不再显示：请先复制，再填到小程序后台",
      problem: (value) => (value || isKept ? null : `${label}不能为空`),
    };
  };
  const { hasPushToken, hasPushKey } = setting;
  return [
    {
      section: "消息推送",
      name: "pushMode",
      label: "消息加密方式",
      control: <Select<PushMode> options={modes} onChange={onMode} />,
      hint: "与小程序后台“开发管理 › 消息推送”中所选的一致；用来接收订阅消息的送达回执和用户的退订",
    },
    ...(mode === "OFF"
      ? []
      : [
          secret({
            name: "pushToken",
            label: "令牌 Token",
            length: PUSH_TOKEN_LENGTH,
            isKept: hasPushToken,
          }),
        ]),
    ...(isSealedMode(mode)
      ? [
          secret({
            name: "pushKey",
            label: "消息加密密钥 EncodingAESKey",
            length: PUSH_KEY_LENGTH,
            isKept: hasPushKey,
          }),
        ]
      : []),
  ];
}

const modes = PUSH_MODES.map((value) => ({ value, label: pushModeText[value] }));
