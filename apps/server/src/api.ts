// Composes the HTTP API: every feature's routes, the live channel and the console's files.
import { contracts, nounTitles, sharedSchemas } from "@cabinet/contract/contracts.ts";
import type { FastifyInstance } from "fastify";
import { cabinetModelRoutes } from "./features/equipment/cabinet-model/index.ts";
import { cabinetSecretRoutes } from "./features/equipment/cabinet-secret/index.ts";
import { compartmentRoutes, lockRepaired } from "./features/equipment/compartment/index.ts";
import {
  activationRoutes,
  type BrokerAddress,
  deviceStockRoutes,
} from "./features/equipment/device-stock/index.ts";
import { simulatedCabinetRoutes } from "./features/equipment/simulated-cabinet/index.ts";
import { advertRoutes, mayDownloadAdvert } from "./features/fleet/advert/index.ts";
import { cabinetRoutes } from "./features/fleet/cabinet/index.ts";
import { cabinetEventRoutes } from "./features/fleet/cabinet-event/index.ts";
import { cabinetServiceRoutes } from "./features/fleet/cabinet-service/index.ts";
import { commandRoutes } from "./features/fleet/command/index.ts";
import { firmwareRoutes } from "./features/fleet/firmware/index.ts";
import { mayDownloadFirmware, rolloutRoutes } from "./features/fleet/rollout/index.ts";
import { accessRoutes, roleRoutes } from "./features/identity/access/index.ts";
import { accountRoutes } from "./features/identity/account/index.ts";
import { auditRoutes } from "./features/identity/audit/index.ts";
import {
  authRoutes,
  Captcha,
  createGatekeeper,
  findSessionOf,
} from "./features/identity/auth/index.ts";
import { impersonationRoutes } from "./features/identity/impersonation/index.ts";
import { loginLogRoutes } from "./features/identity/login-log/index.ts";
import { operatorRoutes } from "./features/identity/operator/index.ts";
import { secondFactorRoutes } from "./features/identity/second-factor/index.ts";
import { sessionRoutes } from "./features/identity/session/index.ts";
import { tenancyRoutes } from "./features/identity/tenancy/index.ts";
import {
  addBrokerHooks,
  ConnectGate,
  deviceRoutes,
  Keyring,
} from "./features/link/device/index.ts";
import { announcementImages, announcementRoutes } from "./features/messaging/announcement/index.ts";
import { faqImages, faqRoutes } from "./features/messaging/faq/index.ts";
import { maintenanceMessageRoutes } from "./features/messaging/maintenance-message/index.ts";
import {
  addMiniProgramPushRoute,
  MiniPrograms,
  miniProgramRoutes,
} from "./features/messaging/mini-program/index.ts";
import { richTextRoutes } from "./features/messaging/rich-text/index.ts";
import {
  smsChannelRoutes,
  smsCreditRoutes,
  smsRoutes,
  smsStatisticsRoutes,
} from "./features/messaging/sms/index.ts";
import {
  appSubscriptionRoutes,
  parseSubscribeEvents,
  takeSubscribeEvents,
  templateRoutes,
} from "./features/messaging/template/index.ts";
import { webhookRoutes } from "./features/messaging/webhook/index.ts";
import { ledgerRoutes } from "./features/money/ledger/index.ts";
import { packageRoutes } from "./features/money/package/index.ts";
import {
  addPaymentNoticeRoute,
  PlatformCertificates,
  paymentRoutes,
} from "./features/money/payment/index.ts";
import { pricingRoutes } from "./features/money/pricing/index.ts";
import { reviewRoutes, withReview } from "./features/money/review/index.ts";
import { statementRoutes } from "./features/money/statement/index.ts";
import { walletRoutes } from "./features/money/wallet/index.ts";
import { backupRoutes } from "./features/operations/backup/index.ts";
import { clientErrorRoutes } from "./features/operations/client-error/index.ts";
import { addExports, Catalog, exportRoutes } from "./features/operations/export/index.ts";
import { malfunctionRoutes } from "./features/operations/malfunction/index.ts";
import { notificationRoutes } from "./features/operations/notification/index.ts";
import { homeScreenRoutes, statisticsRoutes } from "./features/operations/statistics/index.ts";
import {
  appNoticeRoutes,
  appOrderRoutes,
  appPageRoutes,
  appRoutes,
  appWalletRoutes,
  createAppGatekeeper,
} from "./features/orders/app/index.ts";
import { endUserRoutes } from "./features/orders/end-user/index.ts";
import { legalTextRoutes } from "./features/orders/legal-text/index.ts";
import {
  affectedOrderRoutes,
  orderActionRoutes,
  orderRoutes,
} from "./features/orders/order/index.ts";
import { orderRecipientRoutes } from "./features/orders/recipient/index.ts";
import { searchRoutes } from "./features/orders/search/index.ts";
import { webPageRoutes } from "./features/orders/web-page/index.ts";
import { addDeviceFileRoute, type FileGrant } from "./features/organization/file/index.ts";
import { addMapService, MapSetting, mapRoutes } from "./features/organization/map/index.ts";
import { storeRoutes } from "./features/organization/store/index.ts";
import { tenantRoutes } from "./features/organization/tenant/index.ts";
import {
  hasOwnMapKeys,
  tenantSettingRoutes,
  withPhoneGate,
} from "./features/organization/tenant-setting/index.ts";
import { createPartnerGatekeeper, openApiRoutes } from "./features/partners/open-api/index.ts";
import { homePrefetch } from "./home-prefetch.ts";
import { shareOfStranger } from "./platform/db/admission.rules.ts";
import type { Database } from "./platform/db/db.ts";
import type { Listener } from "./platform/db/notify.ts";
import type { Replica } from "./platform/db/replica.ts";
import type { AmapKey, TlsFiles } from "./platform/env.ts";
import type { FileStore } from "./platform/files/file-store.ts";
import type { ClamdAddress } from "./platform/files/virus-scan.ts";
import { serveConsole } from "./platform/http/console.ts";
import { addHealthRoutes, type Measure, type Readiness } from "./platform/http/health.ts";
import { type AnswerObserver, buildHttp } from "./platform/http/http.ts";
import { addLiveRoute } from "./platform/http/live.ts";
import { addLlmsTxt } from "./platform/http/llms-txt.ts";
import { addOpenApiRoutes } from "./platform/http/openapi/openapi.routes.ts";
import { addSecurityTxt } from "./platform/http/security-txt.ts";
import { serveWebPage } from "./platform/http/web-page.ts";
import type { RefusalPace } from "./platform/limits/refusal-pace.rules.ts";
import type { Log } from "./platform/log.ts";

export interface ApiOptions {
  log: Log;
  database: Database;
  /** Answers some reads of consoles. */
  replica?: Replica | undefined;
  listener: Listener;
  files: FileStore;
  /** Scans uploads for viruses; absent: nothing does. */
  clamd?: ClamdAddress | null;
  readiness: Readiness;
  /** Metrics that are read when they are scraped. */
  measures: readonly Measure[];
  /** Another listener serves metrics and the whole API document: here they answer 404. */
  hasMetricsElsewhere?: boolean;
  /** Key of the map service; enables the map where locations are edited. */
  amap?: AmapKey | null;
  /** Base URL of WeChat's API for mini-programs; overridden in tests. */
  wechatUrl?: string;
  /** Base URL of WeChat Pay's API, for the certificates that sign its notices. */
  wechatPayUrl: string;
  /** Registers the authentication hooks that an outside MQTT broker calls. */
  hasOutsideBroker?: boolean;
  /** Proxies on other machines whose X-Forwarded-For is trusted. */
  trustedProxies?: string[];
  /** Serves HTTPS with HTTP/2; absent: plain HTTP. */
  tls?: TlsFiles | null;
  /** Allows webhook URLs on this machine. */
  allowsLoopbackCallbacks?: boolean;
  /** Contact in security.txt. */
  securityContact?: string | null;
  /** File that the last backup wrote. */
  lastBackup?: string;
  /** Socket of a simulator on this machine, for 模拟柜机. */
  simulatorSocket?: string;
  /** The demo shows text messages on this machine instead of sending them. */
  hasInbox?: boolean;
  /** Broker address that cabinets are given; default: the embedded broker at its usual port. */
  broker?: BrokerAddress;
  /** Sees every answer; tests compare it with the API document. */
  onAnswer?: AnswerObserver;
  /** Wait of callers who are refused often; default: as in production. */
  refusalPace?: RefusalPace;
}

/** Source of the API document. */
export const documentSource = { contracts, titles: nounTitles, shared: sharedSchemas };

const usualBroker: BrokerAddress = { publicUrl: null, outsideUrl: null, port: 1883 };

/** Grants by which cabinets may download files. */
const fileGrants: FileGrant[] = [mayDownloadAdvert, mayDownloadFirmware];

export async function buildApi(options: ApiOptions): Promise<FastifyInstance> {
  const { log, database, listener, files, broker = usualBroker } = options;
  const gatekeeper = createGatekeeper(database);
  const captcha = new Captcha(database.vault.derive("captcha"));
  const amap = options.amap ?? null;
  const mapSetting = new MapSetting(amap, database.vault);
  const routes = [
    ...accessRoutes,
    ...roleRoutes,
    ...accountRoutes,
    ...activationRoutes(broker),
    ...advertRoutes,
    ...announcementRoutes,
    ...appRoutes(captcha, new MiniPrograms(options.wechatUrl)),
    ...appNoticeRoutes,
    ...appOrderRoutes(captcha),
    ...appPageRoutes(options.hasInbox ?? false),
    ...appSubscriptionRoutes,
    ...appWalletRoutes,
    ...auditRoutes(contracts, files),
    ...authRoutes(
      captcha,
      homePrefetch(() => app),
    ),
    ...backupRoutes(options.lastBackup ?? ""),
    ...cabinetRoutes,
    ...cabinetEventRoutes,
    ...cabinetModelRoutes,
    ...cabinetSecretRoutes(broker),
    ...cabinetServiceRoutes,
    ...webhookRoutes({ allowsLoopback: options.allowsLoopbackCallbacks ?? false }),
    ...commandRoutes,
    ...compartmentRoutes,
    ...deviceRoutes(database),
    ...deviceStockRoutes,
    ...endUserRoutes,
    ...faqRoutes,
    ...firmwareRoutes,
    ...ledgerRoutes,
    ...statementRoutes,
    ...loginLogRoutes,
    ...maintenanceMessageRoutes,
    ...malfunctionRoutes(lockRepaired),
    ...mapRoutes(mapSetting),
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
    ...simulatedCabinetRoutes(options.simulatorSocket ?? ""),
    ...smsRoutes,
    ...smsChannelRoutes,
    ...smsCreditRoutes,
    ...smsStatisticsRoutes,
    ...statisticsRoutes,
    ...storeRoutes,
    ...templateRoutes,
    ...tenancyRoutes,
    ...tenantRoutes,
    ...impersonationRoutes,
    ...tenantSettingRoutes(amap !== null),
    ...walletRoutes,
    ...webPageRoutes,
    ...legalTextRoutes,
  ].map(withPhoneGate);
  routes.push(...reviewRoutes(routes));
  const catalog = new Catalog(routes);
  const app = await buildHttp({
    log,
    database,
    ...(options.replica && { replica: options.replica }),
    gatekeeper,
    appGatekeeper: createAppGatekeeper(database),
    partnerGatekeeper: createPartnerGatekeeper(database),
    files,
    clamd: options.clamd ?? null,
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    tls: options.tls ?? null,
    routes: [...routes.map(withReview), ...exportRoutes(catalog), ...homeScreenRoutes(routes)],
    sharedSchemas,
    ...(options.onAnswer && { onAnswer: options.onAnswer }),
    ...(options.refusalPace && { refusalPace: options.refusalPace }),
  });
  addExports(app, {
    database,
    replica: options.replica,
    listener,
    log,
    catalog,
    sharedSchemas,
    findSession: (tokenHash) => findSessionOf(database, tokenHash, false),
  });
  addLiveRoute(app, { listener, gatekeeper, use: app.tenantUse });
  addDeviceFileRoute(app, { database, files, grants: fileGrants });
  addPaymentNoticeRoute(app, {
    database,
    origin: options.wechatPayUrl,
    certificates: new PlatformCertificates(),
  });
  addMiniProgramPushRoute(app, {
    database,
    take: (db, from, message) => takeSubscribeEvents(db, from, parseSubscribeEvents(message)),
  });
  const isPublic = !options.hasMetricsElsewhere;
  addHealthRoutes(app, database, options.readiness, isPublic ? options.measures : null);
  if (options.hasOutsideBroker) {
    addBrokerHooks(
      app,
      new ConnectGate({ database, keyring: new Keyring(database), log, gatewayId: null }),
    );
  }
  addOpenApiRoutes(app, documentSource, isPublic);
  addLlmsTxt(app);
  addSecurityTxt(app, options.securityContact ?? null);
  addMapService(app, { setting: mapSetting, database });
  await serveConsole(app, {
    hasTls: Boolean(options.tls),
    hasMap: async (address) =>
      amap !== null ||
      (await database.for({ share: shareOfStranger(address) }).read("platform", hasOwnMapKeys)),
  });
  await serveWebPage(app);
  return app;
}
