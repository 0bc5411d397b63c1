// Detail view of one package with the cards sold from it.
import type { Package } from "@cabinet/contract/money/package/package.contract.ts";
import { packageKindText } from "@cabinet/contract/money/package/package.rules.ts";
import { sideBase, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { formatDateTime, formatMoney } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { SaleStatus } from "./package-columns.tsx";
import { sidesText } from "./package-text.ts";
import "../../../ui/display/basics.css";

export function PackageDetail({ sold }: { sold: Package }) {
  const base = sideBase(usePageSide());
  return (
    <>
      <DrawerSection title="套餐内容">
        <Facts
          facts={[
            ["类型", packageKindText[sold.kind]],
            ["状态", <SaleStatus key="state" isOnSale={sold.isOnSale} />],
            ...termsOf(sold),
            ["适用设备", sidesText(sold)],
            ["说明", sold.remark || null],
          ]}
        />
      </DrawerSection>
      {sold.kind !== "BONUS" && (
        <DrawerSection title="销售">
          <Facts
            facts={[
              ["已售", `${sold.sold} 张`],
              ["使用中", `${sold.held} 张`],
            ]}
          />
          {sold.sold > 0 && (
            <Link
              className="ui-link"
              to={pathTo(`${base}/pay/payList?view=cards`, { packageId: sold.id })}
            >
              查看购买记录
            </Link>
          )}
        </DrawerSection>
      )}
      <DrawerSection title="记录">
        <Facts
          facts={[
            ["租户", sold.tenantName],
            ["最近修改", `${formatDateTime(sold.editedAt)}，${sold.editedBy}`],
          ]}
        />
      </DrawerSection>
    </>
  );
}

function termsOf({
  kind,
  priceFen,
  bonusFen,
  uses,
  validDays,
  coverLimitFen,
}: Package): DescriptionItem[] {
  if (kind === "BONUS") {
    return [
      ["充值金额", formatMoney(priceFen)],
      ["赠送金额", formatMoney(bonusFen)],
    ];
  }
  return [
    ["售价", formatMoney(priceFen)],
    ["可用次数", uses === null ? "不限" : `${uses} 次`],
    ["有效期", `自购买起 ${validDays} 天`],
    ["单次最多抵扣", coverLimitFen === null ? "不限" : formatMoney(coverLimitFen)],
  ];
}
