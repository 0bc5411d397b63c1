// 开门测试: opens one door once and shows the command's progress; the timeline keeps the outcome.

import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import { COMMAND_TTL_SECONDS } from "@cabinet/contract/fleet/command/command.rules.ts";
import type { Malfunction } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { OpenResult } from "../../../domain/cabinet/open-door.tsx";
import { ActionDialog, type ConfirmOptions } from "../../../ui/display/action.tsx";
import { useDoorTest } from "./door-test.tsx";
import { isOwn, nameOf } from "./malfunction-status.tsx";

export interface TestDialogProps {
  /** Null while the dialog is closed. */
  malfunction: Malfunction | null;
  onClose: () => void;
}

const reasons = ["检修测试", "更换锁具后测试", "复核故障是否仍在"];

export function TestDialog({ malfunction, onClose }: TestDialogProps) {
  const { doorText, fields, isRefused, open } = useDoorTest(malfunction);
  const question: ConfirmOptions<Command> | null = malfunction
    ? {
        title: `开门测试：${nameOf(malfunction)}`,
        effect: (
          <>
            <p>
              将打开“{malfunction.cabinetName}”的 <b>{doorText}</b>。指令 {COMMAND_TTL_SECONDS}{" "}
              秒内有效，不会自动重试；结果记入处理记录。
            </p>
            {fields}
          </>
        ),
        confirm: "开门测试",
        isBlocked: isRefused,
        ...(!isOwn(malfunction) && { reasons }),
        run: (reason) => open(reason || nameOf(malfunction)),
        outcome: (command) => <OpenResult command={command} />,
      }
    : null;
  return <ActionDialog question={question} onClose={onClose} />;
}
