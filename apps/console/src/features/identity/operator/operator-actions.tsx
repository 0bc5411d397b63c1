// Row actions of both account lists, with their dialogs.
import {
  type Operator,
  operatorContract,
} from "@cabinet/contract/identity/operator/operator.contract.ts";
import { mayDelete } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { useRef, useState } from "react";
import { type FirstPassword, PasswordOnce } from "../../../domain/key/password-once.tsx";
import { call } from "../../../kit/api.ts";
import { reportError } from "../../../kit/errors.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useIsPlatform, usePermissions } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { exemptionQuestion } from "../second-factor/index.ts";
import { operatorChanged } from "./operator-changed.ts";
import { PasswordDialog, RolesDialog } from "./operator-dialogs.tsx";
import { OperatorForm } from "./operator-form.tsx";

type Opened = "edit" | "roles" | "password";

const ABOVE = "该账号的权限或门店超出您自己的";
const ONESELF = "不能操作自己的账号，请由其他管理员操作";

export function useOperatorActions() {
  const may = usePermissions();
  const isPlatform = useIsPlatform();
  const { username } = useSignedIn();
  const { ask: askNow, dialog } = useAction();
  const [account, setAccount] = useState<Operator | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [first, setFirst] = useState<FirstPassword | null>(null);
  const questions = useQuestions();
  const requests = useRef(0);
  const ask: typeof askNow = (question) => {
    requests.current += 1;
    askNow(question);
  };
  const open = (row: Operator, what: Opened) => {
    requests.current += 1;
    setAccount(row);
    setOpened(what);
  };
  const close = () => setOpened(null);
  // Fetch first: saving replaces all roles and would drop one granted since the list was read.
  const openRoles = async (row: Operator) => {
    requests.current += 1;
    const request = requests.current;
    const roles = await call(operatorContract.roles, { params: { id: row.id } });
    // Ignore a late response if another dialog was opened meanwhile.
    if (request === requests.current) open({ ...row, roles }, "roles");
  };

  const actionsOf = (row: Operator): RowAction[] => {
    if (!may("operator:write")) return [];
    const above = row.isManageable ? {} : { blocked: ABOVE };
    const notOneself = row.username === username ? { blocked: ONESELF } : above;
    return [
      { key: "edit", label: "编辑", run: () => open(row, "edit"), ...above },
      row.userType !== 0 && {
        key: "roles",
        label: "分配角色",
        run: () => void openRoles(row).catch(reportError),
        ...notOneself,
      },
      row.state === "LOCKED" && {
        key: "unlock",
        label: "解除限制",
        run: () => ask(questions.unlock(row)),
        ...above,
      },
      {
        key: "password",
        label: "重置密码",
        run: () => open(row, "password"),
        ...notOneself,
      },
      row.hasSecondFactor && {
        key: "second-factor",
        label: "清除两步验证",
        isDanger: true,
        run: () => ask(questions.clearSecondFactor(row)),
        ...notOneself,
      },
      isPlatform &&
        !row.hasSecondFactor && {
          key: "exemption",
          label: row.factorExemptUntil ? "结束两步验证例外" : "两步验证例外",
          run: () => ask(questions.exempt(row)),
        },
      row.state === "DISABLED"
        ? { key: "enable", label: "启用", run: () => ask(questions.enable(row)), ...above }
        : {
            key: "disable",
            label: "停用",
            isDanger: true,
            run: () => ask(questions.disable(row)),
            ...notOneself,
          },
      {
        key: "delete",
        label: "删除",
        isDanger: true,
        run: () => ask(questions.remove(row)),
        ...(mayDelete(row) ? {} : { blocked: "请先停用" }),
        ...notOneself,
      },
    ].filter((action) => action !== false);
  };

  const dialogs = (
    <>
      {dialog}
      {account && (
        <>
          <OperatorForm account={account} open={opened === "edit"} onClose={close} />
          <RolesDialog account={account} open={opened === "roles"} onClose={close} />
          <PasswordDialog
            account={account}
            open={opened === "password"}
            onReset={setFirst}
            onClose={close}
          />
        </>
      )}
      <PasswordOnce first={first} onClose={() => setFirst(null)} />
    </>
  );
  return { actionsOf, dialogs, showFirstPassword: setFirst };
}

/** Confirmation dialogs for disabling, enabling, unlocking and deleting an account. */
function useQuestions() {
  const disable = useWrite(operatorContract.disable, operatorChanged);
  const enable = useWrite(operatorContract.enable, operatorChanged);
  const unlock = useWrite(operatorContract.unlock, operatorChanged);
  const clear = useWrite(operatorContract.clearSecondFactor, operatorChanged);
  const exempt = useWrite(operatorContract.exemptFromFactor, operatorChanged);
  const remove = useWrite(operatorContract.delete, operatorChanged);
  const named = (row: Operator) => (
    <b>
      “{row.displayName}”（{row.username}）
    </b>
  );
  return {
    disable: (row: Operator) => ({
      title: "停用账号",
      effect: <>{named(row)}将立即退出登录，并且不能再登录；随时可以再启用。</>,
      confirm: "停用",
      isDanger: true,
      reasons: ["已离职", "岗位调整", "账号存在风险"],
      run: (reason: string) => disable.mutateAsync({ params: { id: row.id }, body: { reason } }),
      done: `账号“${row.displayName}”已停用`,
      undo: () => enable.mutateAsync({ params: { id: row.id }, body: { reason: "撤销停用" } }),
    }),
    enable: (row: Operator) => ({
      title: "启用账号",
      effect: (
        <>
          {named(row)}可以重新登录，密码、角色和门店与停用前相同。
          {row.disableReason && <p>停用时的原因：{row.disableReason}</p>}
        </>
      ),
      confirm: "启用",
      reasons: ["恢复工作", "误停用"],
      run: (reason: string) => enable.mutateAsync({ params: { id: row.id }, body: { reason } }),
      done: `账号“${row.displayName}”已启用`,
      undo: () => disable.mutateAsync({ params: { id: row.id }, body: { reason: "撤销启用" } }),
    }),
    unlock: (row: Operator) => ({
      title: "解除限制",
      effect: (
        <>
          {named(row)}连续登录失败，失败过的网络或浏览器在 {formatDateTime(row.lockedUntil)}{" "}
          之前不能登录，其他的照常。解除后可以立即再试；请先确认是本人在登录。
        </>
      ),
      confirm: "解除限制",
      reasons: ["本人输错密码，已核实身份"],
      run: (reason: string) => unlock.mutateAsync({ params: { id: row.id }, body: { reason } }),
      done: `账号“${row.displayName}”已解除登录限制`,
    }),
    clearSecondFactor: (row: Operator) => ({
      title: "清除两步验证",
      effect: (
        <>
          {named(row)}
          的验证器、通行密钥和恢复码全部作废，正在使用的登录立即退出，再次登录只凭密码。请先用电话以外的方式确认是本人。
        </>
      ),
      confirm: "清除",
      isDanger: true,
      reasons: ["手机丢失，已当面核实身份", "已换手机，恢复码遗失，已核实身份"],
      run: (reason: string) => clear.mutateAsync({ params: { id: row.id }, body: { reason } }),
      done: `账号“${row.displayName}”的两步验证已清除`,
    }),
    exempt: (row: Operator) =>
      exemptionQuestion({
        who: named(row),
        name: `账号“${row.displayName}”`,
        isExempt: row.factorExemptUntil !== null,
        write: (body) => exempt.mutateAsync({ params: { id: row.id }, body }),
      }),
    remove: (row: Operator) => ({
      title: "删除账号",
      effect: <DeleteEffect account={row} />,
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: row.id } }),
      done: `账号“${row.displayName}”已删除`,
    }),
  };
}

/** Effect of the deletion: stores that lose this account or their manager. */
function DeleteEffect({ account }: { account: Operator }) {
  const { data } = useCall(operatorContract.get, { params: { id: account.id } });
  const managed = data?.managedStores ?? [];
  return (
    <>
      账号
      <b>
        “{account.displayName}”（{account.username}）
      </b>
      将被删除，不能恢复；以往的操作记录保留其姓名。
      {account.stores.length > 0 && <p>{account.stores.length} 家门店将不再由其负责。</p>}
      {managed.length > 0 && <p>门店{managed.join("、")}将没有负责人。</p>}
    </>
  );
}
