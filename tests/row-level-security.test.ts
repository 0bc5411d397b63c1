// Promise T2: row-level security separates tenants even if the server's own tenant predicate is
// bypassed.
import { randomBytes } from "node:crypto";
import { contracts } from "@cabinet/contract/contracts.ts";
import { isOfConsole } from "@cabinet/contract/kit/endpoint.ts";
import type { ReceivedFile } from "@cabinet/contract/kit/upload.rules.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { cabinetModelRoutes } from "../apps/server/src/features/equipment/cabinet-model/index.ts";
import { cabinetSecretRoutes } from "../apps/server/src/features/equipment/cabinet-secret/index.ts";
import {
  compartmentRoutes,
  lockRepaired,
} from "../apps/server/src/features/equipment/compartment/index.ts";
import { simulatedCabinetRoutes } from "../apps/server/src/features/equipment/simulated-cabinet/index.ts";
import { advertRoutes } from "../apps/server/src/features/fleet/advert/index.ts";
import { cabinetRoutes } from "../apps/server/src/features/fleet/cabinet/index.ts";
import { cabinetEventRoutes } from "../apps/server/src/features/fleet/cabinet-event/index.ts";
import { cabinetServiceRoutes } from "../apps/server/src/features/fleet/cabinet-service/index.ts";
import { commandRoutes } from "../apps/server/src/features/fleet/command/index.ts";
import { firmwareRoutes } from "../apps/server/src/features/fleet/firmware/index.ts";
import { rolloutRoutes } from "../apps/server/src/features/fleet/rollout/index.ts";
import { accessRoutes, roleRoutes } from "../apps/server/src/features/identity/access/index.ts";
import { accountRoutes } from "../apps/server/src/features/identity/account/index.ts";
import { auditRoutes } from "../apps/server/src/features/identity/audit/index.ts";
import { authRoutes, Captcha } from "../apps/server/src/features/identity/auth/index.ts";
import { loginLogRoutes } from "../apps/server/src/features/identity/login-log/index.ts";
import { operatorRoutes } from "../apps/server/src/features/identity/operator/index.ts";
import { secondFactorRoutes } from "../apps/server/src/features/identity/second-factor/index.ts";
import { sessionRoutes } from "../apps/server/src/features/identity/session/index.ts";
import { tenancyRoutes } from "../apps/server/src/features/identity/tenancy/index.ts";
import {
  announcementImages,
  announcementRoutes,
} from "../apps/server/src/features/messaging/announcement/index.ts";
import { faqImages, faqRoutes } from "../apps/server/src/features/messaging/faq/index.ts";
import { maintenanceMessageRoutes } from "../apps/server/src/features/messaging/maintenance-message/index.ts";
import { miniProgramRoutes } from "../apps/server/src/features/messaging/mini-program/index.ts";
import { richTextRoutes } from "../apps/server/src/features/messaging/rich-text/index.ts";
import {
  smsCreditRoutes,
  smsRoutes,
  smsStatisticsRoutes,
} from "../apps/server/src/features/messaging/sms/index.ts";
import { templateRoutes } from "../apps/server/src/features/messaging/template/index.ts";
import { webhookRoutes } from "../apps/server/src/features/messaging/webhook/index.ts";
import { ledgerRoutes } from "../apps/server/src/features/money/ledger/index.ts";
import { packageRoutes } from "../apps/server/src/features/money/package/index.ts";
import { paymentRoutes } from "../apps/server/src/features/money/payment/index.ts";
import { pricingRoutes } from "../apps/server/src/features/money/pricing/index.ts";
import { reviewRoutes } from "../apps/server/src/features/money/review/index.ts";
import { statementRoutes } from "../apps/server/src/features/money/statement/index.ts";
import { walletRoutes } from "../apps/server/src/features/money/wallet/index.ts";
import { backupRoutes } from "../apps/server/src/features/operations/backup/index.ts";
import { clientErrorRoutes } from "../apps/server/src/features/operations/client-error/index.ts";
import { Catalog, exportRoutes } from "../apps/server/src/features/operations/export/index.ts";
import { malfunctionRoutes } from "../apps/server/src/features/operations/malfunction/index.ts";
import { notificationRoutes } from "../apps/server/src/features/operations/notification/index.ts";
import {
  homeScreenRoutes,
  statisticsRoutes,
} from "../apps/server/src/features/operations/statistics/index.ts";
import { appRoutes } from "../apps/server/src/features/orders/app/index.ts";
import { endUserRoutes } from "../apps/server/src/features/orders/end-user/index.ts";
import { legalTextRoutes } from "../apps/server/src/features/orders/legal-text/index.ts";
import {
  affectedOrderRoutes,
  orderActionRoutes,
  orderRoutes,
} from "../apps/server/src/features/orders/order/index.ts";
import { orderRecipientRoutes } from "../apps/server/src/features/orders/recipient/index.ts";
import { searchRoutes } from "../apps/server/src/features/orders/search/index.ts";
import { webPageRoutes } from "../apps/server/src/features/orders/web-page/index.ts";
import { MapSetting, mapRoutes } from "../apps/server/src/features/organization/map/index.ts";
import { storeRoutes } from "../apps/server/src/features/organization/store/index.ts";
import { tenantRoutes } from "../apps/server/src/features/organization/tenant/index.ts";
import { tenantSettingRoutes } from "../apps/server/src/features/organization/tenant-setting/index.ts";
import { openApiRoutes } from "../apps/server/src/features/partners/open-api/index.ts";
import type { Session } from "../apps/server/src/platform/context.ts";
import type { Scope } from "../apps/server/src/platform/db/db.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { Refusal } from "../apps/server/src/platform/errors.ts";
import { handlerOf, type Route } from "../apps/server/src/platform/http/mount.ts";
import { createLog } from "../apps/server/src/platform/log.ts";
import { Vault } from "../apps/server/src/platform/secrets.ts";
import type { CallName } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { withClient } from "./support/postgres.ts";
import { fingerprint, makeWorld, tenantTables, type World } from "./support/tenant-world.ts";
import { type Person, useTestServer } from "./support/test-server.ts";

const vault = new Vault(randomBytes(32));
const captcha = new Captcha("test");
const routes = [
  ...accessRoutes,
  ...roleRoutes,
  ...advertRoutes,
  ...announcementRoutes,
  ...appRoutes(captcha),
  ...auditRoutes(contracts, {
    read: () => Promise.reject(Object.assign(new Error("no such object"), { code: "ENOENT" })),
  }),
  ...authRoutes(captcha, async () => null),
  ...cabinetRoutes,
  ...cabinetEventRoutes,
  ...cabinetModelRoutes,
  ...cabinetSecretRoutes({ publicUrl: null, outsideUrl: null, port: 1883 }),
  ...cabinetServiceRoutes,
  ...webhookRoutes({ allowsLoopback: false }),
  ...commandRoutes,
  ...compartmentRoutes,
  ...exportRoutes(new Catalog([])),
  ...endUserRoutes,
  ...faqRoutes,
  ...firmwareRoutes,
  ...ledgerRoutes,
  ...statementRoutes,
  ...loginLogRoutes,
  ...maintenanceMessageRoutes,
  ...malfunctionRoutes(lockRepaired),
  ...mapRoutes(new MapSetting(null, vault)),
  ...miniProgramRoutes,
  ...clientErrorRoutes,
  ...notificationRoutes,
  ...openApiRoutes,
  ...operatorRoutes,
  ...orderRoutes,
  ...orderActionRoutes,
  ...orderRecipientRoutes,
  ...affectedOrderRoutes,
  ...packageRoutes,
  ...paymentRoutes,
  ...pricingRoutes,
  ...richTextRoutes([announcementImages, faqImages]),
  ...rolloutRoutes,
  ...searchRoutes,
  ...secondFactorRoutes,
  ...sessionRoutes,
  ...backupRoutes(""),
  ...simulatedCabinetRoutes(""),
  ...smsRoutes,
  ...smsCreditRoutes,
  ...smsStatisticsRoutes,
  ...statisticsRoutes,
  ...storeRoutes,
  ...templateRoutes,
  ...tenancyRoutes,
  ...tenantRoutes,
  ...accountRoutes,
  ...tenantSettingRoutes(false),
  ...walletRoutes,
  ...webPageRoutes,
  ...legalTextRoutes,
];

routes.push(...homeScreenRoutes(routes), ...reviewRoutes(routes));

const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract)
    .filter(([, spec]) => isOfConsole(spec) && spec.access !== "platform")
    .map(([call, spec]) => ({
      name: `${noun}.${call}` as CallName,
      route: routes.find((route) => route.spec === spec),
    })),
);

const everything = new Set(
  Object.values(contracts).flatMap((contract) =>
    Object.values(contract).map((spec): string => spec.access),
  ),
);
/**
 * Answers that depend on the account alone; a platform account gets another answer than the
 * tenant's.
 */
const ofBelieved: CallName[] = [
  "access.menu",
  "announcement.received",
  "account.profile",
  "account.saveProfile",
  "account.sessions",
  "account.endOtherSessions",
  "account.preference",
  "second-factor.beginPasskey",
  "second-factor.beginTotp",
  "second-factor.challenge",
  "second-factor.confirmTotp",
  "second-factor.get",
  "second-factor.ways",
  "tenant-setting.shell",
  "notification.list",
  "sms-credit.info",
];

const testServer = useTestServer({ vault });
let mine: { id: number; people: Record<0 | 1 | 2, Person> };
let other: { id: number; people: Record<0 | 1 | 2, Person> };
let platform: Person;
let theirs: World;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  mine = await testServer.makeTenant();
  other = await testServer.makeTenant();
  await makeWorld(testServer, mine.id, mine.people[2]);
  theirs = await makeWorld(testServer, other.id, other.people[2]);
});

/** Runs the handler as `believed` in a transaction of `scope`; refusals become their text. */
async function outcome(
  route: Route,
  scope: Scope,
  believed: Person,
  input: object,
): Promise<unknown> {
  const session: Session = {
    ...believed,
    tokenHash: Buffer.alloc(32),
    displayName: believed.username,
    signature: believed.username,
    mustChangePassword: false,
    secondStep: null,
    isProvenRecently: true,
    permissions: everything,
    offFeatures: [],
    isStoreBound: believed.userType === 2,
    homeTenantId: believed.tenantId,
  };
  const origin = { requestId: "test", address: "127.0.0.1", network: "", userAgent: "" };
  const log = createLog("silent");
  const handler = await handlerOf(route, { database: testServer.database, session }, input);
  const result = await testServer.database
    .transaction(scope, (db) => handler({ db, session, origin, log, audit() {} }, input))
    .catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      // 42501: row-level security refuses a row of another tenant.
      if ((error as { code?: string }).code === "42501") return null;
      throw error;
    });
  return result instanceof Refusal ? result.text : result;
}

/** An uploaded file as a handler receives it. */
const receivedFile: ReceivedFile = {
  key: "00000000-0000-4000-8000-000000000000",
  kind: "IMAGE",
  mediaType: "image/png",
  name: "a.png",
  sizeBytes: 1,
  sha256: "0".repeat(64),
  width: 1,
  height: 1,
  durationMs: null,
};

/**
 * Input that names the other tenant's ids; adds the page that validation, skipped here, would add.
 */
function inputOf(name: CallName) {
  const { params = {}, query = {}, body = {}, file } = callRows[name].input(theirs.ids);
  const sent = file ? { ...body, file: receivedFile } : body;
  return { params, query: { page: 1, pageSize: 100, ...query }, body: sent };
}

function expectNothingOfTheirs(result: unknown): void {
  const text = JSON.stringify(result);
  for (const mark of theirs.marks) expect(text).not.toContain(mark);
}

it("every call with a session has a handler", () => {
  expect(calls.filter(({ route }) => !route).map(({ name }) => name)).toEqual([]);
});

describe("server's own check bypassed", () => {
  it.each(calls)("$name: returns nothing of another tenant", async ({ name, route }) => {
    const scope = { tenantId: mine.id };
    const input = inputOf(name);
    const honest = await outcome(route as Route, scope, mine.people[0], input);
    const before = await fingerprint(testServer, other.id);
    // Session of the other tenant, then of the platform, whose predicate matches all rows.
    for (const believed of [other.people[0], platform]) {
      const leaked = await outcome(route as Route, scope, believed, input);
      expectNothingOfTheirs(leaked);
      if (believed === platform && !ofBelieved.includes(name)) expect(leaked).toEqual(honest);
    }
    expect(await fingerprint(testServer, other.id)).toBe(before);
  });
});

describe("row-level security bypassed", () => {
  it.each(calls)("$name: returns nothing of another tenant", async ({ name, route }) => {
    const before = await fingerprint(testServer, other.id);
    for (const person of [mine.people[0], mine.people[2]]) {
      expectNothingOfTheirs(await outcome(route as Route, "platform", person, inputOf(name)));
    }
    expect(await fingerprint(testServer, other.id)).toBe(before);
  });
});

describe("database roles of requests", () => {
  it.each(["cabinet_tenant", "cabinet_platform"])(
    "%s: owns no table and cannot bypass row-level security",
    async (role) => {
      const facts = await testServer.database.unscoped(sql`
      select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin,
        exists (select from pg_class where relowner = r.oid) as owns_tables,
        exists (select from pg_auth_members where member = r.oid) as is_member,
        has_schema_privilege(r.oid, 'public', 'create') as may_create
      from pg_roles r where rolname = ${role}`);
      expect(facts).toEqual([
        {
          rolsuper: false,
          rolbypassrls: false,
          rolcreaterole: false,
          rolcreatedb: false,
          rolcanlogin: false,
          ownsTables: false,
          isMember: false,
          mayCreate: false,
        },
      ]);
    },
  );

  it("every transaction runs as one of them", async () => {
    const roleIn = (scope: "platform" | { tenantId: number }) =>
      testServer.database.read(scope, (db) => db.one(sql`select current_user::text as role`));
    expect(await roleIn({ tenantId: mine.id })).toEqual({ role: "cabinet_tenant" });
    expect(await roleIn("platform")).toEqual({ role: "cabinet_platform" });
    expect(await testServer.database.unscoped(sql`select current_user::text as role`)).toEqual([
      { role: "cabinet_tenant" },
    ]);
  });
});

describe("tables with tenant_id", () => {
  // Heads are signed at night; a base needs entries of years, unless triggers sleep.
  beforeAll(() =>
    withClient(testServer.url, (owner) =>
      owner.query(`
        begin;
        alter table audit_base disable trigger user;
        set local role cabinet_platform;
        insert into audit_seal (tenant_id, day, seq, hash, signature)
        values (${other.id}, current_date, 1, '', '');
        insert into audit_base (tenant_id, seq, hash, signature) values (${other.id}, 0, '', '');
        reset role;
        alter table audit_base enable trigger user;
        commit`),
    ),
  );

  it("force row-level security, with policies for the two request roles only", async () => {
    const loose = await testServer.database.unscoped(sql`
      select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (c.relname = 'tenant' or exists (select from pg_attribute a
          where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
        and not (c.relrowsecurity and c.relforcerowsecurity)`);
    expect(loose).toEqual([]);
    const policies = await testServer.database.unscoped(sql`
      select distinct roles::text as roles from pg_policies where schemaname = 'public'`);
    expect(policies.map((policy) => (policy as { roles: string }).roles).sort()).toEqual([
      "{cabinet_platform}",
      "{cabinet_tenant}",
    ]);
  });

  it("hide other tenants' rows, and all rows outside a transaction scope", async () => {
    for (const table of await tenantTables(testServer)) {
      const count = sql([`select count(*)::int as n from ${table}`]);
      const foreign = sql`${count} where tenant_id = ${other.id}`;
      const [everywhere] = await testServer.database.read("platform", (db) => db.many(foreign));
      expect(everywhere, `${table} should have a row in the tests' world`).not.toEqual({ n: 0 });
      const inMine = await testServer.database.read({ tenantId: mine.id }, (db) => db.one(foreign));
      expect(inMine, table).toEqual({ n: 0 });
      expect(await testServer.database.unscoped(count), table).toEqual([{ n: 0 }]);
    }
  });

  it("refuse writes to another tenant", async () => {
    for (const table of await tenantTables(testServer)) {
      const change = (statement: string) =>
        testServer.database
          .transaction({ tenantId: mine.id }, (db) => db.run(sql([statement])))
          .catch((error: { code?: string }) => error.code);
      // 42501: refused by privilege or policy; 0: the statement found no row.
      expect([0, "42501"], table).toContainEqual(
        await change(`delete from ${table} where tenant_id = ${other.id}`),
      );
      expect([0, "42501"], table).toContainEqual(
        await change(`update ${table} set tenant_id = ${mine.id} where tenant_id = ${other.id}`),
      );
      expect(await change(`update ${table} set tenant_id = ${other.id}`), table).toBe("42501");
    }
  });
});
