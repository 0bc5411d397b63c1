// Keyring: a new key is found at once, further unknown keys at most once per second.
import { expect, it } from "vitest";
import { makeCabinet } from "../../../../../../../tests/support/cabinets.ts";
import { useTestServer } from "../../../../../../../tests/support/test-server.ts";
import { Keyring } from "./keyring.cache.ts";
import { issueCabinetSecret } from "./secret.sql.ts";

const testServer = useTestServer();

it("unknown key: looked up at once after the keys were loaded, then not again within a second", async () => {
  const { id: tenantId } = await testServer.makeTenant();
  const { id: cabinetId, sn } = await makeCabinet(testServer, { tenantId });
  const issue = (kid: string) =>
    testServer.database.transaction("platform", (db) =>
      issueCabinetSecret(db, { tenantId, cabinetId, sn, kid }),
    );
  const keyring = new Keyring(testServer.database);
  await issue("k1");
  expect([...((await keyring.find(sn))?.keys.keys() ?? [])]).toEqual(["k1"]);
  await issue("k2");
  const found = await keyring.findAgain(sn);
  expect([...(found?.keys.keys() ?? [])].sort()).toEqual(["k1", "k2"]);
  expect(await keyring.findAgain(sn)).toBe(found);
});
