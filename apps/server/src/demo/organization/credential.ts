// Credentials of the simulated cabinets, in a private file with the server's addresses.
import { parseSimulatedCabinets, type SimulatedCabinet } from "@cabinet/link";
import { issueCabinetSecret } from "../../features/link/device/index.ts";
import type { Database, Db } from "../../platform/db/db.ts";
import { type DemoRecord, deleteCabinetSecrets, findSensors } from "../demo.sql.ts";
import { demoMaker } from "../fleet/maker.ts";
import { readJsonFile, writePrivateFile } from "./private-file.ts";

const KID = "demo";

interface CredentialOptions {
  database: Database;
  server: string;
  mqtt: string;
}

/** Issues new secrets unless the file has them; always rewrites the addresses. */
export async function ensureCabinetsFile(
  { database, server, mqtt }: CredentialOptions,
  demo: DemoRecord,
  file: string,
): Promise<void> {
  const known = parseSimulatedCabinets(await readJsonFile(file));
  const cabinets = known.ok
    ? known.value.cabinets
    : await database.transaction("platform", (db) => issueCredentials(db, demo));
  // Public key that the maker built into the cabinet.
  const makerKey = demoMaker(database.vault).publicKey;
  const built = cabinets.map((cabinet) => ({ ...cabinet, makerKey }));
  await writePrivateFile(file, { server, mqtt, cabinets: built });
}

async function issueCredentials(db: Db, { simulated }: DemoRecord): Promise<SimulatedCabinet[]> {
  await deleteCabinetSecrets(db, simulated);
  const sensors = Map.groupBy(await findSensors(db, simulated), (sensor) => sensor.cabinetId);
  const cabinets: SimulatedCabinet[] = [];
  for (const { tenantId, cabinetId, sn } of simulated) {
    const secret = await issueCabinetSecret(db, { tenantId, cabinetId, sn, kid: KID });
    const compartments = sensors.get(cabinetId) ?? [];
    cabinets.push({
      cabinetId: sn,
      kid: KID,
      secret,
      side: compartments[0]?.isDoubleSided ? "DOUBLE" : "SINGLE",
      compartments: compartments.map(({ no, isDoubleSided, item }) => ({
        no,
        sides: isDoubleSided ? ["FRONT", "BACK"] : ["FRONT"],
        item: item === "PRESENT" ? "PRESENT" : "EMPTY",
      })),
    });
  }
  return cabinets;
}
