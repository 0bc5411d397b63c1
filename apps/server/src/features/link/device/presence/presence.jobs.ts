// Times of presence that a clock which was ahead must not leave in the future.
import type { JobSet } from "../../../../platform/jobs/jobs.ts";

export const presenceJobs: JobSet = {
  tasks: {},
  cron: [],
  waitingTimes: [
    // A cabinet that is gone would count as online, and openings would be accepted for it. One that is there reports meanwhile.
    { column: "cabinet.offline_at", atMost: "70 minutes", after: "150 seconds" },
    // A snapshot from the future would prove the doubts of openings that come after it; no snapshot would be requested.
    { column: "cabinet.snapshot_asked_at", atMost: "2 minutes", after: "-1 day" },
    { column: "cabinet.resync_at", atMost: "2 minutes", after: "-1 hour" },
    { column: "cabinet.resync_due_at", atMost: "10 minutes", where: "resync_due_at is not null" },
    // No snapshot would be requested in place of lost reports.
    { column: "cabinet.gap_since", atMost: "2 minutes" },
    // The cabinet would take no new goods, and the next copy would not be named.
    { column: "cabinet.identity_shared_at", atMost: "2 minutes" },
    // Nobody would be told of a door that is left open.
    { column: "compartment.door_open_since", atMost: "2 minutes" },
    // Nobody would be told of cabinets that are offline.
    { column: "presence_sweep.excused_until", atMost: "5 minutes" },
    { column: "presence_sweep.swept_at", atMost: "2 minutes" },
    { column: "birth_request.due_at", atMost: "5 minutes" },
    // A dead gateway would keep its share of the receivers.
    { column: "gateway.seen_at", atMost: "2 minutes" },
  ],
};
