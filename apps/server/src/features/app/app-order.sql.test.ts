// People who become known by being sent something: each once, also when many send at the same moment.
import { expect, it } from "vitest";
import { useHouse } from "../../../../../tests/support/house.ts";
import { anyPhone } from "../../../../../tests/support/orders.ts";
import { ensureUser } from "./app-order.sql.ts";

const house = useHouse();

it("a new recipient of many riders at once is one person to all of them", async () => {
  const { id: tenantId } = await house.makeTenant();
  const phone = anyPhone();
  const known = await Promise.all(
    Array.from({ length: 8 }, () =>
      house.database.transaction({ tenantId }, async (db) => {
        const user = await ensureUser(db, { tenantId, phone });
        // The rest of a deposit, for which the others wait.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return user.id;
      }),
    ),
  );
  expect(new Set(known).size).toBe(1);
});
