// Values for the optional fields of each update of the contract, as sets that one call can carry.
import { cabinetServiceContract } from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import type { CallName, Ids } from "./call-row.ts";
import { sampleRates } from "./pricing.ts";
import type { Person, TestServer } from "./test-server.ts";

export interface UpdateSample {
  /** Dotted names are fields within a required object. */
  fields: (ids: Ids) => Record<string, unknown>;
  /** Fields that a second call needs because the first one changed the record's state. */
  again?: (testServer: TestServer, as: Person, ids: Ids) => Promise<object>;
  /** Part of the refusal, for calls that are refused without any of their optional fields. */
  refusal?: string;
}

const ENDS_ON = "2099-12-31";
const IN_A_WEEK = new Date(Date.now() + 7 * 86_400_000).toISOString();

const config = {
  "config.volume": 30,
  "config.lightOnAt": "18:00",
  "config.lightOffAt": "23:00",
  "config.temperatureTargetC": 20,
  "config.temperatureFromAt": "08:00",
  "config.temperatureToAt": "20:00",
  "config.temperatureHighC": 40,
  "config.temperatureLowC": 0,
  "config.doorOpenAlarmSeconds": 60,
  "config.signalPoorDbm": -100,
  "config.supplyLowVolts": 11,
  "config.heartbeatSeconds": 30,
};

const renewalOfTenant: Omit<UpdateSample, "fields"> = {
  refusal: "续期月数",
  again: async (testServer, as, { spareTenantId }) => {
    const { data } = await testServer.call(tenancyContract.get, as, {
      params: { id: spareTenantId },
    });
    return { expiresOnBefore: data.expiresOn };
  },
};
const renewalOfCabinets: Omit<UpdateSample, "fields"> = {
  refusal: "续期月数",
  again: async (testServer, as, { tenantId, cabinetId, secondCabinetId }) => {
    const query = { tenantId, pageSize: 100 };
    const { data } = await testServer.call(cabinetServiceContract.list, as, { query });
    const endsOn = new Map(data.list.map((row) => [row.cabinetId, row.service.endsOn]));
    return { endsOnBefore: [cabinetId, secondCabinetId].map((id) => endsOn.get(id) ?? null) };
  },
};

export const updateSamples: Partial<Record<CallName, UpdateSample[]>> = {
  "account.saveProfile": [{ fields: () => ({ phone: "13912345678" }) }],
  "account.savePreference": [
    {
      fields: () => ({
        theme: "dark",
        tagView: true,
        isCompact: true,
        isSetupHidden: true,
        columns: [{ list: "设备列表", choice: { hidden: ["signal"], order: [] } }],
      }),
    },
  ],
  "cabinet.update": [{ fields: () => ({ ...config, "pricing.rates": sampleRates }) }],
  "cabinet.pushConfig": [{ fields: () => config, refusal: "请至少设置一项参数" }],
  "cabinet-service.renew": [
    { ...renewalOfCabinets, fields: () => ({ months: 12, startsOn: "2026-01-01" }) },
    { ...renewalOfCabinets, fields: () => ({ months: undefined, endsOn: ENDS_ON }) },
  ],
  "device-stock.change": [{ fields: () => ({ batch: "B9", remark: "外壳有划痕" }) }],
  "end-user.lock": [{ fields: () => ({ until: IN_A_WEEK }) }],
  "mini-program.saveSetting": [
    {
      fields: () => ({
        secret: "fedcba9876543210fedcba9876543210",
        pushMode: "SAFE",
        pushToken: "CabinetPush2026",
        pushKey: "a".repeat(43),
      }),
    },
  ],
  "operator.update": [{ fields: () => ({ phone: "13912345678" }) }],
  // The input of the call's own row already has the optional fields.
  "payment.saveSetting": [{ fields: () => ({}) }],
  "pricing.save": [{ fields: () => ({ "rule.rates": sampleRates }) }],
  "sms-channel.saveChannel": [{ fields: () => ({}) }],
  "tenant-setting.saveSetting": [
    {
      fields: () => ({
        revealsPerDay: 50,
        codesPerHour: 60,
        adminsNeedFactor: false,
        refundProofFen: 10_000,
        reviewFen: 50_000,
        proofMinutes: 10,
        sharesPeople: false,
        keepPeopleDays: 100,
        keepMessagesDays: 40,
        keepPhotosDays: 40,
        keepLogsDays: 200,
        keepEventsDays: 200,
        keepCommandsDays: 200,
        keepAuditDays: 200,
      }),
    },
  ],
  "role.update": [{ fields: () => ({ needsSecondFactor: true }) }],
  "store.update": [{ fields: () => ({ contactPhone: "13912345678" }) }],
  "tenancy.renew": [
    { ...renewalOfTenant, fields: () => ({ months: 12 }) },
    { ...renewalOfTenant, fields: () => ({ months: undefined, endsOn: ENDS_ON }) },
  ],
  "tenancy.update": [
    {
      fields: ({ menuEntryId }) => ({
        contactName: "沈佳宁",
        contactPhone: "13912345678",
        maxOperators: 5,
        maxCabinets: 6,
        maxStorageMb: 2_000,
        maxRequests: 600,
        maxExports: 3,
        maxLiveChannels: 40,
        remark: "续约洽谈中",
        withheldIds: String(menuEntryId),
      }),
    },
  ],
};
