// A session whose proof is old does nothing of trust or money (decision 0138).
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, needsProof, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();

it("every call of trust or money is refused without a recent proof, before its input is looked at", async () => {
  const owner = (await testServer.makeTenant()).people[1];
  const staff = (await testServer.makeTenant(1)).people[0];
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update session set proven_at = now() - interval '1 hour'`),
  );
  const calls = Object.values(contracts).flatMap((contract) =>
    Object.values(contract as Record<string, EndpointSpec>).filter(needsProof),
  );
  expect(calls.length).toBeGreaterThan(50);
  for (const spec of calls) {
    const { token, tenantId } = spec.access === "platform" ? staff : owner;
    const { bodyForm, body } = spec;
    const response = await testServer.app.inject({
      method: spec.method,
      url: urlPath(spec).replace(/\{\w+\}/g, "1"),
      headers: {
        ...{ "auth-token": token, tenantid: String(tenantId) },
        ...(body && {
          "content-type":
            bodyForm === "multipart" ? "multipart/form-data; boundary=x" : "application/json",
        }),
      },
      ...(body && { payload: "{}" }),
    });
    expect([spec.path, response.json().errCode]).toEqual([spec.path, "PROOF_DUE"]);
  }
});
