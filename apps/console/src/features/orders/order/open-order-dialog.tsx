// 开门 for an order: choose door and purpose, see the effect on payment, then follow the command.

import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import { COMMAND_TTL_SECONDS } from "@cabinet/contract/fleet/command/command.rules.ts";
import {
  type Order,
  type OrderDetail,
  orderContract,
} from "@cabinet/contract/orders/order/order.contract.ts";
import {
  doorSideFor,
  type OpenPurpose,
  openPurposeText,
} from "@cabinet/contract/orders/order/order.rules.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { type ReactNode, useId, useState } from "react";
import { isOpenRefused, openReasons } from "../../../domain/cabinet/open-door.rules.ts";
import { OpenNotices, OpenResult } from "../../../domain/cabinet/open-door.tsx";
import { useCall, useWrite } from "../../../kit/query.ts";
import { ActionDialog, type ConfirmOptions } from "../../../ui/display/action.tsx";
import { purposesOf } from "./order-actions.rules.ts";
import { type OrderDialogProps, WaiveChoice } from "./order-subject.tsx";
import "./open-order-dialog.css";

export function OpenOrderDialog({ order, onClose }: OrderDialogProps) {
  const open = useWrite(orderActionContract.open);
  const { data: detail, refetch } = useCall(
    orderContract.get,
    { params: { id: order?.id ?? 0 } },
    { enabled: order !== null },
  );
  const [request, setRequest] = useState<{ id: number } & Choices>();
  const current = order && detail?.id === order.id ? detail : order;
  const purposes = current ? purposesOf(current) : [];
  const mine = request?.id === order?.id ? request : undefined;
  const purpose = purposes.find((known) => known === mine?.purpose) ?? purposes[0] ?? "PICKUP";
  const waives = purpose !== "DEPOSIT" && (mine?.waives ?? false);
  const isInDoubt = current !== null && isDetail(current) && current.isInDoubt;
  const afterDoubt = isInDoubt && (mine?.afterDoubt ?? false);
  const change = (changes: Partial<Choices>) =>
    order && setRequest({ id: order.id, purpose, waives, afterDoubt, ...changes });

  const place = current &&
    isDetail(current) &&
    current.place && {
      cabinet: { ...current.place, isForGoods: purpose !== "DEPOSIT" },
      cell: current.place.cell,
      side: doorSideFor(current.side, purpose),
      now: Date.now(),
    };

  const question: ConfirmOptions<Command> | null = current
    ? {
        title: `开门：订单 ${current.id}`,
        effect: (
          <>
            <p>
              将打开“{current.cabinetName}”的{" "}
              <b>
                {current.compartmentNo} 号格口
                {current.side === "DOUBLE" && doorSideText[doorSideFor(current.side, purpose)]}箱门
              </b>
              。指令 {COMMAND_TTL_SECONDS} 秒内有效，过期作废，不会自动重试。
            </p>
            <Choice
              purposes={purposes}
              purpose={purpose}
              order={current}
              onPurpose={(chosen) => change({ purpose: chosen })}
            />
            {purpose !== "DEPOSIT" && (
              <WaiveChoice
                key={current.id}
                order={current}
                otherwise="由运营人员开门不扣用户余额，取走后记为“待支付”，由取件人之后支付。"
                onWaives={(is) => change({ waives: is })}
              />
            )}
            {isInDoubt && (
              <AfterDoubt isChecked={afterDoubt} onChange={(is) => change({ afterDoubt: is })} />
            )}
            {place && <OpenNotices {...place} />}
          </>
        ),
        confirm: "开门",
        isBlocked: (place ? isOpenRefused(place) : false) || (isInDoubt && !afterDoubt),
        reasons: openReasons,
        run: (reason) => {
          const body = { purpose, waives, afterDoubt, reason };
          return open.mutateAsync({ params: { id: current.id }, body }).catch((error) => {
            // The order may have changed: a doubt has begun, and needs a decision.
            void refetch();
            throw error;
          });
        },
        outcome: (command) => <OpenResult command={command} />,
      }
    : null;
  const close = () => {
    setRequest(undefined);
    onClose();
  };
  return <ActionDialog question={question} onClose={close} />;
}

const isDetail = (order: Order | OrderDetail): order is OrderDetail => "place" in order;

interface Choices {
  purpose: OpenPurpose;
  waives: boolean;
  afterDoubt: boolean;
}

function AfterDoubt({
  isChecked,
  onChange,
}: {
  isChecked: boolean;
  onChange: (is: boolean) => void;
}) {
  return (
    <div className="order-waive">
      <p>最近一次开门没有结果，箱门可能已开：请先由现场人员查看。</p>
      <label>
        <input
          type="checkbox"
          className="ui-check"
          checked={isChecked}
          onChange={({ target }) => onChange(target.checked)}
        />
        已现场查看，再开一次
      </label>
    </div>
  );
}

const purposeMeaning: Record<OpenPurpose, string> = {
  DEPOSIT: "放入物品；关好门后订单变为“待取件”",
  PICKUP: "取件人取走；取空关门后订单完成",
  TAKE_BACK: "寄件方取回；取空关门后订单变为“已取回”",
};

interface ChoiceProps {
  purposes: readonly OpenPurpose[];
  purpose: OpenPurpose;
  order: Order;
  onPurpose: (purpose: OpenPurpose) => void;
}

function Choice({ purposes, purpose, order, onPurpose }: ChoiceProps): ReactNode {
  const name = useId();
  return (
    <fieldset className="open-purposes">
      <legend>开门用途</legend>
      {purposes.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            checked={each === purpose}
            onChange={() => onPurpose(each)}
          />
          <b>{openPurposeText[each]}</b>
          <span>
            {order.side === "DOUBLE" && `${doorSideText[doorSideFor(order.side, each)]}门，`}
            {purposeMeaning[each]}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
