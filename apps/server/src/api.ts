// Composes the HTTP API: every feature's routes, the live channel and the console's files.
import { contracts, sharedSchemas } from "@cabinet/contract/contracts.ts";
import type { FastifyInstance } from "fastify";
import { accessRoutes, roleRoutes } from "./features/access/index.ts";
import { accountRoutes } from "./features/account/index.ts";
import { advertRoutes, mayDownloadAdvert } from "./features/advert/index.ts";
import { announcementImages, announcementRoutes } from "./features/announcement/index.ts";
import {
  appNoticeRoutes,
  appOrderRoutes,
  appRoutes,
  appWalletRoutes,
  createAppGatekeeper,
} from "./features/app/index.ts";
import { auditRoutes } from "./features/audit/index.ts";
import { authRoutes, Captcha, createGatekeeper, findSessionOf } from "./features/auth/index.ts";
import { cabinetRoutes } from "./features/cabinet/index.ts";
import { cabinetEventRoutes } from "./features/cabinet-event/index.ts";
import { cabinetModelRoutes } from "./features/cabinet-model/index.ts";
import { cabinetSecretRoutes } from "./features/cabinet-secret/index.ts";
import { cabinetServiceRoutes } from "./features/cabinet-service/index.ts";
import { commandRoutes } from "./features/command/index.ts";
import { compartmentRoutes } from "./features/compartment/index.ts";
import { addBrokerHooks, ConnectGate, deviceRoutes, Keyring } from "./features/device/index.ts";
import {
  activationRoutes,
  type BrokerAddress,
  deviceStockRoutes,
} from "./features/device-stock/index.ts";
import { endUserRoutes } from "./features/end-user/index.ts";
import { addExports, Catalog, exportRoutes } from "./features/export/index.ts";
import { faqImages, faqRoutes } from "./features/faq/index.ts";
import { addDeviceFileRoute, type FileGrant } from "./features/file/index.ts";
import { firmwareRoutes } from "./features/firmware/index.ts";
import { impersonationRoutes } from "./features/impersonation/index.ts";
import { ledgerRoutes } from "./features/ledger/index.ts";
import { loginLogRoutes } from "./features/login-log/index.ts";
import { maintenanceMessageRoutes } from "./features/maintenance-message/index.ts";
import { malfunctionRoutes } from "./features/malfunction/index.ts";
import { addMapService, MapSetting, mapRoutes } from "./features/map/index.ts";
import {
  addMiniProgramPushRoute,
  MiniPrograms,
  miniProgramRoutes,
} from "./features/mini-program/index.ts";
import { createPartnerGatekeeper, openApiRoutes } from "./features/open-api/index.ts";
import { operatorRoutes } from "./features/operator/index.ts";
import { orderActionRoutes, orderRoutes } from "./features/order/index.ts";
import { packageRoutes } from "./features/package/index.ts";
import { addPaymentNoticeRoute, paymentRoutes } from "./features/payment/index.ts";
import { pricingRoutes } from "./features/pricing/index.ts";
import { richTextRoutes } from "./features/rich-text/index.ts";
import { mayDownloadFirmware, rolloutRoutes } from "./features/rollout/index.ts";
import { sessionRoutes } from "./features/session/index.ts";
import {
  measureSms,
  smsChannelRoutes,
  smsCreditRoutes,
  smsRoutes,
  smsStatisticsRoutes,
} from "./features/sms/index.ts";
import { statisticsRoutes } from "./features/statistics/index.ts";
import { storeRoutes } from "./features/store/index.ts";
import {
  appSubscriptionRoutes,
  measureSubscribe,
  parseSubscribeEvents,
  takeSubscribeEvents,
  templateRoutes,
} from "./features/template/index.ts";
import { tenancyRoutes } from "./features/tenancy/index.ts";
import { tenantRoutes } from "./features/tenant/index.ts";
import { hasOwnMapKeys, tenantSettingRoutes } from "./features/tenant-setting/index.ts";
import { walletRoutes } from "./features/wallet/index.ts";
import { measureWebhooks, webhookRoutes } from "./features/webhook/index.ts";
import { serveConsole } from "./platform/console.ts";
import type { Database } from "./platform/db.ts";
import type { AmapKey } from "./platform/env.ts";
import type { FileStore } from "./platform/file-store.ts";
import { addHealthRoutes, type Readiness } from "./platform/health.ts";
import { buildHttp } from "./platform/http.ts";
import { measureJobs } from "./platform/jobs.ts";
import { addLiveRoute } from "./platform/live.ts";
import type { Log } from "./platform/log.ts";
import type { Listener } from "./platform/notify.ts";
import { openApiDocument } from "./platform/openapi.ts";
import type { Vault } from "./platform/secrets.ts";

export interface ApiOptions {
  log: Log;
  database: Database;
  listener: Listener;
  vault: Vault;
  files: FileStore;
  readiness: Readiness;
  /** Key of the map service; enables the map where locations are edited. */
  amap?: AmapKey | null;
  /** Base URL of WeChat's API for mini-programs; overridden in tests. */
  wechatUrl?: string;
  /** Registers the authentication hooks that an outside MQTT broker calls. */
  hasOutsideBroker?: boolean;
  /** Proxies on other machines whose X-Forwarded-For is trusted. */
  trustedProxies?: string[];
  /** Allows webhook URLs on this machine. */
  allowsLoopbackCallbacks?: boolean;
  /** Broker address that cabinets are given; default: the embedded broker at its usual port. */
  broker?: BrokerAddress;
}

const usualBroker: BrokerAddress = { publicUrl: null, outsideUrl: null, port: 1883 };

/** Grants by which cabinets may download files. */
const fileGrants: FileGrant[] = [mayDownloadAdvert, mayDownloadFirmware];

export async function buildApi(options: ApiOptions): Promise<FastifyInstance> {
  const { log, database, listener, vault, files, broker = usualBroker } = options;
  const gatekeeper = createGatekeeper(database);
  const amap = options.amap ?? null;
  const mapSetting = new MapSetting(amap, vault);
  const routes = [
    ...accessRoutes,
    ...roleRoutes,
    ...accountRoutes,
    ...activationRoutes(vault, broker),
    ...advertRoutes,
    ...announcementRoutes,
    ...appRoutes(vault, new MiniPrograms(vault, options.wechatUrl)),
    ...appNoticeRoutes,
    ...appOrderRoutes(vault),
    ...appSubscriptionRoutes,
    ...appWalletRoutes(vault),
    ...auditRoutes(contracts),
    ...authRoutes(new Captcha(vault.derive("captcha"))),
    ...cabinetRoutes,
    ...cabinetEventRoutes,
    ...cabinetModelRoutes,
    ...cabinetSecretRoutes({ vault, broker }),
    ...cabinetServiceRoutes,
    ...webhookRoutes({
      vault,
      allowsLoopback: options.allowsLoopbackCallbacks ?? false,
    }),
    ...commandRoutes,
    ...compartmentRoutes,
    ...deviceRoutes,
    ...deviceStockRoutes(vault),
    ...endUserRoutes,
    ...faqRoutes,
    ...firmwareRoutes,
    ...ledgerRoutes,
    ...loginLogRoutes,
    ...maintenanceMessageRoutes(vault),
    ...malfunctionRoutes(vault),
    ...mapRoutes(mapSetting),
    ...miniProgramRoutes(vault),
    ...openApiRoutes(vault),
    ...operatorRoutes,
    ...orderRoutes,
    ...orderActionRoutes(vault),
    ...packageRoutes,
    ...paymentRoutes(vault),
    ...pricingRoutes,
    ...richTextRoutes([announcementImages, faqImages]),
    ...rolloutRoutes,
    ...sessionRoutes,
    ...smsRoutes(vault),
    ...smsChannelRoutes(vault),
    ...smsCreditRoutes,
    ...smsStatisticsRoutes,
    ...statisticsRoutes,
    ...storeRoutes,
    ...templateRoutes(vault),
    ...tenancyRoutes,
    ...tenantRoutes,
    ...impersonationRoutes,
    ...tenantSettingRoutes(vault, { hasSharedMap: amap !== null }),
    ...walletRoutes,
  ];
  const catalog = new Catalog(routes);
  const app = await buildHttp({
    log,
    database,
    gatekeeper,
    appGatekeeper: createAppGatekeeper(database),
    partnerGatekeeper: createPartnerGatekeeper({ database, vault }),
    files,
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    routes: [...routes, ...exportRoutes(catalog)],
    sharedSchemas,
  });
  addExports(app, {
    database,
    listener,
    log,
    catalog,
    sharedSchemas,
    findSession: (tokenHash) => findSessionOf(database, tokenHash, false),
  });
  addLiveRoute(app, listener, gatekeeper);
  addDeviceFileRoute(app, { database, vault, files, grants: fileGrants });
  addPaymentNoticeRoute(app, { database, vault });
  addMiniProgramPushRoute(app, {
    database,
    vault,
    take: (db, from, message) =>
      takeSubscribeEvents(db, vault, from, parseSubscribeEvents(message)),
  });
  addHealthRoutes(app, database, options.readiness, [
    measureWebhooks,
    measureJobs,
    measureSms,
    measureSubscribe,
  ]);
  if (options.hasOutsideBroker) {
    addBrokerHooks(
      app,
      new ConnectGate({ database, keyring: new Keyring(database, vault), log, gatewayId: null }),
    );
  }
  const document = openApiDocument(contracts, sharedSchemas);
  app.get("/api/openapi.json", () => document);
  addMapService(app, { setting: mapSetting, database });
  await serveConsole(app, {
    hasMap: async () => amap !== null || (await database.read("platform", hasOwnMapKeys)),
  });
  return app;
}
