// Protocol messages of a command on the cabinet link, in order and unmodified.
import {
  type Command,
  type CommandFrame,
  commandContract,
} from "@cabinet/contract/fleet/command/command.contract.ts";
import type { CommandConflict } from "@cabinet/contract/fleet/command/command.rules.ts";
import { elapsedMs } from "../../../domain/cabinet/command-stages.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { JsonView } from "../../../ui/display/json-view.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import "../../../ui/display/basics.css";
import "./command-frames.css";

const topicText: Record<string, string> = {
  "dn/cmd": "下发指令",
  "up/ack": "设备应答",
  "up/birth": "重连补报",
  "up/evt": "设备事件",
};

const conflictText: Record<CommandConflict, string> = {
  SEQ: "序号不符，未采信",
  STAGE: "前后矛盾，未采信",
};

export function CommandFrames({ command }: { command: Command }) {
  const { id, cabinetId, state } = command;
  const answer = useCall(commandContract.frames, { params: { id } });
  useLiveRefresh("command", () => answer.refetch(), { cabinetId, pace: "close" });
  useLiveRefresh("cabinet", () => answer.refetch(), { cabinetId });
  if (answer.error && !answer.data) return <p className="ui-cell-none">{answer.error.message}</p>;
  if (answer.data?.length === 0) {
    const isUnsent = state === "QUEUED" || command.sentAt === null;
    return (
      <p className="ui-cell-none">
        {isUnsent ? "指令没有发出，没有报文" : "没有保存这条指令的报文"}
      </p>
    );
  }
  return (
    <ol className="command-frames">
      {answer.data?.map((frame, index) => (
        // Frames are only ever added at the end.
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the frame's name.
        <li key={index}>
          <Frame frame={frame} command={command} />
        </li>
      ))}
    </ol>
  );
}

function Frame({ frame, command }: { frame: CommandFrame; command: Command }) {
  const { at, direction, topic, message, conflict } = frame;
  const title = topicText[topic] ?? topic;
  return (
    <details>
      <summary>
        <b data-direction={direction}>{{ DOWN: "↓", UP: "↑" }[direction]}</b>
        <span className="command-frame-what">
          {title}
          <code>{topic}</code>
          {conflict && <span className="command-frame-conflict">{conflictText[conflict]}</span>}
        </span>
        <time dateTime={at} title={formatDateTime(at)}>
          +{elapsedMs(command, at)} ms
        </time>
      </summary>
      <JsonView text={message} label={`${title}报文`} />
    </details>
  );
}
