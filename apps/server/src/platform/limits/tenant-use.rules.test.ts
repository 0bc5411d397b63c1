// Tests the counts of tenants' requests and live channels in one process.
import { expect, test } from "vitest";
import { type ReportedUse, TenantUse } from "./tenant-use.rules.ts";

const reported: ReportedUse = {
  ...{ tenantId: 7, maxRequests: 10, maxLiveChannels: 3 },
  ...{ requests: 8, otherLiveChannels: 1, secondsLeft: 30 },
};

test("requests: unlimited until the first report, then counted together with other processes", () => {
  const use = new TenantUse();
  for (let n = 0; n < 50; n++) expect(use.countRequest(7, 0)).toBeNull();
  expect(use.take(0)).toEqual([{ tenantId: 7, requests: 50, liveChannels: 0 }]);
  use.learn([reported], 0);
  expect(use.countRequest(7, 0)).toBeNull();
  expect(use.countRequest(7, 0)).toBeNull();
  expect(use.countRequest(7, 10_500)).toEqual({ max: 10, seconds: 20 });
  expect(use.countRequest(8, 0)).toBeNull();
});

test("requests: the next minute starts over, also when no report succeeds", () => {
  const use = new TenantUse();
  use.learn([{ ...reported, requests: 10 }], 0);
  expect(use.countRequest(7, 29_999)).not.toBeNull();
  use.take(29_999);
  expect(use.countRequest(7, 30_000)).toBeNull();
});

test("live channels: those of other processes count; a refused one takes no place", () => {
  const use = new TenantUse();
  use.learn([reported], 0);
  expect(use.openLiveChannel(7)).toBeNull();
  expect(use.openLiveChannel(7)).toBeNull();
  expect(use.openLiveChannel(7)).toEqual({ max: 3 });
  use.closeLiveChannel(7);
  expect(use.openLiveChannel(7)).toBeNull();
});

test("take: open channels are reported each time, the last closed one once, idle tenants are forgotten", () => {
  const use = new TenantUse();
  use.openLiveChannel(7);
  expect(use.take(0)).toEqual([{ tenantId: 7, requests: 0, liveChannels: 1 }]);
  expect(use.take(0)).toEqual([{ tenantId: 7, requests: 0, liveChannels: 1 }]);
  use.learn([reported], 0);
  use.closeLiveChannel(7);
  expect(use.take(0)).toEqual([{ tenantId: 7, requests: 0, liveChannels: 0 }]);
  expect(use.take(1)).toEqual([]);
  expect(use.countRequest(7, 1), "the limit is kept for its minute").toBeNull();
  use.take(1);
  expect(use.take(30_000)).toEqual([]);
  for (let n = 0; n < 20; n++) expect(use.countRequest(7, 1)).toBeNull();
});
