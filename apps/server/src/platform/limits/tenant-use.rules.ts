// Use of each tenant's limits by one process: requests of this minute and open live channels.

/** One tenant's limits and use, of all processes, as of the last report. */
export interface ReportedUse {
  tenantId: number;
  maxRequests: number | null;
  maxLiveChannels: number | null;
  /** In this minute. */
  requests: number;
  /** Channels of other processes. */
  otherLiveChannels: number;
  /** Until the minute ends. */
  secondsLeft: number;
}

/** Requests since the last report, and channels that are open now. */
export interface OwnUse {
  tenantId: number;
  requests: number;
  liveChannels: number;
}

interface Entry {
  requests: number;
  liveChannels: number;
  isUnreported: boolean;
  reported: (ReportedUse & { endsAt: number }) | null;
}

/** Limits are unknown, and nothing is refused, until the first report. `now` is milliseconds of a monotonic clock. */
export class TenantUse {
  readonly #entries = new Map<number, Entry>();

  /** Counts one request; returns the limit and the seconds to wait when it is one too many. */
  countRequest(tenantId: number, now: number): { max: number; seconds: number } | null {
    const entry = this.#entryOf(tenantId);
    entry.requests++;
    entry.isUnreported = true;
    const { reported } = entry;
    if (!reported || reported.maxRequests === null) return null;
    const isSameMinute = now < reported.endsAt;
    const requests = (isSameMinute ? reported.requests : 0) + entry.requests;
    if (requests <= reported.maxRequests) return null;
    const seconds = isSameMinute ? Math.ceil((reported.endsAt - now) / 1_000) : 60;
    return { max: reported.maxRequests, seconds };
  }

  /** Counts one open channel; returns the limit when it is one too many, which is not counted. */
  openLiveChannel(tenantId: number): { max: number } | null {
    const entry = this.#entryOf(tenantId);
    const { maxLiveChannels: max = null, otherLiveChannels = 0 } = entry.reported ?? {};
    if (max !== null && entry.liveChannels + otherLiveChannels >= max) return { max };
    entry.liveChannels++;
    entry.isUnreported = true;
    return null;
  }

  closeLiveChannel(tenantId: number): void {
    const entry = this.#entryOf(tenantId);
    entry.liveChannels--;
    entry.isUnreported = true;
  }

  /** Use to report; the counts of requests start over, also if the report fails. */
  take(now: number): OwnUse[] {
    return [...this.#entries].flatMap(([tenantId, entry]) => {
      const { requests, liveChannels, isUnreported, reported } = entry;
      if (!isUnreported && liveChannels === 0) {
        if (!reported || now >= reported.endsAt) this.#entries.delete(tenantId);
        return [];
      }
      Object.assign(entry, { requests: 0, isUnreported: false });
      return [{ tenantId, requests, liveChannels }];
    });
  }

  learn(uses: readonly ReportedUse[], now: number): void {
    for (const use of uses) {
      const endsAt = now + use.secondsLeft * 1_000;
      this.#entryOf(use.tenantId).reported = { ...use, endsAt };
    }
  }

  #entryOf(tenantId: number): Entry {
    const known = this.#entries.get(tenantId);
    if (known) return known;
    const entry = { requests: 0, liveChannels: 0, isUnreported: false, reported: null };
    this.#entries.set(tenantId, entry);
    return entry;
  }
}
