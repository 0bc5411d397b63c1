// Step that sets up the second factor which a role demands. Loads the component library, which the sign-in itself does without.
import { late } from "../kit/late.ts";
import { inLibrary } from "./library-part.tsx";

export const setUpStep = late(() =>
  inLibrary(import("../features/identity/second-factor/index.ts").then((it) => it.SetUpStep)),
);
