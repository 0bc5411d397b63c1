// Form to change the signed-in account's password, which ends all its other sessions.
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { authContract, NewPassword } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { passwordWeakness } from "@cabinet/contract/identity/auth/password.rules.ts";
import { Strict } from "@cabinet/contract/kit/fields.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import { Type } from "typebox";
import { PasswordRules } from "../../../domain/key/password-rules.tsx";
import { toast } from "../../../kit/feedback.ts";
import { invalidate, useWrite } from "../../../kit/query.ts";
import { sessionStore, useSignedIn } from "../../../kit/session.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";

const PasswordFields = Strict({
  oldPassword: Type.String({ title: "原密码", minLength: 1, maxLength: 128 }),
  newPassword: NewPassword,
  repeated: Type.String({ title: "再次输入新密码", minLength: 1, maxLength: 128 }),
});

const password = (autoComplete: string) => <Input.Password autoComplete={autoComplete} />;

export function PasswordForm({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { username } = useSignedIn();
  const change = useWrite(authContract.changePassword);
  return (
    <FormDialog
      open={open}
      title="修改密码"
      schema={PasswordFields}
      submitText="修改密码"
      fields={[
        { name: "oldPassword", label: "原密码", control: password("current-password") },
        {
          name: "newPassword",
          label: "新密码",
          control: password("new-password"),
          hint: <Requirements username={username} />,
          problem: (value) => {
            const weakness = passwordWeakness(String(value ?? ""), username);
            return weakness && `新密码须满足：${weakness}`;
          },
        },
        { name: "repeated", label: "再次输入新密码", control: password("new-password") },
      ]}
      submit={async ({ oldPassword, newPassword, repeated }) => {
        if (newPassword !== repeated) throw new Error("两次输入的新密码不一致");
        const session = await change.mutateAsync({ body: { oldPassword, newPassword } });
        sessionStore.setState({ session });
        void invalidate(accountContract.sessions, accountContract.profile);
        toast.success("密码已修改，您在其他地方的登录已退出");
      }}
      onClose={onClose}
    >
      <p className="ui-form-note">修改后，您在其他浏览器和设备上的登录会立即退出。</p>
    </FormDialog>
  );
}

function Requirements({ username }: { username: string }) {
  const typed = Form.useWatch("newPassword", Form.useFormInstance()) as string | undefined;
  return <PasswordRules password={typed ?? ""} username={username} />;
}
