// Pure rules that map a cabinet's answer on a firmware job to a state and a Chinese text.
import type { TargetState } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";

/** Temporary refusals, not failures: the same firmware is offered again automatically. */
const passing = new Set(["DOOR_OPEN", "BUSY"]);
/** Delay until the next offer. */
const OFFER_AGAIN_SECONDS = 60;

const reasonTexts: Record<string, string> = {
  DOOR_OPEN: "有箱门未关，稍后自动重试",
  BUSY: "设备正在处理另一个固件，稍后自动重试",
  NOT_SUPPORTED: "设备不支持远程升级",
  NO_MAKER_KEY: "设备没有厂家公钥，不能验证固件",
  BAD_SIGNATURE: "厂家签名与设备内置的公钥不符",
  BELOW_MIN_VERSION: "设备现有版本低于固件要求的最低版本",
  TOO_LARGE: "固件超过设备的存储空间",
  DOWNLOAD: "下载失败，请检查设备网络后重试",
  CHECKSUM: "下载的文件大小或校验值不符",
  STORAGE: "设备存储写入失败",
  ROLLED_BACK: "新版本未能启动，设备已恢复原版本",
};

export interface JobOutcome {
  state: TargetState;
  detail: string | null;
  /** Seconds until the job is offered again. */
  againAfter: number | null;
}

export function jobOutcome(status: string, reason: string | undefined): JobOutcome | null {
  const detail = reason === undefined ? null : (reasonTexts[reason] ?? `设备报告：${reason}`);
  switch (status) {
    case "ACCEPTED":
    case "DOWNLOADING":
      return { state: status, detail: null, againAfter: null };
    case "INSTALLED":
      return { state: "INSTALLING", detail: null, againAfter: null };
    case "REFUSED":
      return reason !== undefined && passing.has(reason)
        ? { state: "WAITING", detail, againAfter: OFFER_AGAIN_SECONDS }
        : { state: "REFUSED", detail, againAfter: null };
    case "FAILED":
      return { state: "FAILED", detail, againAfter: null };
    default:
      return null;
  }
}

export const timedOutDetail = "设备在规定时间内没有完成，也没有报告原因";
export const lostDetail = "安装后没有以新版本上线";
export const offlineDetail = "升级途中离线，上线后重新下发";
export const retiredDetail = "设备已停用";
export const notTakenDetail = "设备没有采用下发的参数";
export const overtakenDetail = "参数已被之后的下发覆盖";
/** The version follows this text. */
export const oldProgramDetail = "重启后仍是旧版本 ";
