// Time of a press by the server's clock, which answers teach (0115).
import { ServerClock } from "@cabinet/contract/kit/press.rules.ts";

export const clock = new ServerClock();

/** Now, as `x-pressed-at` takes it. */
export const pressNow = (): number => clock.at(Date.now());
