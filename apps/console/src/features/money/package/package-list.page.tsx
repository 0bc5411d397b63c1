// 套餐管理: list of packages sold to users of this side's cabinets, with actions.
import { type Package, packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import { packageKindText } from "@cabinet/contract/money/package/package.rules.ts";
import { useState } from "react";
import { sideBase, sideQueryAt, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { useNavigate } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { usePackageActions } from "./package-actions.tsx";
import { packageColumns } from "./package-columns.tsx";
import { PackageDetail } from "./package-detail.tsx";
import { SellDialog } from "./sell-dialog.tsx";

const filters = [
  textFilter("keyword", "套餐", "名称或说明"),
  choiceFilter("kind", "类型", choicesOf(packageKindText)),
  choiceFilter("isOnSale", "状态", [
    { value: true, label: "在售" },
    { value: false, label: "已下架" },
  ]),
];

export const prefetch = listPrefetch(packageContract.list, sideQueryAt);

export default function PackageListPage() {
  const side = usePageSide();
  const mayWrite = usePermission("package:write");
  const navigate = useNavigate();
  const [selling, setSelling] = useState<Package | null>(null);
  const { actionsOf, dialog } = usePackageActions(setSelling);
  return (
    <>
      <ListPage
        title="套餐管理"
        heading={<ViewSwitch />}
        spec={packageContract.list}
        fixed={{ side }}
        filters={filters}
        columns={packageColumns}
        rowKey={(sold) => sold.id}
        toolbar={
          mayWrite && (
            <Button type="primary" onClick={() => void navigate(`${sideBase(side)}/pay/mealAdd`)}>
              新增套餐
            </Button>
          )
        }
        actions={mayWrite && { width: 148, of: (sold) => sold.name, list: actionsOf }}
        detail={{
          title: (sold) => sold.name,
          body: (sold) => <PackageDetail sold={sold} />,
        }}
        emptyHint="新增充值赠送、次卡或月卡并上架后，用户就能购买"
      />
      <SellDialog sold={selling} onClose={() => setSelling(null)} />
      {dialog}
    </>
  );
}
