// 分类: list of FAQ categories and their order.
import { type FaqCategory, faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { type FaqAudience, faqAudienceText } from "@cabinet/contract/messaging/faq/faq.rules.ts";
import Input from "antd/es/input";
import Radio from "antd/es/radio";
import { useState } from "react";
import { type Static, Type } from "typebox";
import { ListPage } from "../../../domain/list-page.tsx";
import { TenantItem } from "../../../domain/tenant/tenant-item.tsx";
import { useMove } from "../../../domain/use-move.ts";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { toast } from "../../../kit/feedback.ts";
import { formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useIsPlatform, usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { counted } from "../../../ui/form/counted.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import "../../../ui/display/basics.css";
import "./faq.css";

const ownFilters = [textFilter("name", "分类", "分类名称")];
const platformFilters = [
  ...ownFilters,
  choiceFilter("audience", "适用对象", choicesOf(faqAudienceText)),
];

const columns: Column<FaqCategory>[] = [
  { key: "name", title: "分类", width: 160 },
  {
    key: "audience",
    title: "适用对象",
    width: 112,
    value: (row) => faqAudienceText[row.audience],
  },
  {
    key: "questionCount",
    title: "问题数",
    width: 84,
    align: "right",
    render: (row) => (
      <Link
        className="ui-link"
        to={pathTo("/faq/index", { categoryId: row.id })}
        title="查看这些问题"
      >
        {formatNumber(row.questionCount)}
      </Link>
    ),
  },
];

export const prefetch = listPrefetch(faqContract.categories);

export default function FaqCategoryListPage() {
  const isPlatform = useIsPlatform();
  const mayWrite = usePermission("faq:write");
  const { ask, dialog } = useAction();
  const { texts } = useListState();
  // No reordering while filtered: a move past a hidden neighbour would show no change.
  const blocked = texts.name ? "请先清除分类名称条件，再调整顺序" : undefined;
  const [editing, setEditing] = useState<FaqCategory | "new" | null>(null);
  const move = useMove(faqContract.orderCategory);
  const remove = useWrite(faqContract.deleteCategory);
  const askDelete = (category: FaqCategory) =>
    ask({
      title: "删除分类",
      effect: (
        <>
          分类<b>“{category.name}”</b>将被删除，不能恢复。
        </>
      ),
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: category.id } }),
      done: `分类“${category.name}”已删除`,
    });
  return (
    <>
      <ListPage
        title="常见问题分类"
        heading={<ViewSwitch />}
        spec={faqContract.categories}
        filters={isPlatform ? platformFilters : ownFilters}
        columns={columns}
        rowKey={(category) => category.id}
        toolbar={
          mayWrite && (
            <Button type="primary" onClick={() => setEditing("new")}>
              新增分类
            </Button>
          )
        }
        actions={
          mayWrite && {
            width: 168,
            of: (category) => category.name,
            list: (category) => [
              { key: "edit", label: "改名", run: () => setEditing(category) },
              { key: "up", label: "上移", blocked, run: () => move(category.id, "up") },
              { key: "down", label: "下移", blocked, run: () => move(category.id, "down") },
              {
                key: "delete",
                label: "删除",
                isDanger: true,
                blocked: category.questionCount > 0 ? "请先移走或删除其中的问题" : undefined,
                run: () => askDelete(category),
              },
            ],
            visibleCount: 3,
          }
        }
        emptyHint="新增一个分类，例如“取件”“费用”，再往里面添加问题"
      />
      {dialog}
      <CategoryForm editing={editing} onClose={() => setEditing(null)} />
    </>
  );
}

const CategoryFields = Type.Object({
  name: Type.String({ title: "分类名称", minLength: 1, maxLength: 12, pattern: "\\S" }),
  audience: Type.Optional(Type.Unsafe<FaqAudience>({ type: "string" })),
});
type CategoryFields = Static<typeof CategoryFields>;

interface CategoryFormProps {
  editing: FaqCategory | "new" | null;
  onClose: () => void;
}

function CategoryForm({ editing, onClose }: CategoryFormProps) {
  const [shown, setShown] = useState<FaqCategory | "new">("new");
  if (editing && editing !== shown) setShown(editing);
  const session = useSignedIn();
  const isPlatform = useIsPlatform();
  const [tenantId, setTenantId] = useState(session.tenantId);
  const create = useWrite(faqContract.createCategory);
  const update = useWrite(faqContract.updateCategory);
  const category = shown === "new" ? null : shown;
  const hasChoice = isPlatform && !category && tenantId === session.tenantId;
  return (
    <FormDialog
      open={editing !== null}
      title={category ? `修改分类：${category.name}` : "新增分类"}
      schema={CategoryFields}
      fields={[
        {
          name: "name",
          label: "分类名称",
          control: <Input count={counted()} placeholder="如：取件" />,
        },
        ...(hasChoice
          ? [
              {
                name: "audience" as const,
                label: "适用对象",
                control: <Radio.Group options={choicesOf(faqAudienceText)} />,
                hint: "“后台账号”的问题显示在每个租户的“使用帮助”里",
              },
            ]
          : []),
      ]}
      initial={category ? { name: category.name } : { audience: "END_USER" }}
      submit={async ({ name, audience = "END_USER" }: CategoryFields) => {
        if (category) {
          const { id, editVersion } = category;
          await update.mutateAsync({ params: { id }, body: { name, editVersion } });
        } else {
          const chosen = hasChoice ? audience : "END_USER";
          const body = { name, audience: chosen, ...(isPlatform && { tenantId }) };
          await create.mutateAsync({ body });
        }
        toast.success(`分类“${name.trim()}”已保存`);
      }}
      onClose={onClose}
    >
      {isPlatform && !category && <TenantItem value={tenantId} onChange={setTenantId} />}
    </FormDialog>
  );
}
