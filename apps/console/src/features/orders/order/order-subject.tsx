// Parts of order dialogs: the order concerned, and whether to waive the amount owed.
import type { Order } from "@cabinet/contract/orders/order/order.contract.ts";
import { owedFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { type ReactNode, useState } from "react";
import { formatMoney } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { personText } from "./order-columns.tsx";
import "../../../ui/display/basics.css";
import "./order-subject.css";

export interface OrderDialogProps {
  /** Null while the dialog is closed. */
  order: Order | null;
  onClose: () => void;
}

export function OrderSubject({ order }: { order: Order }) {
  return (
    <p>
      <b>
        “{order.cabinetName}”{order.compartmentNo} 号格口
      </b>
      ，取件人 {personText(order.recipient)}，当前“{orderStateText[order.state]}”。
    </p>
  );
}

export interface WaiveChoiceProps {
  order: Order;
  /** Text for what happens to the amount owed unless it is waived. */
  otherwise: ReactNode;
  onWaives: (waives: boolean) => void;
}

/** Checkbox to waive the amount owed; renders nothing if none is owed. */
export function WaiveChoice({ order, otherwise, onWaives }: WaiveChoiceProps) {
  const mayWaive = usePermission("order:write");
  const [waives, setWaives] = useState(false);
  const owed = owedFen(order);
  if (owed === 0) return null;
  return (
    <div className="order-waive">
      <p>
        待付 <b>{formatMoney(owed)}</b>：{waives ? "予以免除，不再收取。" : otherwise}
      </p>
      {mayWaive && (
        <label>
          <input
            type="checkbox"
            className="ui-check"
            checked={waives}
            onChange={({ target }) => {
              setWaives(target.checked);
              onWaives(target.checked);
            }}
          />
          免除待付费用
        </label>
      )}
    </div>
  );
}
