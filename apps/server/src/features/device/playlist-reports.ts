// What the link asks about cabinets' screens, and tells of them; the adverts' feature fills it in.
import type { Playlist, PlaylistReport } from "@cabinet/link";
import type { Db } from "../../platform/db.ts";
import type { CabinetKey } from "./presence.sql.ts";

/** All run in the transaction of the report, or of the sending. */
export interface PlaylistReports {
  /** What the cabinet should show; null when nothing ever was meant for it. */
  find(db: Db, cabinet: CabinetKey): Promise<Playlist | null>;
  /** As `find`, for one that is being greeted and says its version; undefined: it knows no playlists. */
  greet(db: Db, cabinet: CabinetKey, version: number | undefined): Promise<Playlist | null>;
  /** Keeps what a newer report said. */
  apply(
    db: Db,
    cabinet: CabinetKey,
    order: { bootNo: number; n: number },
    report: PlaylistReport,
  ): Promise<void>;
}
