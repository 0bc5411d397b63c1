// Detail view of one firmware, with hash and signature for checking its file.
import type { Firmware } from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import { sizeText } from "@cabinet/contract/kit/upload.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { FirmwareStatus, modelsText } from "./firmware-columns.tsx";
import "./firmware-detail.css";

export function FirmwareDetail({ firmware }: { firmware: Firmware }) {
  return (
    <>
      <DrawerSection title="固件">
        <Facts
          facts={[
            ["状态", <FirmwareStatus key="v" firmware={firmware} />],
            ["版本号", firmware.version],
            ["最低版本", `${firmware.minVersion}（低于它的设备不能直接升级）`],
            ["适用型号", modelsText(firmware)],
            ["已运行", `${firmware.runningCount} / ${firmware.cabinetCount} 台`],
            ["上传人", firmware.createdBy],
            ["上传时间", formatDateTime(firmware.createdAt)],
            ["发布时间", firmware.releasedAt && formatDateTime(firmware.releasedAt)],
            ["撤回时间", firmware.withdrawnAt && formatDateTime(firmware.withdrawnAt)],
            ["撤回原因", firmware.withdrawnReason],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="更新说明">
        <p className="firmware-notes">{firmware.notes || "没有填写"}</p>
      </DrawerSection>
      <DrawerSection title="文件">
        <Facts
          facts={[
            ["文件名", firmware.fileName],
            ["大小", `${sizeText(firmware.sizeBytes)}（${firmware.sizeBytes} 字节）`],
            ["SHA-256", <FirmwareCode key="v">{firmware.sha256}</FirmwareCode>],
            ["厂家签名", <FirmwareCode key="v">{firmware.signature}</FirmwareCode>],
          ]}
        />
      </DrawerSection>
    </>
  );
}

/** Monospaced hash, key or signature. */
export function FirmwareCode({ children }: { children: string }) {
  return <code className="firmware-code">{children}</code>;
}
