// Tracks which reports of a cabinet have arrived: the newest, and which before it are missing.

/** Reports are numbered from 1 within each boot (`bootNo`) of the cabinet. */
export interface ReportTrack {
  bootNo: number | null;
  lastN: number | null;
  missing: readonly number[];
}

export interface TrackedReport {
  bootNo: number;
  n: number;
  /** A heartbeat repeats the number of the report before it. */
  isHeartbeat?: boolean;
  /** A snapshot replaces every report with a lower number than this. */
  coversBefore?: number;
}

/** Beyond this a snapshot replaces the missing reports anyway. */
const MAX_MISSING = 50;

/** The track after one more report; reports may arrive in any order. */
export function trackReport(track: ReportTrack, report: TrackedReport): ReportTrack {
  const { bootNo, n, isHeartbeat = false, coversBefore = 1 } = report;
  if (track.bootNo !== null && bootNo < track.bootNo) return track;
  const isSameBoot = bootNo === track.bootNo;
  const lastN = isSameBoot ? (track.lastN ?? 0) : 0;
  const missing = (isSameBoot ? track.missing : []).filter(
    (each) => each >= coversBefore && (isHeartbeat || each !== n),
  );
  const until = isHeartbeat ? n : n - 1;
  const from = Math.max(lastN + 1, coversBefore, until - MAX_MISSING + 1);
  for (let each = from; each <= until; each++) missing.push(each);
  return { bootNo, lastN: Math.max(lastN, n), missing: missing.slice(-MAX_MISSING) };
}

/** True if the report is newer than what is stored; a tie is the same report again. */
export function isNewer(
  report: { bootNo: number; n: number },
  stored: { bootNo: number | null; n: number | null },
): boolean {
  if (stored.bootNo === null || stored.n === null) return true;
  return (report.bootNo - stored.bootNo || report.n - stored.n) > 0;
}
