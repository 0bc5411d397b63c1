// Fault injection: lost, delayed and duplicated messages, jammed locks, power loss.
import type { Session, SessionEvents, Transport } from "./transport.ts";
import { between, type World } from "./world.ts";

/** Each a probability from 0 to 1, except `delay`, the longest delay in milliseconds. */
export interface FaultPlan {
  readonly drop: number;
  /** Per report: the uplink falls silent for some time, then delivers what it held, in order. */
  readonly silence: number;
  readonly delay: number;
  readonly duplicate: number;
  readonly jam: number;
  readonly reboot: number;
  readonly badFile: number;
  readonly slowFile: number;
  readonly badInstall: number;
  readonly bootLoop: number;
}

/** As a mobile network that holds packets: the connection stays open. */
const SILENT_MS = { from: 5_000, to: 40_000 };

export const NO_FAULTS: FaultPlan = {
  drop: 0,
  silence: 0,
  delay: 0,
  duplicate: 0,
  jam: 0,
  reboot: 0,
  badFile: 0,
  slowFile: 0,
  badInstall: 0,
  bootLoop: 0,
};

function isFaultName(name: string): name is keyof FaultPlan {
  return Object.hasOwn(NO_FAULTS, name);
}

/** Parses `drop=0.1,delay=500,…`. Throws `Error` with a Chinese message if invalid. */
export function parseFaults(text: string): FaultPlan {
  const plan: Record<keyof FaultPlan, number> = { ...NO_FAULTS };
  for (const part of text.split(",").filter((each) => each.trim() !== "")) {
    const [name = "", value = ""] = part.split("=").map((each) => each.trim());
    if (!isFaultName(name)) {
      throw new Error(`不认识的故障“${name}”，可用：${Object.keys(NO_FAULTS).join("、")}`);
    }
    const number = value === "" ? Number.NaN : Number(value);
    const most = name === "delay" ? 600_000 : 1;
    if (!(number >= 0 && number <= most)) {
      throw new Error(`故障 ${name} 的值“${value}”不对，应是 0 到 ${most} 之间的数`);
    }
    plan[name] = number;
  }
  return plan;
}

/** Publishes in order, and holds everything back while the uplink is silent. */
function silentUplink(session: Session, plan: FaultPlan, world: World): Session["publish"] {
  let silence: Promise<void> | undefined;
  return async (message) => {
    if (!silence && plan.silence > 0 && world.random() < plan.silence) {
      silence = new Promise((resolve) => {
        world.after(between(world, SILENT_MS.from, SILENT_MS.to), resolve);
      });
      void silence.then(() => {
        silence = undefined;
      });
    }
    await silence;
    await session.publish(message);
  };
}

/** Wraps a transport: messages of both directions get lost, delayed or duplicated, and reports held back. */
export function withFaults(transport: Transport, plan: FaultPlan, world: World): Transport {
  const { drop, delay, duplicate, silence } = plan;
  if (drop === 0 && delay === 0 && duplicate === 0 && silence === 0) return transport;
  const late = (act: () => void) => {
    if (plan.delay === 0) act();
    else world.after(world.random() * plan.delay, act);
  };
  const pass = (act: () => void) => {
    if (world.random() >= plan.drop) late(act);
    if (world.random() < plan.duplicate) late(act);
  };
  return {
    async connect(request, events: SessionEvents) {
      const connected = await transport.connect(request, {
        ...events,
        onMessage: (topic, bytes) => pass(() => events.onMessage(topic, bytes)),
      });
      const inner = connected.session;
      const publish = silentUplink(inner, plan, world);
      const isLossy = drop > 0 || delay > 0 || duplicate > 0;
      const session: Session = {
        ...inner,
        publish: isLossy
          ? async (message) => pass(() => void publish(message).catch(() => {}))
          : publish,
      };
      return { ...connected, session };
    },
  };
}
