// Picker of the mini-program account's templates, fetched from WeChat on demand.
import {
  templateContract,
  type WechatTemplate,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import Select from "antd/es/select";
import { useEffect } from "react";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { Age } from "../../../ui/display/status.tsx";
import "./template.css";

const POLL_MS = 1_500;
const { catalog, fetchCatalog } = templateContract;

export interface CatalogPickerProps {
  tenantId: number;
  hasMiniProgram: boolean;
  chosen: string;
  onChoose: (template: WechatTemplate) => void;
}

export function CatalogPicker({ tenantId, hasMiniProgram, chosen, onChoose }: CatalogPickerProps) {
  const { data, refetch } = useCall(catalog, { query: { tenantId } }, { enabled: hasMiniProgram });
  const fetch = useWrite(fetchCatalog, { toasts: true });
  const maySetUp = usePermission("mini-program:read");
  const isPending = data?.state === "PENDING";
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(() => void refetch(), POLL_MS);
    return () => clearInterval(timer);
  }, [isPending, refetch]);
  if (!hasMiniProgram) {
    return (
      <p className="template-note">
        未配置小程序，保存后仍无法发送订阅消息。
        {maySetUp && (
          <Link className="ui-link" to={pathTo("/idConfig/wechat", { tenantId })}>
            去配置小程序
          </Link>
        )}
      </p>
    );
  }
  const templates = data?.templates ?? [];
  const known = templates.find(({ templateId }) => templateId === chosen);
  return (
    <div className="template-catalog">
      <Select
        aria-label="选择小程序帐号中的模板"
        placeholder="选择小程序帐号中的模板"
        showSearch={{ optionFilterProp: "label" }}
        {...(known && { value: known.templateId })}
        notFoundContent={data ? "暂无模板，请先从微信获取" : "正在加载…"}
        options={templates.map(({ templateId, title, isLongTerm }) => ({
          value: templateId,
          label: `${title}${isLongTerm ? "（长期）" : ""} · ${templateId.slice(0, 6)}…`,
        }))}
        onChange={(id: string) => {
          const found = templates.find(({ templateId }) => templateId === id);
          if (found) onChoose(found);
        }}
      />
      <Button
        loading={isPending || fetch.isPending}
        onClick={() => fetch.mutate({ body: { tenantId } })}
      >
        从微信获取
      </Button>
      <p className="template-limit" data-bad={data?.state === "FAILED"} role="status">
        {data?.state === "FAILED" && data.problem}
        {data?.state === "OK" && (
          <>
            共 {templates.length} 个模板，
            <Age time={data.fetchedAt} />
            取得
          </>
        )}
      </p>
    </div>
  );
}
