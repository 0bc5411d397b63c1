// Details of an audit entry: actor, action, subject, and each field before and after.
import {
  type AuditChange,
  type AuditEntry,
  type AuditEntryDetail,
  auditContract,
} from "@cabinet/contract/identity/audit/audit.contract.ts";
import { useState } from "react";
import { formatDateTime } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { valueText } from "./audit-value.ts";
import "../../../ui/display/basics.css";
import "./audit.css";

export function actorText({ actorName, actorDisplayName, isByPlatform }: AuditEntry): string {
  const name = actorName ?? "系统";
  const full =
    actorDisplayName && actorDisplayName !== name ? `${actorDisplayName}（${name}）` : name;
  return isByPlatform ? `平台 · ${full}` : full;
}

export function AuditDetail({ entry }: { entry: AuditEntry }) {
  const answer = useCall(auditContract.get, { params: { id: entry.id } });
  const { data, error } = answer;
  return (
    <>
      <DrawerSection title="操作">
        <Facts
          facts={[
            ["时间", formatDateTime(entry.at)],
            ["操作人", actorText(entry)],
            ["操作", entry.summary],
            ["对象", entry.target],
            ["原因", entry.reason],
            ["租户", entry.tenantName],
            ["操作地址", entry.address],
            ["请求编号", entry.requestId],
          ]}
        />
      </DrawerSection>
      {error && !data && <ErrorState error={error} onRetry={() => void answer.refetch()} />}
      {!error && !data && <span className="ui-skeleton" />}
      {data && <Changes detail={data} />}
      {data && (
        <DrawerSection title="校验">
          <Facts
            facts={[
              ["链上序号", data.seq === null ? "不在链上" : `第 ${data.seq} 条`],
              ["接口", data.call],
            ]}
          />
          {data.hash && <p className="audit-hash">校验值 {data.hash}</p>}
        </DrawerSection>
      )}
    </>
  );
}

function titleOf({ hasBefore, hasAfter }: AuditEntryDetail): string {
  if (hasBefore && hasAfter) return "修改内容";
  if (hasAfter) return "写入内容";
  return "删除前的内容";
}

function Changes({ detail }: { detail: AuditEntryDetail }) {
  const [isWhole, setIsWhole] = useState(false);
  const { changes, unchanged, hasBefore, hasAfter } = detail;
  if (!hasBefore && !hasAfter) return null;
  const isBoth = hasBefore && hasAfter;
  return (
    <DrawerSection title={titleOf(detail)}>
      {changes.length === 0 ? (
        <p className="ui-cell-none">{isBoth ? "没有字段变化" : "没有附加内容"}</p>
      ) : (
        <ChangeTable changes={changes} isBoth={isBoth} />
      )}
      {unchanged.length > 0 && (
        <>
          <button
            type="button"
            className="ui-link"
            aria-expanded={isWhole}
            onClick={() => setIsWhole(!isWhole)}
          >
            {isWhole ? "收起未变化的字段" : `显示未变化的 ${unchanged.length} 个字段`}
          </button>
          {isWhole && <ChangeTable changes={unchanged} isBoth={false} />}
        </>
      )}
    </DrawerSection>
  );
}

function ChangeTable({ changes, isBoth }: { changes: AuditChange[]; isBoth: boolean }) {
  return (
    <table className="audit-changes" data-both={isBoth}>
      <thead>
        <tr>
          <th scope="col">字段</th>
          {isBoth && <th scope="col">修改前</th>}
          <th scope="col">{isBoth ? "修改后" : "内容"}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, label, before, after }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {isBoth && (
              <td>
                <del>{valueText(field, before)}</del>
              </td>
            )}
            <td>{valueText(field, isBoth ? after : (after ?? before))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
