// 平台问题: the platform's questions for all tenants' users; a tenant can hide them.
import { type FaqOfPlatform, faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { reportError } from "../../../kit/errors.ts";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform, usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { DrawerSection } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { RichTextView } from "../../../ui/rich-text/rich-text-view.tsx";
import "./faq.css";

const filters = [
  textFilter("keyword", "关键词", "问题或回答中的词"),
  choiceFilter("isHidden", "显示", [
    { value: false, label: "显示给用户" },
    { value: true, label: "已隐藏" },
  ]),
];

const columns: Column<FaqOfPlatform>[] = [
  { key: "question", title: "问题", width: 320, exportWidth: 40 },
  { key: "category", title: "分类", width: 120 },
  {
    key: "isHidden",
    title: "显示",
    width: 112,
    value: ({ isHidden }) => (isHidden ? "已隐藏" : "显示给用户"),
    render: ({ isHidden }) => (
      <Status tone={isHidden ? "quiet" : "good"}>{isHidden ? "已隐藏" : "显示给用户"}</Status>
    ),
  },
];

export const prefetch = listPrefetch(faqContract.ofPlatform);

export default function FaqPlatformListPage() {
  const isPlatform = useIsPlatform();
  const mayWrite = usePermission("faq:write");
  const tenantId = Number(useListState().texts.tenantId) || undefined;
  const hide = useWrite(faqContract.hide);
  // Platform staff must choose a tenant before they can hide a question for it.
  const mayHide = mayWrite && (!isPlatform || tenantId !== undefined);
  const change = ({ id, question, isHidden }: FaqOfPlatform) =>
    void hide
      .mutateAsync({
        params: { id },
        body: { isHidden: !isHidden, ...(isPlatform && tenantId && { tenantId }) },
      })
      .then(() => toast.success(`“${question}”已${isHidden ? "恢复显示" : "隐藏"}`))
      .catch(reportError);
  return (
    <ListPage
      title="平台常见问题"
      heading={<ViewSwitch />}
      spec={faqContract.ofPlatform}
      filters={filters}
      columns={columns}
      rowKey={(row) => row.id}
      actions={
        mayHide && {
          width: 96,
          of: (row) => row.question,
          list: (row) => [
            { key: "hide", label: row.isHidden ? "恢复" : "隐藏", run: () => change(row) },
          ],
        }
      }
      detail={{
        title: (row) => row.question,
        body: (row) => (
          <DrawerSection title="回答">
            <div className="faq-answer">
              <RichTextView html={row.answer} />
            </div>
          </DrawerSection>
        ),
      }}
      emptyHint="平台暂未提供常见问题"
    />
  );
}
