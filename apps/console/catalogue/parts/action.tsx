// Action with its confirmation, the confirmation without a library, and toasts.
import { confirm, toast } from "../../src/kit/feedback.ts";
import { useCall, useWrite } from "../../src/kit/query.ts";
import { Action, type ConfirmOptions } from "../../src/ui/display/action.tsx";
import { Button } from "../../src/ui/display/button.tsx";
import { answer, held, lost, never, once, replayedAnswer } from "../answers.ts";
import { sampleContract, workingList } from "../sample.ts";
import type { Parts, State } from "../state.ts";

const question: ConfirmOptions = {
  title: "删除样品",
  effect: "样品 01 将被删除，不能恢复。",
  confirm: "确认删除",
  isDanger: true,
  run: async () => {},
  done: "样品 01 已删除",
};
const reasons = ["例行检修", "用户要求"];
const fail = () => Promise.reject(new Error("样品 01 还有未完成的订单，不能删除"));

const action = (options: Partial<ConfirmOptions>, ...press: string[]): State => ({
  show: () => <Action question={{ ...question, ...options }}>删除</Action>,
  press,
});

function Toasts() {
  return (
    <div>
      {(["success", "info", "warning", "error"] as const).map((kind) => (
        <Button key={kind} onClick={() => toast[kind](`${kind}：样品 01 的提示`)}>
          {kind}
        </Button>
      ))}
    </div>
  );
}

/** Sends a call, beside a list of the same noun that is refetched after it. */
function Sends() {
  const act = useWrite(sampleContract.act);
  const { data } = useCall(sampleContract.list, { query: { page: 1, pageSize: 10 } });
  return (
    <>
      <Action question={{ ...question, reasons, run: () => act.mutateAsync({}) }}>删除</Action>
      <p>共 {data?.total ?? "…"} 个样品</p>
    </>
  );
}

async function ask(): Promise<void> {
  const isAgreed = await confirm({
    title: "放弃未保存的内容？",
    content: "离开后不能恢复。",
    ok: "放弃",
    isDanger: true,
  });
  toast.info(isAgreed ? "已放弃" : "继续填写");
}

export const actionParts: Parts = {
  action: {
    idle: action({}),
    confirm: action({}, "删除"),
    reason: action({ reasons }, "删除"),
    blocked: action({ isBlocked: true, effect: "样品 01 正在使用，不能删除。" }, "删除"),
    busy: action({ run: never }, "删除", "确认删除"),
    held: action({ reasons, run: () => held(null) }, "删除"),
    failed: action({ run: fail }, "删除", "确认删除"),
    undo: action({ undo: async () => {} }, "删除", "确认删除"),
    "undo-fails": action({ undo: fail }, "删除", "确认删除"),
    sends: { show: Sends, answers: [answer(sampleContract.act, () => null), workingList] },
    "sends-beside-slow-list": {
      show: Sends,
      answers: [
        answer(sampleContract.act, () => null),
        { ...workingList, reply: once(workingList.reply, never) },
      ],
    },
    // The first answer is lost; the second says that the first request had its effect.
    "sends-again": {
      show: Sends,
      answers: [
        answer(sampleContract.act, once(lost, () => replayedAnswer(null)) as () => Response),
        workingList,
      ],
    },
    outcome: action({ outcome: () => <p>已删除 1 个样品</p> }, "删除", "确认删除"),
  },
  confirmation: {
    closed: { show: () => <Button onClick={ask}>离开</Button> },
    open: { show: () => <Button onClick={ask}>离开</Button>, press: ["离开"] },
  },
  toasts: {
    all: { show: Toasts, press: ["success", "info", "warning", "error"] },
  },
};
