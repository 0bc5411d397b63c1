// Form for the signed-in account's name and phone number.
import {
  accountContract,
  type Profile,
  ProfileDraft,
} from "@cabinet/contract/identity/account/account.contract.ts";
import { PHONE_HINT } from "@cabinet/contract/kit/phone.rules.ts";
import Input from "antd/es/input";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { PhoneInput } from "../../../ui/form/phone-input.tsx";

export interface ProfileFormProps {
  open: boolean;
  profile: Profile;
  onClose: () => void;
}

export function ProfileForm({ open, profile, onClose }: ProfileFormProps) {
  const save = useWrite(accountContract.saveProfile);
  const { displayName, phone: masked, editVersion } = profile;
  return (
    <FormDialog
      open={open}
      title="修改资料"
      schema={ProfileDraft}
      fields={[
        {
          name: "displayName",
          label: "姓名",
          control: <Input />,
          hint: "显示在操作日志和处理记录中",
        },
        {
          name: "phone",
          label: "手机号",
          control: <PhoneInput placeholder={masked || PHONE_HINT} />,
          hint: masked ? "留空则保持不变" : "用来接收故障通知短信，可以不填",
        },
      ]}
      initial={{ displayName }}
      submit={async (draft) => {
        const { phone } = draft;
        const body = {
          displayName: draft.displayName.trim(),
          ...(phone && { phone }),
          editVersion,
        };
        await save.mutateAsync({ body });
        toast.success("资料已保存");
      }}
      onClose={onClose}
    />
  );
}
