// 标签: list of a tenant's tags with the number of users of each.

import { Strict, TenantId } from "@cabinet/contract/kit/fields.ts";
import {
  MOST_TAGS,
  TAG_COLORS,
  type TagColor,
  tagColorText,
} from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { type Tag, tagContract } from "@cabinet/contract/orders/end-user/tag.contract.ts";
import Input from "antd/es/input";
import Radio from "antd/es/radio";
import { useState } from "react";
import { Type } from "typebox";
import { ListPage } from "../../../domain/list-page.tsx";
import { TenantSelect } from "../../../domain/tenant/tenant-select.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useIsPlatform, usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { useLast } from "../../../ui/display/use-last.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { textFilter } from "../../../ui/list/filters.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { useAskedNew } from "../../../ui/list/use-asked-new.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { endUserChanged } from "./end-user-changed.ts";
import { ImportTags } from "./import-tags.tsx";
import { TagChip } from "./tag-chips.tsx";
import "../../../ui/display/basics.css";

const filters = [textFilter("name", "标签名称")];

const usersLink = ({ id, tenantId }: Tag, isPlatform: boolean) =>
  pathTo("/user/normalUser", { tagId: id, tenantId: isPlatform ? tenantId : null });

function tagColumns(isPlatform: boolean): Column<Tag>[] {
  return [
    { key: "name", title: "标签", width: 132, render: (row) => <TagChip tag={row} /> },
    {
      key: "users",
      title: "用户数",
      width: 76,
      align: "right",
      render: (row) =>
        row.users === 0 ? (
          <span className="ui-cell-none">0</span>
        ) : (
          <Link className="ui-link" to={usersLink(row, isPlatform)} title="查看这些用户">
            {formatNumber(row.users)}
          </Link>
        ),
    },
    { key: "remark", title: "说明", width: 320, exportWidth: 36 },
    { key: "editedBy", title: "最近修改人", width: 112 },
    timeColumn("editedAt", "最近修改"),
  ];
}

export const prefetch = listPrefetch(tagContract.list);

export default function TagListPage() {
  const isPlatform = useIsPlatform();
  const mayWrite = usePermission("end-user:write");
  const { ask, dialog } = useAction();
  const [editing, setEditing] = useState<Tag | "new" | null>(null);
  useAskedNew(() => setEditing("new"));
  const [isImporting, setIsImporting] = useState(false);
  const remove = useWrite(tagContract.delete, endUserChanged);

  const askDelete = (tag: Tag) =>
    ask({
      title: "删除标签",
      effect: (
        <>
          标签<b>“{tag.name}”</b>将被删除，不能恢复。
          {tag.users > 0 && `${tag.users} 个用户将不再有这个标签。`}
        </>
      ),
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ query: { id: tag.id } }),
      done: `标签“${tag.name}”已删除`,
    });

  return (
    <>
      <ListPage
        title="用户标签"
        heading={<ViewSwitch />}
        spec={tagContract.list}
        filters={filters}
        columns={tagColumns(isPlatform)}
        rowKey={(tag) => tag.id}
        toolbar={
          mayWrite && (
            <>
              <Button type="primary" onClick={() => setEditing("new")}>
                新增标签
              </Button>
              <Button onClick={() => setIsImporting(true)}>导入</Button>
            </>
          )
        }
        actions={
          mayWrite && {
            width: 112,
            of: (tag) => tag.name,
            list: (tag) => [
              { key: "edit", label: "编辑", run: () => setEditing(tag) },
              { key: "delete", label: "删除", isDanger: true, run: () => askDelete(tag) },
            ],
          }
        }
        detail={{
          title: (tag) => `标签“${tag.name}”`,
          body: (tag) => (
            <DrawerSection title="标签">
              <Facts
                facts={[
                  ["名称", <TagChip key="name" tag={tag} />],
                  [
                    "用户",
                    <Link key="users" className="ui-link" to={usersLink(tag, isPlatform)}>
                      {formatNumber(tag.users)} 个
                    </Link>,
                  ],
                  ["说明", tag.remark || null],
                  ["租户", tag.tenantName],
                  ["最近修改", `${formatDateTime(tag.editedAt)}，${tag.editedBy}`],
                ]}
              />
            </DrawerSection>
          ),
        }}
        emptyHint={`用标签把用户分类，如 VIP、企业骑手；最多 ${MOST_TAGS} 个`}
      />
      {dialog}
      <TagDialog tag={editing} onClose={() => setEditing(null)} />
      <ImportTags open={isImporting} onClose={() => setIsImporting(false)} />
    </>
  );
}

const TagForm = Strict({
  tenantId: Type.Optional(TenantId),
  name: tagContract.update.body.properties.name,
  color: tagContract.update.body.properties.color,
  remark: tagContract.update.body.properties.remark,
});

const colorOptions = TAG_COLORS.map((color: TagColor) => ({
  value: color,
  label: <TagChip tag={{ name: tagColorText[color], color }} />,
}));

const fields: FieldOf<typeof TagForm>[] = [
  {
    name: "name",
    label: "标签名称",
    control: <Input placeholder="最多 12 个字，如：VIP" />,
  },
  { name: "color", label: "颜色", control: <Radio.Group options={colorOptions} /> },
  {
    name: "remark",
    label: "说明（可不填）",
    control: <Input placeholder="标签适用的用户" />,
  },
];

interface TagDialogProps {
  /** Null while the dialog is closed. */
  tag: Tag | "new" | null;
  onClose: () => void;
}

function TagDialog({ tag, onClose }: TagDialogProps) {
  const isPlatform = useIsPlatform();
  const { tenantId } = useSignedIn();
  const create = useWrite(tagContract.create, endUserChanged);
  const update = useWrite(tagContract.update, endUserChanged);
  const shown = useLast(tag);
  if (!shown) return null;
  const old = shown === "new" ? null : shown;
  return (
    <FormDialog
      open={tag !== null}
      title={old ? `编辑标签：${old.name}` : "新增标签"}
      schema={TagForm}
      initial={
        old
          ? { name: old.name, color: old.color, remark: old.remark }
          : { color: "BLUE", remark: "", ...(isPlatform && { tenantId }) }
      }
      fields={!old && isPlatform ? [tenantField, ...fields] : fields}
      submit={async ({ tenantId: chosen, ...draft }) => {
        if (old) {
          await update.mutateAsync({
            body: { id: old.id, ...draft, editVersion: old.editVersion },
          });
        } else
          await create.mutateAsync({ query: { ...draft, ...(chosen && { tenantId: chosen }) } });
        toast.success(`标签“${draft.name.trim()}”已保存`);
      }}
      onClose={onClose}
    />
  );
}

const tenantField: FieldOf<typeof TagForm> = {
  name: "tenantId",
  label: "租户",
  control: <TenantSelect />,
};
