// 问题列表: questions and answers in display order.
import { type Faq, faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { faqAudienceText } from "@cabinet/contract/messaging/faq/faq.rules.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { type OfTenant, tenantChoiceFilter } from "../../../domain/tenant/tenant-choice-filter.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { useMove } from "../../../domain/use-move.ts";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { reportError } from "../../../kit/errors.ts";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { pathTo, useNavigate } from "../../../kit/paths.ts";
import { useIsPlatform, usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { RichTextView } from "../../../ui/rich-text/rich-text-view.tsx";
import "../../../ui/display/basics.css";
import "./faq.css";

const MOST_CATEGORIES = 100;

function useCategoryChoices(query: OfTenant) {
  const isPlatform = useIsPlatform();
  const categories = useCall(faqContract.categories, {
    query: { page: 1, pageSize: MOST_CATEGORIES, ...query },
  });
  return categories.data?.list.map(({ id, name, tenantName }) => ({
    value: id,
    label: isPlatform && !query.tenantId ? `${name}（${tenantName}）` : name,
  }));
}

function faqFilters(isPlatform: boolean) {
  return [
    textFilter("keyword", "关键词", "问题或回答中的词"),
    tenantChoiceFilter("categoryId", "分类", useCategoryChoices),
    ...(isPlatform ? [choiceFilter("audience", "适用对象", choicesOf(faqAudienceText))] : []),
    choiceFilter("isOn", "状态", [
      { value: true, label: "已启用" },
      { value: false, label: "已停用" },
    ]),
  ];
}

const columns: Column<Faq>[] = [
  { key: "question", title: "问题", width: 280, exportWidth: 40 },
  tenantColumn(),
  {
    key: "audience",
    title: "适用对象",
    width: 104,
    value: (row) => faqAudienceText[row.audience],
    isOfPlatform: true,
  },
  { key: "category", title: "分类", width: 112 },
  {
    key: "isOn",
    title: "状态",
    width: 92,
    value: ({ isOn }) => (isOn ? "已启用" : "已停用"),
    render: ({ isOn }) => (
      <Status tone={isOn ? "good" : "quiet"}>{isOn ? "已启用" : "已停用"}</Status>
    ),
  },
  { key: "editedBy", title: "修改人", width: 96 },
  timeColumn("updatedAt", "修改时间"),
];

/** Filters that block reordering: a move past a hidden neighbour would show no change. */
const hiding = ["keyword", "isOn"];

export const prefetch = listPrefetch(faqContract.list);

export default function FaqListPage() {
  const isPlatform = useIsPlatform();
  const mayWrite = usePermission("faq:write");
  const navigate = useNavigate();
  const { texts } = useListState();
  const filters = faqFilters(isPlatform);
  const { ask, dialog } = useAction();
  const turn = useWrite(faqContract.turn);
  const move = useMove(faqContract.order);
  const remove = useWrite(faqContract.delete);
  const blocked = hiding.some((name) => texts[name])
    ? "请先清除关键词和状态条件，再调整顺序"
    : undefined;

  const switchOn = (faq: Faq) =>
    void turn
      .mutateAsync({ params: { id: faq.id }, body: { isOn: !faq.isOn } })
      .then(() => toast.success(`“${faq.question}”已${faq.isOn ? "停用" : "启用"}`))
      .catch(reportError);
  const askDelete = (faq: Faq) =>
    ask({
      title: "删除问题",
      effect: (
        <>
          <b>“{faq.question}”</b>和它的回答将被删除，不能恢复；只是暂时不用请改为停用。
        </>
      ),
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: faq.id } }),
      done: `“${faq.question}”已删除`,
    });
  const actionsOf = (faq: Faq): RowAction[] => [
    { key: "edit", label: "编辑", to: pathTo("/faq/faqEdit", { id: faq.id }) },
    { key: "turn", label: faq.isOn ? "停用" : "启用", run: () => switchOn(faq) },
    { key: "up", label: "上移", blocked, run: () => move(faq.id, "up") },
    { key: "down", label: "下移", blocked, run: () => move(faq.id, "down") },
    { key: "delete", label: "删除", isDanger: true, run: () => askDelete(faq) },
  ];

  return (
    <>
      <ListPage
        title="常见问题"
        heading={<ViewSwitch />}
        spec={faqContract.list}
        filters={filters}
        columns={columns}
        rowKey={(faq) => faq.id}
        toolbar={
          mayWrite && (
            <Button type="primary" onClick={() => void navigate("/faq/faqEdit")}>
              新增问题
            </Button>
          )
        }
        actions={mayWrite && { width: 148, of: (faq) => faq.question, list: actionsOf }}
        detail={{
          title: (faq) => faq.question,
          body: (faq) => <FaqDetail key={faq.id} faq={faq} />,
        }}
        emptyHint="先在“分类”中新增一个分类，再新增问题，用户在小程序里就能看到"
      />
      {dialog}
    </>
  );
}

function FaqDetail({ faq }: { faq: Faq }) {
  const answer = useCall(faqContract.get, { params: { id: faq.id } });
  if (answer.error && !answer.data) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  return (
    <>
      <DrawerSection title="回答">
        {answer.data ? (
          <div className="faq-answer">
            <RichTextView html={answer.data.answer} />
          </div>
        ) : (
          <p className="ui-cell-none">正在加载…</p>
        )}
      </DrawerSection>
      <DrawerSection title="基本信息">
        <Facts
          facts={[
            ["分类", faq.category],
            ["适用对象", faqAudienceText[faq.audience]],
            ["租户", faq.tenantName],
            ["状态", faq.isOn ? "已启用" : "已停用"],
            ["最近修改", `${formatDateTime(faq.updatedAt)}，${faq.editedBy}`],
          ]}
        />
      </DrawerSection>
    </>
  );
}
