// Orders behind an outage or a broken place, and one press that tells all recipients whose goods wait there.
import {
  type AffectedOrder,
  affectedOrderContract,
} from "@cabinet/contract/orders/order/affected-order.contract.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { sideBase } from "../../../domain/cabinet/page-side.ts";
import { reportError } from "../../../kit/errors.ts";
import { confirm, toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";

export function AffectedOrders({
  malfunctionId,
  isOpen,
}: {
  malfunctionId: number;
  isOpen: boolean;
}) {
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answer = useCall(
    affectedOrderContract.list,
    { params: { id: malfunctionId }, query: { page, pageSize } },
    { keepPreviousData: true },
  );
  const mayNotify = usePermission("order:write");
  const toNotify = answer.data?.toNotify ?? 0;
  return (
    <DrawerList
      answer={answer}
      pages={pages}
      emptyText={isOpen ? "没有进行中的订单" : "故障已结束，没有仍受影响的订单"}
      row={(order) => <OrderRow key={order.id} order={order} />}
    >
      {mayNotify && isOpen && toNotify > 0 && (
        <NotifyButton malfunctionId={malfunctionId} count={toNotify} />
      )}
    </DrawerList>
  );
}

function NotifyButton({ malfunctionId, count }: { malfunctionId: number; count: number }) {
  const notify = useWrite(affectedOrderContract.notify);
  const run = async () => {
    const isSure = await confirm({
      title: `通知 ${count} 个订单的取件人？`,
      content:
        "按消息模板“故障告知”发送：物品暂时取不出，恢复后凭原取件码取件。每个订单每次故障只通知一次。",
      ok: "通知取件人",
    });
    if (!isSure) return;
    const { notified } = await notify.mutateAsync({ params: { id: malfunctionId } });
    toast.success(`已通知 ${notified} 个订单的取件人`);
  };
  return (
    <Button type="primary" loading={notify.isPending} onClick={() => void run().catch(reportError)}>
      一键通知取件人（{count}）
    </Button>
  );
}

function OrderRow({ order }: { order: AffectedOrder }) {
  const { id, side, cabinetName, compartmentNo, state, recipient, storedAt, notifiedAt } = order;
  return (
    <DrawerRow
      name={
        <>
          <Link
            className="ui-link"
            to={pathTo(`${sideBase(side)}/rider/order`, { orderNo: id, open: id })}
          >
            {cabinetName} {compartmentNo} 号
          </Link>
          <small>
            {recipient.name && `${recipient.name} `}
            {recipient.phone}
          </small>
        </>
      }
      state={
        <>
          {orderStateText[state]}
          <small>
            {notifiedAt
              ? `${formatDateTime(notifiedAt).slice(5, 16)} 已通知`
              : storedAt && `${formatDateTime(storedAt).slice(5, 16)} 存入`}
          </small>
        </>
      }
    />
  );
}
