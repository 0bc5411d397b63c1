// A demo cabinet with its history and its ids in the database.

import type { DemoCabinet } from "../fleet/cabinet.ts";
import type { DemoActor } from "../organization/account.ts";
import type { Chronicle } from "./chronicle.ts";

export interface PlacedStory {
  cabinet: DemoCabinet;
  tenantId: number;
  storeId: number | null;
  cabinetId: number;
  /** Accounts of the tenant, by userType. */
  actors: DemoActor[];
  /** Null if it has never connected. */
  chronicle: Chronicle | null;
}
