// 设备接口密钥: keys with which cabinets connect (issue, rotate, revoke) and their IP allow-lists.
import {
  cabinetSecretContract,
  type KeyedCabinet,
  type SecretFacts,
} from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import {
  keyStateText,
  MAX_ACTIVE_SECRETS,
} from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import { useState } from "react";
import { activeKeys } from "../../../domain/key/key-text.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { IssueDialog } from "./issue-dialog.tsx";
import { NetworksDialog } from "./networks-dialog.tsx";
import { secretColumns } from "./secret-columns.tsx";
import { SecretDetail } from "./secret-detail.tsx";

const filters = [
  textFilter("keyword", "编号/名称", "输入编号或名称"),
  choiceFilter("state", "密钥状态", choicesOf(keyStateText)),
  textFilter("kid", "密钥编号"),
  choiceFilter("hasNetworks", "IP 白名单", [
    { value: true, label: "已设置" },
    { value: false, label: "不限" },
  ]),
];

export const prefetch = listPrefetch(cabinetSecretContract.list);

export default function CabinetSecretListPage() {
  const mayWrite = usePermission("cabinet-secret:write");
  const { ask, dialog } = useAction();
  const [issuing, setIssuing] = useState<KeyedCabinet | null>(null);
  const [networksOf, setNetworksOf] = useState<KeyedCabinet | null>(null);
  const revoke = useWrite(cabinetSecretContract.revoke);

  const askRevoke = (cabinet: KeyedCabinet, { kid, isConnected }: SecretFacts) => {
    const isOnly = activeKeys(cabinet.secrets).length === 1;
    ask({
      title: "吊销密钥",
      effect: (
        <>
          <p>
            设备
            <b>
              “{cabinet.name}”（{cabinet.sn}）
            </b>
            的密钥 <b>{kid}</b> 将立即失效，不能恢复。
          </p>
          <p>
            {isConnected
              ? "设备正在使用该密钥连接，将立即断开；正在执行的开门指令可能收不到结果。"
              : "设备当前的连接不受影响。"}
            {isOnly && "这是设备唯一的有效密钥：写入新密钥前，设备不能再连接，也不能远程开门。"}
          </p>
        </>
      ),
      confirm: "吊销",
      isDanger: true,
      reasons: ["密钥疑似泄露", "设备丢失或被盗", "轮换完成，停用旧密钥"],
      run: (reason) =>
        revoke.mutateAsync({ params: { id: cabinet.cabinetId }, body: { kid, reason } }),
      done: `密钥 ${kid} 已吊销`,
    });
  };

  const actionsOf = (cabinet: KeyedCabinet): RowAction[] => {
    const active = activeKeys(cabinet.secrets);
    const isFull = active.length >= MAX_ACTIVE_SECRETS;
    const blocked = cabinet.isRetired
      ? "设备已停用"
      : isFull
        ? "已有两把有效密钥：请先吊销不用的一把，或等旧密钥失效"
        : undefined;
    return [
      {
        key: "issue",
        label: active.length === 0 ? "生成" : "轮换",
        blocked,
        run: () => setIssuing(cabinet),
      },
      { key: "networks", label: "IP 白名单", run: () => setNetworksOf(cabinet) },
      ...active.map((secret) => ({
        key: secret.kid,
        label: `吊销 ${secret.kid}`,
        isDanger: true,
        run: () => askRevoke(cabinet, secret),
      })),
    ];
  };

  return (
    <>
      <ListPage
        title="设备接口密钥"
        spec={cabinetSecretContract.list}
        filters={filters}
        columns={secretColumns}
        rowKey={(cabinet) => cabinet.cabinetId}
        live="cabinet"
        actions={mayWrite && { width: 172, of: (cabinet) => cabinet.name, list: actionsOf }}
        detail={{
          title: (cabinet) => cabinet.name,
          body: (cabinet) => <SecretDetail cabinet={cabinet} />,
        }}
        emptyHint="登记并分配到租户的设备会出现在这里"
      />
      {dialog}
      <IssueDialog cabinet={issuing} onClose={() => setIssuing(null)} />
      <NetworksDialog cabinet={networksOf} onClose={() => setNetworksOf(null)} />
    </>
  );
}
