// Rider and recipient of an order, phones masked; revealing them is recorded in the audit log.
import type { OrderDetail, OrderPerson } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { sideBase } from "../../../domain/cabinet/page-side.ts";
import { ReasonedReveal } from "../../../domain/hidden-phone.tsx";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useWrite } from "../../../kit/query.ts";
import { useIsImpersonating } from "../../../kit/session.ts";
import { Facts } from "../../../ui/display/detail-drawer.tsx";
import "./order-people.css";

export function OrderPeople({ order }: { order: OrderDetail }) {
  const show = useWrite(orderContract.showPhones, { toasts: true });
  const isImpersonating = useIsImpersonating();
  const { rider, recipient } = order;
  const row = (person: OrderPerson | null, phone: string | null | undefined) =>
    person && (
      <span className="order-person">
        {person.name && <span>{person.name}</span>}
        {phone ? <a href={`tel:${phone}`}>{phone}</a> : <span>{person.phone}</span>}
        <Link
          className="ui-link"
          to={pathTo(`${sideBase(order.side)}/rider/order`, { endUserId: person.id })}
          title="仅看该用户"
        >
          全部订单
        </Link>
      </span>
    );
  return (
    <>
      <Facts
        facts={[
          ["取件人", row(recipient, show.data?.recipient)],
          ["骑手", row(rider, show.data?.rider)],
        ]}
      />
      {!show.data && !isImpersonating && (
        <div className="order-phones">
          <ReasonedReveal
            reveal={(reason) => show.mutateAsync({ params: { id: order.id }, body: { reason } })}
          />
        </div>
      )}
    </>
  );
}
