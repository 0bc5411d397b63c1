// A cabinet of the demo with its past, at its place in the database.
import type { DemoActor } from "./account.ts";
import type { DemoCabinet } from "./cabinet.ts";
import type { Chronicle } from "./chronicle.ts";

export interface PlacedStory {
  cabinet: DemoCabinet;
  tenantId: number;
  storeId: number | null;
  cabinetId: number;
  /** The tenant's people, by userType. */
  actors: DemoActor[];
  /** Null where it has never connected. */
  chronicle: Chronicle | null;
}
