// Port from the link to the advert feature, which implements it, for the cabinets' playlists.
import type { Playlist, PlaylistReport } from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";

/** All methods run in the transaction of the report, or of the sending. */
export interface PlaylistReports {
  /** Playlist that the cabinet should show; null if it never had one. */
  find(db: Db, cabinet: CabinetKey): Promise<Playlist | null>;
  /** Like `find`, for the hello; `version` is undefined for a cabinet without playlists. */
  greet(db: Db, cabinet: CabinetKey, version: number | undefined): Promise<Playlist | null>;
  /** Stores the report unless a newer one is stored. */
  apply(
    db: Db,
    cabinet: CabinetKey,
    order: { bootNo: number; n: number },
    report: PlaylistReport,
  ): Promise<void>;
}
