// Registry of the catalogue: each part of the console in each of its states.
import { actionParts } from "./parts/action.tsx";
import { chartParts } from "./parts/chart.tsx";
import { dialogInFormParts } from "./parts/dialog-in-form.tsx";
import { displayParts } from "./parts/display.tsx";
import { formParts } from "./parts/form.tsx";
import { importParts } from "./parts/import.tsx";
import { lateParts } from "./parts/late.tsx";
import { listParts } from "./parts/list.tsx";
import { networkParts } from "./parts/network.tsx";
import type { Parts } from "./state.ts";

export const parts: Parts = {
  ...listParts,
  ...formParts,
  ...actionParts,
  ...dialogInFormParts,
  ...displayParts,
  ...chartParts,
  ...importParts,
  ...lateParts,
  ...networkParts,
};
