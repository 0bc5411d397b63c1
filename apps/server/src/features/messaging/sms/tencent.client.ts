// Tencent Cloud text messages (sms 2021-01-11), through its official client.
import { shanghaiClock } from "@cabinet/contract/kit/shanghai.rules.ts";
import { smsCodeText } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import {
  ANSWER_TIMEOUT_MS,
  type CarrierAccount,
  type FindOutcome,
  type GivenSms,
  isNeverSent,
  type OutgoingSms,
  openedOnce,
  ownConnection,
  type Proof,
  type Receipt,
  type SendOutcome,
  type SmsCarrier,
  unreachable,
} from "./carrier.port.ts";

const REGION = "ap-guangzhou";
/** Error codes for "not taken, a retry may succeed". */
const PASSING =
  /^(RequestLimitExceeded|LimitExceeded\.(PhoneNumberThirtySecondLimit|PhoneNumberOneHourLimit|DeliveryFrequencyLimit))/;
/** Server-side errors that leave open whether the message was taken. */
const DOUBTFUL = /^(InternalError|FailedOperation\.FailResolvePacket)/;
const SIGNS = 100;
/** Packages are valid for two years at most. */
const PACKAGE_HOURS = 24 * 731;
/** Clock tolerance: Tencent may date a message slightly before our own timestamp. */
const SPARE_SECONDS = 60;

async function openClient(account: CarrierAccount, origin: string) {
  // Loaded with the first message.
  const { default: sdk } = await import("tencentcloud-sdk-nodejs-sms");
  const { protocol, host } = new URL(origin);
  return new sdk.sms.v20210111.Client({
    credential: { secretId: account.keyId, secretKey: account.secret },
    region: REGION,
    profile: {
      language: "zh-CN",
      httpProfile: {
        endpoint: host,
        protocol: `${protocol}//`,
        reqTimeout: ANSWER_TIMEOUT_MS / 1_000,
        headers: ownConnection,
      },
    },
  });
}

export class TencentSms implements SmsCarrier {
  readonly #appId: string;
  readonly #open: () => ReturnType<typeof openClient>;

  constructor(account: CarrierAccount, origin: string) {
    this.#appId = account.appId;
    this.#open = openedOnce(() => openClient(account, origin));
  }

  async send(message: OutgoingSms): Promise<SendOutcome> {
    const client = await this.#open();
    try {
      const answer = await client.SendSms({
        PhoneNumberSet: [`+86${message.phone}`],
        SmsSdkAppId: this.#appId,
        SignName: message.sign,
        TemplateId: message.templateCode,
        TemplateParamSet: message.variables.map(([, value]) => value),
        SessionContext: message.sendKey,
      });
      const [status] = answer.SendStatusSet ?? [];
      if (status?.Code === "Ok") {
        return { kind: "TAKEN", carrierNo: status.SerialNo ?? "", segments: status.Fee ?? null };
      }
      return refusalOf(status?.Code, status?.Message);
    } catch (error) {
      if (isNeverSent(error)) return unreachable;
      const { code, message: text } = error as { code?: unknown; message?: unknown };
      return refusalOf(code, text);
    }
  }

  async find({ sendKey, carrierNo, phone, claimedAt }: GivenSms): Promise<FindOutcome> {
    const client = await this.#open();
    try {
      const answer = await client.PullSmsSendStatusByPhoneNumber({
        BeginTime: Math.floor(Date.parse(claimedAt) / 1_000) - SPARE_SECONDS,
        Offset: 0,
        Limit: 100,
        PhoneNumber: `+86${phone}`,
        SmsSdkAppId: this.#appId,
      });
      const found = answer.PullSmsSendStatusSet?.find(
        ({ SerialNo, SessionContext }) =>
          SessionContext === sendKey || (carrierNo !== null && SerialNo === carrierNo),
      );
      return found ? { kind: "FOUND", receipt: receiptOf(found) } : { kind: "NOT_FOUND" };
    } catch {
      return { kind: "UNREACHABLE" };
    }
  }

  async prove(sign: string): Promise<Proof> {
    const client = await this.#open();
    try {
      const { SmsPackagesStatisticsSet: packages = [] } = await client.SmsPackagesStatistics({
        SmsSdkAppId: this.#appId,
        Limit: 500,
        Offset: 0,
        BeginTime: hourAgo(PACKAGE_HOURS),
        EndTime: hourAgo(1),
      });
      const left = packages.reduce(
        (all, { PackageAmount = 0, CurrentUsage = 0, PackageExpiredTime = 0 }) =>
          PackageExpiredTime * 1_000 > Date.now() ? all + PackageAmount - CurrentUsage : all,
        0,
      );
      const { DescribeSignListStatusSet: signs = [] } = await client.DescribeSmsSignList({
        International: 0,
        Limit: SIGNS,
        Offset: 0,
      });
      const found = signs.find(({ SignName }) => SignName === sign);
      if (!found) {
        return {
          isOk: false,
          text: `密钥与应用有效，但这个账号下没有签名“${sign}”：请核对签名，或先在腾讯云短信控制台申请`,
        };
      }
      return found.StatusCode === 0
        ? { isOk: true, text: `密钥与应用有效，签名“${sign}”可用，套餐包剩余 ${left} 条。` }
        : {
            isOk: false,
            text: `密钥与应用有效，但签名“${sign}”还不可用：${found.ReviewReply || "请在腾讯云短信控制台查看"}`,
          };
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown };
      if (typeof code !== "string") {
        return { isOk: false, text: "连接不上腾讯云短信：请检查服务器能否访问外网" };
      }
      const text = smsCodeText(code) ?? `腾讯云短信拒绝了请求：${String(message ?? "")}`;
      return { isOk: false, text: `${text}（${code}）` };
    }
  }
}

/** Format `2024050113`, China time; must lie in the past. */
function hourAgo(hours: number): string {
  return shanghaiClock(Date.now() - hours * 3_600_000)
    .slice(0, 13)
    .replace(/\D/g, "");
}

/** An error without a Tencent code comes from the network or a proxy: the outcome is UNKNOWN. */
function refusalOf(code: unknown, message: unknown): SendOutcome {
  if (typeof code !== "string" || code === "" || DOUBTFUL.test(code)) return { kind: "UNKNOWN" };
  return { kind: "REFUSED", code, text: String(message ?? ""), mayRetry: PASSING.test(code) };
}

interface SendStatus {
  SerialNo?: string;
  ReportStatus?: string;
  Description?: string;
}

/** Tencent reports a message only after the mobile operator has reported it. */
function receiptOf({ SerialNo, ReportStatus, Description }: SendStatus): Receipt {
  const state = ReportStatus === "SUCCESS" ? "DELIVERED" : "UNDELIVERED";
  const text = state === "UNDELIVERED" ? (Description ?? "") : "";
  return { state, carrierNo: SerialNo ?? null, segments: null, code: text, text: "" };
}
