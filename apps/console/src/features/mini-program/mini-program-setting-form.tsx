// The form of 小程序配置: the secret is typed and never shown again; left empty it stays as it is.
import {
  type MiniProgramSetting,
  MiniProgramSettingDraft,
  miniProgramContract,
} from "@cabinet/contract/mini-program/mini-program.contract.ts";
import Input from "antd/es/input";
import { toast } from "../../kit/feedback.ts";
import { useWrite } from "../../kit/query.ts";
import { FormDrawer } from "../../ui/form-frames.tsx";
import type { Field } from "../../ui/record-form.tsx";

export interface MiniProgramSettingFormProps {
  open: boolean;
  setting: MiniProgramSetting;
  /** Platform staff say whose it is. */
  tenantId: number | undefined;
  onClose: () => void;
}

export function MiniProgramSettingForm(props: MiniProgramSettingFormProps) {
  const { open, setting, tenantId, onClose } = props;
  const save = useWrite(miniProgramContract.saveSetting, {
    invalidates: [miniProgramContract.setting],
    isQuiet: true,
  });
  return (
    <FormDrawer
      open={open}
      title={`小程序配置：${setting.tenantName}`}
      schema={MiniProgramSettingDraft}
      fields={fieldsOf(setting)}
      initial={{ appId: setting.appId || (setting.paymentAppId ?? "") }}
      submitText="保存并验证"
      submit={async ({ appId, secret }) => {
        await save.mutateAsync({
          body: {
            appId,
            // A field that was emptied again changes nothing.
            ...(secret && { secret }),
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

function fieldsOf(setting: MiniProgramSetting): Field[] {
  const isNew = setting.editVersion === 0;
  return [
    {
      name: "appId",
      label: "小程序 AppID",
      control: <Input maxLength={18} placeholder="wx 开头，18 位" />,
      hint: isNew
        ? "小程序后台“开发管理 › 开发设置 › 开发者 ID”中查看"
        : "更换后，用户须在新的小程序中重新授权一次手机号",
    },
    {
      name: "secret",
      label: "AppSecret",
      control: (
        <Input.Password maxLength={32} autoComplete="off" placeholder="32 位小写字母和数字" />
      ),
      hint: isNew
        ? "加密保存，不再显示"
        : "加密保存，不再显示；留空则保持不变，更换 AppID 时须填写",
      problem: (value) => (isNew && !value ? "AppSecret不能为空" : null),
    },
  ];
}
