// Notifies gateways that a cabinet's secret ended, so that they cut its connections.
import type { Db } from "../../../../platform/db/db.ts";
import { notify } from "../../../../platform/db/notify.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";
import { endSecrets } from "./secret.sql.ts";
import { closeEndedConnection } from "./secret-end.sql.ts";

export interface SecretNotice {
  sn: string;
  kid: string;
}

/**
 * Ends the cabinet's connections with secrets that are no longer in force: in the database with
 * this transaction, at the broker right after it commits. The caller has locked the cabinet's row.
 */
export async function dropEndedConnections(db: Db, cabinet: CabinetKey): Promise<void> {
  for (const { sn, kid } of await closeEndedConnection(db, cabinet)) {
    const notice: SecretNotice = { sn, kid };
    await notify(db, "secret", notice);
  }
}

/** Ends all secrets of the cabinet: gateways forget them right after this transaction commits. */
export async function endCabinetSecrets(
  db: Db,
  { sn, ...cabinet }: CabinetKey & { sn: string },
): Promise<void> {
  const kids = await endSecrets(db, cabinet);
  await closeEndedConnection(db, cabinet);
  for (const kid of kids) {
    const notice: SecretNotice = { sn, kid };
    await notify(db, "secret", notice);
  }
}
