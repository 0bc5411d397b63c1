// Users created by the first deposit for them: once each, even under concurrent deposits.
import { expect, it } from "vitest";
import { anyPhone } from "../../../../../../tests/support/orders.ts";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { ensureUser } from "./app-sign-in.sql.ts";

const testServer = useTestServer();

it("ensureUser: concurrent deposits for a new phone create one user", async () => {
  const { id: tenantId } = await testServer.makeTenant();
  const phone = anyPhone();
  const known = await Promise.all(
    Array.from({ length: 8 }, () =>
      testServer.database.transaction({ tenantId }, async (db) => {
        const user = await ensureUser(db, { tenantId, phone });
        // The rest of a deposit, which makes the others wait.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return user.id;
      }),
    ),
  );
  expect(new Set(known).size).toBe(1);
});
