// Tag dialogs: replace the tags of one user, or add tags to several users.

import { Id, Strict } from "@cabinet/contract/kit/fields.ts";
import type { EndUser } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { MOST_TAGS, MOST_TAGS_OF_ONE } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { tagContract } from "@cabinet/contract/orders/end-user/tag.contract.ts";
import Select from "antd/es/select";
import { Type } from "typebox";
import { personText } from "../../../domain/person-text.ts";
import { toast } from "../../../kit/feedback.ts";
import { Link } from "../../../kit/paths.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import type { Control } from "../../../ui/form/control.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { endUserChanged } from "./end-user-changed.ts";
import { TagChip } from "./tag-chips.tsx";
import "../../../ui/display/basics.css";

const TagsForm = Strict({ tagIds: Type.Array(Id, { title: "标签", maxItems: MOST_TAGS_OF_ONE }) });

interface TagSelectProps extends Control<number[]> {
  tenantId: number;
}

function TagSelect({ tenantId, id, value, onChange }: TagSelectProps) {
  const tags = useCall(tagContract.list, { query: { page: 1, pageSize: MOST_TAGS, tenantId } });
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      showSearch={{ optionFilterProp: "label" }}
      placeholder={tags.isLoading ? "正在加载…" : "请选择标签"}
      loading={tags.isLoading}
      notFoundContent={
        tags.error ? tags.error.message : tags.isLoading ? "正在加载…" : "暂无标签，请先新增"
      }
      options={(tags.data?.list ?? []).map((tag) => ({
        value: tag.id,
        label: tag.name,
        color: tag.color,
      }))}
      optionRender={({ data }) => <TagChip tag={{ name: data.label, color: data.color }} />}
      value={tags.isLoading ? [] : (value ?? [])}
      onChange={(ids: number[]) => onChange?.(ids)}
    />
  );
}

const hint = (
  <>
    没有合适的？
    <Link className="ui-link" to="/user/normalUser?view=tags">
      管理标签
    </Link>
  </>
);

export interface UserTagsDialogProps {
  /** Null while the dialog is closed. */
  user: EndUser | null;
  onClose: () => void;
}

export function UserTagsDialog({ user, onClose }: UserTagsDialogProps) {
  const replace = useWrite(tagContract.replace, endUserChanged);
  const shown = useLast(user);
  if (!shown) return null;
  return (
    <FormDialog
      open={user !== null}
      title={`标签：${personText(shown)}`}
      schema={TagsForm}
      initial={{ tagIds: shown.tags.map(({ id }) => id) }}
      fields={[
        {
          name: "tagIds",
          label: "标签（可以没有）",
          control: <TagSelect tenantId={shown.tenantId} />,
          hint,
        },
      ]}
      submit={async ({ tagIds }) => {
        await replace.mutateAsync({ body: { endUserId: shown.id, tagIds } });
        const former = shown.tags.map(({ id }) => id);
        toast.success("标签已保存", () =>
          replace.mutateAsync({ body: { endUserId: shown.id, tagIds: former } }),
        );
      }}
      onClose={onClose}
    />
  );
}

export interface AssignTagsDialogProps {
  /** Users of one tenant; null while the dialog is closed. */
  users: readonly EndUser[] | null;
  onDone: () => void;
  onClose: () => void;
}

export function AssignTagsDialog({ users, onDone, onClose }: AssignTagsDialogProps) {
  const assign = useWrite(tagContract.assign, endUserChanged);
  const shown = useLast(users);
  if (!shown) return null;
  return (
    <FormDialog
      open={users !== null}
      title={`给 ${shown.length} 个用户加标签`}
      schema={TagsForm}
      fields={[
        {
          name: "tagIds",
          label: "标签",
          control: <TagSelect tenantId={shown[0]?.tenantId ?? 0} />,
          hint,
          problem: (ids) => (Array.isArray(ids) && ids.length > 0 ? null : "请至少选择一个标签"),
        },
      ]}
      submitText="加标签"
      submit={async ({ tagIds }) => {
        const endUserIds = shown.map(({ id }) => id);
        const { changed } = await assign.mutateAsync({ body: { endUserIds, tagIds } });
        toast.success(
          changed === 0 ? "这些用户已经有所选的标签" : `已给 ${changed} 个用户加上标签`,
        );
        onDone();
      }}
      onClose={onClose}
    >
      <p className="ui-form-note">已有的标签不变；要去掉标签，请在用户的“标签”中修改。</p>
    </FormDialog>
  );
}
