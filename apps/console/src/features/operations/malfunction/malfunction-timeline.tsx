// Timeline of a malfunction: actions, notes, notices, door tests and photos.
import type { MalfunctionEntry } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  malfunctionEventText,
  malfunctionStateText,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { stateText, toneOf } from "../../../domain/cabinet/command-stages.rules.ts";
import { Status } from "../../../ui/display/status.tsx";
import { Timeline, TimelineItem } from "../../../ui/display/timeline.tsx";
import { PhotoGrid } from "./photo-grid.tsx";

const problems: readonly MalfunctionEntry["kind"][] = ["REPORTED", "REPEATED", "REOPENED"];

export function MalfunctionTimeline({ entries }: { entries: readonly MalfunctionEntry[] }) {
  return (
    <Timeline>
      {entries.map(({ key, at, kind, actorName, text, toState, photos, command }) => (
        <TimelineItem
          key={key}
          source={kind === "TOLD" ? "通知" : actorName || "系统"}
          title={kind === "TOLD" ? "已通知" : malfunctionEventText[kind]}
          at={at}
          extra={toState && `→ ${malfunctionStateText[toState]}`}
          note={text}
          isProblem={problems.includes(kind)}
        >
          {command && (
            <span className="ui-timeline-outcome">
              <Status tone={toneOf(command.state)}>{stateText("OPEN", command.state)}</Status>
              {command.detail && <small>{command.detail}</small>}
            </span>
          )}
          <PhotoGrid photos={photos} />
        </TimelineItem>
      ))}
    </Timeline>
  );
}
