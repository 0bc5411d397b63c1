// The committed schema is that of a migrated database.
import { expect, it } from "vitest";
import { schemaText } from "./support/schema-text.ts";
import { useTestServer } from "./support/test-server.ts";

const testServer = useTestServer();

it("schema.sql: equals the schema that the migrations make", async () => {
  const text = await testServer.database.read("platform", schemaText);
  await expect(text).toMatchFileSnapshot("../apps/server/db/schema.sql");
});
