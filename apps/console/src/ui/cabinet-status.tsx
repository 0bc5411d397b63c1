// How a cabinet is, in words and tone: on the line or not, running or not. Wherever cabinets are shown.

import {
  type Connectivity,
  connectivityText,
  type Lifecycle,
  lifecycleText,
} from "@cabinet/contract/cabinet/cabinet.rules.ts";
import { orderRefusalText } from "@cabinet/contract/cabinet/cabinet-service.rules.ts";
import { Status } from "./status.tsx";
import type { Tone } from "./tone.rules.ts";

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
