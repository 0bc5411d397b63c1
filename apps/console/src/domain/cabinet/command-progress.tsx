// Progress of a command: its stages with times, updated live until it is settled.
import { type Command, commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { commandConflictText, hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../kit/api.ts";
import { formatDateTime } from "../../kit/format.ts";
import { useLive } from "../../kit/live.ts";
import { callKey } from "../../kit/query.ts";
import { stagesOf } from "./command-stages.rules.ts";
import "./command-progress.css";
import "../../ui/display/basics.css";

const POLL_MS = 1_000;

/**
 * Current state of the command; refetches on every live push, and every second until it is settled.
 */
export function useCommand(given: Command): Command {
  const input = { params: { id: given.id } };
  const { data, refetch } = useQuery({
    queryKey: [...callKey(commandContract.get), input],
    queryFn: ({ signal }) => call(commandContract.get, input, { signal }),
    initialData: given,
    staleTime: 0,

    refetchInterval: (query) => (hasResult(query.state.data?.state ?? "QUEUED") ? false : POLL_MS),
  });
  useLive("command", (cabinetId) => {
    if (cabinetId === null || cabinetId === given.cabinetId) void refetch();
  });
  return data;
}

export function CommandStages({ command }: { command: Command }) {
  return (
    <ol className="ui-stages">
      {stagesOf(command).map((stage) => (
        <li key={stage.text} data-tone={stage.tone}>
          <span className="ui-stage-text">{stage.text}</span>
          {stage.at && (
            <span className="ui-stage-time" title={formatDateTime(stage.at)}>
              {stage.elapsedMs === 0 ? formatDateTime(stage.at) : `+${stage.elapsedMs} ms`}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Live stages of a command that was just created. */
export function CommandProgress({ command: given }: { command: Command }) {
  const command = useCommand(given);
  return (
    <div aria-live="polite">
      <CommandStages command={command} />
      {command.detail && <p className="ui-stage-detail">{command.detail}</p>}
      {command.conflict && (
        <p className="ui-stage-detail" data-tone="doubtful">
          {commandConflictText[command.conflict]}
        </p>
      )}
    </div>
  );
}
