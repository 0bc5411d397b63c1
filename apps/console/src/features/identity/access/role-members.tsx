// 成员: accounts that have a role; those with more permissions than the user's cannot be changed.
import {
  type Role,
  type RoleCandidate,
  roleContract,
} from "@cabinet/contract/identity/access/role.contract.ts";
import Input from "antd/es/input";
import { useState } from "react";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Status } from "../../../ui/display/status.tsx";
import { useLast } from "../../../ui/display/use-last.ts";
import type { Control } from "../../../ui/form/control.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { roleChanged } from "./role-actions.tsx";
import { accountKindText } from "./role-text.ts";
import "./role.css";

const Members = Type.Object({ operatorIds: Type.Array(Type.Integer()) });

export interface RoleMembersProps {
  /** Null: the dialog is closed. */
  role: Role | null;
  onClose: () => void;
}

export function RoleMembers({ role, onClose }: RoleMembersProps) {
  const shown = useLast(role);
  const answer = useCall(
    roleContract.candidates,
    { params: { id: shown?.id ?? 0 } },
    { enabled: role !== null, staleTime: 0 },
  );
  const save = useWrite(roleContract.saveMembers, roleChanged);
  const isReady = answer.data !== undefined && answer.isFetchedAfterMount && !answer.isFetching;
  // Members when the dialog opened; changes are calculated against these.
  const [before, setBefore] = useState<readonly RoleCandidate[] | null>(null);
  if (role === null && before) setBefore(null);
  if (role !== null && isReady && before === null) setBefore(answer.data);
  const had = before?.filter(({ isMember }) => isMember).map(({ id }) => id) ?? [];
  return (
    <FormDialog
      key={before ? "ready" : "waiting"}
      open={role !== null}
      title={`成员：${shown?.name ?? ""}`}
      schema={Members}
      fields={[
        {
          name: "operatorIds",
          label: "有此角色的账号",
          control: <PeoplePicker people={before} failure={answer.error?.message ?? null} />,
          hint: "一个账号可以有几个角色，权限和门店范围合并计算；变更在该账号的下一次操作时生效",
        },
      ]}
      initial={{ operatorIds: had }}
      submit={async ({ operatorIds }) => {
        const addedOperatorIds = operatorIds.filter((id) => !had.includes(id));
        const removedOperatorIds = had.filter((id) => !operatorIds.includes(id));
        const { added, removed } = await save.mutateAsync({
          params: { id: shown?.id ?? 0 },
          body: { addedOperatorIds, removedOperatorIds },
        });
        toast.success(`“${shown?.name}”加入 ${added} 人，移出 ${removed} 人`);
      }}
      onClose={onClose}
    />
  );
}

interface PeoplePickerProps extends Control<readonly number[], number[]> {
  people: readonly RoleCandidate[] | null;
  failure: string | null;
}

function PeoplePicker({ people, failure, id, value = [], onChange }: PeoplePickerProps) {
  const [words, setWords] = useState("");
  const found = people?.filter(({ displayName, username }) =>
    `${displayName} ${username}`.toLowerCase().includes(words.trim().toLowerCase()),
  );
  const set = (operatorId: number, isOn: boolean) =>
    onChange?.(isOn ? [...value, operatorId] : value.filter((one) => one !== operatorId));
  return (
    <>
      <Input
        id={id}
        allowClear
        placeholder="按姓名或账号查找"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <ul className="role-people" aria-label="账号">
        {found?.map((person) => (
          <li key={person.id}>
            <label
              data-blocked={!person.isWithinReach}
              title={person.isWithinReach ? undefined : "该账号的权限或门店范围超出您自己的"}
            >
              <input
                type="checkbox"
                className="ui-check"
                checked={value.includes(person.id)}
                disabled={!person.isWithinReach}
                onChange={(event) => set(person.id, event.target.checked)}
              />
              <span className="role-people-name">
                {person.displayName} <small>{person.username}</small>
              </span>
              {person.isDisabled && <Status tone="quiet">已停用</Status>}
              <small>{accountKindText[person.userType]}</small>
            </label>
          </li>
        ))}
        {!found && <li className="role-people-none">{failure ?? "正在加载…"}</li>}
        {found?.length === 0 && (
          <li className="role-people-none">
            {words ? "没有符合的账号" : "暂无账号，请先在“用户管理”中新增"}
          </li>
        )}
      </ul>
    </>
  );
}
