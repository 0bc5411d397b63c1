// Public interface of the advert feature.
import type { PlaylistReports } from "../../link/device/index.ts";
import { applyPlaylistReport, findPlaylist, greetPlaylist } from "./playlist.sql.ts";

export { advertJobs } from "./advert.jobs.ts";
export { advertRoutes } from "./advert.routes.ts";
export { mayDownloadAdvert, refreshPlaylists } from "./playlist.sql.ts";

export const playlistReports: PlaylistReports = {
  find: findPlaylist,
  greet: greetPlaylist,
  apply: applyPlaylistReport,
};
