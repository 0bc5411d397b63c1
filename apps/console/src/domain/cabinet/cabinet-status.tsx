// Connectivity and lifecycle of a cabinet as text and tone, for every page that shows cabinets.

import {
  type Connectivity,
  connectivityText,
  type Lifecycle,
  lifecycleText,
} from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { orderRefusalText } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { Status } from "../../ui/display/status.tsx";
import type { Tone } from "../../ui/display/tone.rules.ts";

const connectivityTone: Record<Connectivity, Tone> = {
  ONLINE: "good",
  CONNECTING: "doubtful",
  OFFLINE: "bad",
  NEVER: "quiet",
};

const lifecycleTone: Record<Lifecycle, Tone> = {
  INACTIVE: "quiet",
  ACTIVE: "good",
  PAUSED: "doubtful",
  RETIRED: "quiet",
};

export function ConnectivityStatus({ of }: { of: Connectivity }) {
  return <Status tone={connectivityTone[of]}>{connectivityText[of]}</Status>;
}

export function LifecycleStatus({ of }: { of: Lifecycle }) {
  const next = of === "INACTIVE" ? orderRefusalText.INACTIVE.mend : undefined;
  return (
    <Status tone={lifecycleTone[of]} {...(next && { title: next })}>
      {lifecycleText[of]}
    </Status>
  );
}
