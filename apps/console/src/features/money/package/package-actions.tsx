// Row actions on one package: edit, put on or off sale, sell, delete.
import { type Package, packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import { sideBase, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { pathTo } from "../../../kit/paths.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";

export function usePackageActions(sell: (sold: Package) => void) {
  const base = sideBase(usePageSide());
  const { ask, dialog } = useAction();
  const putOnSale = useWrite(packageContract.putOnSale);
  const remove = useWrite(packageContract.delete);

  const askSale = ({ id, name, isOnSale, held }: Package) =>
    ask({
      title: isOnSale ? "下架套餐" : "上架套餐",
      effect: isOnSale ? (
        <>
          套餐<b>“{name}”</b>下架后用户不能再购买。
          {held > 0 && `已购买且仍可使用的 ${held} 张卡不受影响。`}
        </>
      ) : (
        <>
          套餐<b>“{name}”</b>上架后，用户就可以购买。
        </>
      ),
      confirm: isOnSale ? "下架" : "上架",
      run: () => putOnSale.mutateAsync({ params: { id }, body: { isOnSale: !isOnSale } }),
      done: `套餐“${name}”已${isOnSale ? "下架" : "上架"}`,
    });

  const askDelete = ({ id, name, isOnSale, held }: Package) =>
    ask({
      title: "删除套餐",
      effect: (
        <>
          套餐<b>“{name}”</b>将从列表中删除，不能恢复{isOnSale && "，用户不能再购买"}。
          {held > 0 && (
            <p>
              还有 <b>{held}</b> 张已购买的卡可以使用：它们按购买时的内容继续有效，直到用完或到期。
            </p>
          )}
        </>
      ),
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id } }),
      done: `套餐“${name}”已删除`,
    });

  const actionsOf = (sold: Package): RowAction[] => [
    { key: "edit", label: "编辑", to: pathTo(`${base}/pay/mealAdd`, { id: sold.id }) },
    { key: "sale", label: sold.isOnSale ? "下架" : "上架", run: () => askSale(sold) },
    {
      key: "sell",
      label: "为用户开通",
      blocked: sellProblem(sold),
      run: () => sell(sold),
    },
    { key: "delete", label: "删除", isDanger: true, run: () => askDelete(sold) },
  ];
  return { actionsOf, dialog };
}

function sellProblem({ kind, isOnSale }: Package): string | undefined {
  if (kind === "BONUS") return "充值赠送请在“余额充值”中为用户充值";
  return isOnSale ? undefined : "已下架，上架后才能开通";
}
