// 开门测试: opens one door once and shows the command's progress; the timeline keeps the outcome.

import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import { COMMAND_TTL_SECONDS } from "@cabinet/contract/fleet/command/command.rules.ts";
import {
  type Malfunction,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { type DoorSide, doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Alert from "antd/es/alert";
import InputNumber from "antd/es/input-number";
import { useId, useState } from "react";
import { openRefusal } from "../../../domain/cabinet/open-door.rules.ts";
import { OpenResult } from "../../../domain/cabinet/open-door.tsx";
import { SideSwitch } from "../../../domain/cabinet/side-switch.tsx";
import { useCall, useWrite } from "../../../kit/query.ts";
import { ActionDialog, type ConfirmOptions } from "../../../ui/display/action.tsx";
import { nameOf } from "./malfunction-status.tsx";

export interface TestDialogProps {
  /** Null while the dialog is closed. */
  malfunction: Malfunction | null;
  onClose: () => void;
}

const reasons = ["检修测试", "更换锁具后测试", "复核故障是否仍在"];

export function TestDialog({ malfunction, onClose }: TestDialogProps) {
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

  const question: ConfirmOptions<Command> | null = malfunction
    ? {
        title: `开门测试：${nameOf(malfunction)}`,
        effect: (
          <>
            <p>
              将打开“{malfunction.cabinetName}”的{" "}
              <b>
                {no === null ? "一个格口" : `${no} 号格口${isDouble ? doorSideText[side] : ""}箱门`}
              </b>
              。指令 {COMMAND_TTL_SECONDS} 秒内有效，不会自动重试；结果记入故障经过。
            </p>
            {malfunction.compartmentNo === null && (
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
        confirm: "开门测试",
        isBlocked: refusal !== null,
        reasons,
        run: (reason) => {
          if (no === null) throw new Error("请填写要测试的格口号");
          const body = { no, reason, ...(isDouble && { side }) };
          return test.mutateAsync({ params: { id: malfunction.id }, body });
        },
        outcome: (command) => <OpenResult command={command} />,
      }
    : null;
  return <ActionDialog question={question} onClose={onClose} />;
}
