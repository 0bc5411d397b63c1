// Opening test of a malfunction's door: which door, what speaks against it, the command.
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import {
  type Malfunction,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { mayAct } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { type DoorSide, doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Alert from "antd/es/alert";
import InputNumber from "antd/es/input-number";
import { type ReactNode, useId, useState } from "react";
import { openRefusal } from "../../../domain/cabinet/open-door.rules.ts";
import { OpenResult } from "../../../domain/cabinet/open-door.tsx";
import { SideSwitch } from "../../../domain/cabinet/side-switch.tsx";
import { messageOf } from "../../../kit/feedback.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { nameOf } from "./malfunction-status.tsx";
import "./malfunction.css";

export interface DoorTest {
  /** `3 号格口`. */
  doorText: string;
  /** Choice of the door, and warnings. */
  fields: ReactNode;
  isRefused: boolean;
  open: (reason: string) => Promise<Command>;
}

/** Null: no malfunction is shown. */
export function useDoorTest(malfunction: Malfunction | null): DoorTest {
  const id = useId();
  const test = useWrite(malfunctionContract.test);
  const detail = useCall(
    malfunctionContract.get,
    { params: { id: malfunction?.id ?? 0 } },
    { enabled: malfunction !== null },
  ).data;
  const [request, setRequest] = useState<{ of: number; no: number | null; side: DoorSide }>();
  const mine = request?.of === malfunction?.id ? request : undefined;
  const no = malfunction?.compartmentNo ?? mine?.no ?? null;
  const side = mine?.side ?? "FRONT";
  const change = (changes: Partial<{ no: number | null; side: DoorSide }>) =>
    malfunction && setRequest({ of: malfunction.id, no, side, ...changes });
  const place = detail?.id === malfunction?.id ? detail?.place : undefined;
  const isDouble = place?.side === "DOUBLE";
  const refusal = place
    ? openRefusal({ ...place, connectivity: place.isOnline ? "ONLINE" : "OFFLINE" })
    : null;
  return {
    doorText: no === null ? "一个格口" : `${no} 号格口${isDouble ? doorSideText[side] : ""}箱门`,
    isRefused: refusal !== null,
    fields: (
      <>
        {malfunction?.compartmentNo === null && (
          <p>
            <label htmlFor={id}>测试哪个格口 </label>
            <InputNumber
              id={id}
              min={1}
              max={999}
              precision={0}
              value={no}
              placeholder="格口号"
              onChange={(value) => change({ no: value })}
            />
          </p>
        )}
        {isDouble && (
          <SideSwitch
            label="打开哪一面的门"
            side={side}
            onSide={(chosen) => change({ side: chosen })}
          />
        )}
        {place?.orderId && (
          <Alert
            type="warning"
            showIcon
            title={`格口内有订单 ${place.orderId} 的物品，开门后请看好`}
          />
        )}
        {refusal && <Alert type="warning" showIcon title={refusal} />}
      </>
    ),
    async open(reason) {
      if (no === null) throw new Error("请填写要测试的格口号");
      const body = { no, reason, ...(isDouble && { side }) };
      return test.mutateAsync({ params: { id: malfunction?.id ?? 0 }, body });
    },
  };
}

/** Opening test within a form; empty where no door can be tested. */
export function InlineDoorTest({ malfunction }: { malfunction: Malfunction }) {
  const mayOpen = usePermission("command:open");
  const { doorText, fields, isRefused, open } = useDoorTest(malfunction);
  const [command, setCommand] = useState<Command | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  if (!mayOpen || malfunction.cabinetId === null || !mayAct("test", malfunction.state)) return null;
  const run = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      setCommand(await open(`维修后开门测试：${nameOf(malfunction)}`));
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className="malfunction-test">
      {fields}
      <Button loading={isBusy} disabled={isRefused} onClick={() => void run()}>
        开门测试：{doorText}
      </Button>
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      {command && <OpenResult key={command.id} command={command} />}
    </div>
  );
}
