// 网页版: the switch of the tenant's web page, its address, and the QR stickers of its cabinets.
import { tenantPagePath } from "@cabinet/contract/orders/app/app-page.rules.ts";
import {
  type WebPageSetting,
  webPageContract,
} from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import { Copyable, TenantChoice, useSettingTenant } from "../../../domain/setting-page.tsx";
import { confirm, toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { QrCode } from "../../../ui/display/qr-code.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { LegalTexts } from "./legal-texts.tsx";
import { Stickers } from "./stickers.tsx";
import "./web-page.css";

export default function WebPagePage() {
  const tenantId = useSettingTenant();
  const mayWrite = usePermission("web-page:write");
  const query = tenantId ? { tenantId } : {};
  const answer = useCall(webPageContract.setting, { query });
  const { data: setting } = answer;
  return (
    <PageCard
      title="网页版"
      extra={
        <span className="ui-setting-head">
          <TenantChoice current={setting?.tenantId} />
          {setting && mayWrite && <SwitchButton setting={setting} />}
        </span>
      }
    >
      {!setting ? (
        <AnswerState answer={answer} />
      ) : (
        <>
          <div className="ui-setting">
            <DrawerSection title="骑手与取件人的网页">
              <p className="web-page-note">
                没有小程序也能用：在手机浏览器里存件、取件、付款、报修，不用安装
              </p>
              <Facts facts={factsOf(setting)} />
            </DrawerSection>
          </div>
          <DrawerSection title="协议">
            <LegalTexts key={setting.tenantId} setting={setting} />
          </DrawerSection>
          <DrawerSection title="柜机二维码贴纸">
            <Stickers key={setting.tenantId} setting={setting} />
          </DrawerSection>
        </>
      )}
    </PageCard>
  );
}

function SwitchButton({ setting }: { setting: WebPageSetting }) {
  const { tenantId, tenantName, isOn, editVersion } = setting;
  const save = useWrite(webPageContract.saveSetting, { toasts: true });
  const turn = async () => {
    const isSure =
      !isOn ||
      (await confirm({
        title: `关闭“${tenantName}”的网页版？`,
        content:
          "扫码的人会看到“没有找到这台柜机的网页版”，不能再用网页存取、付款；柜机屏幕、小程序和取件码不受影响。",
        ok: "确认关闭",
        isDanger: true,
      }));
    if (!isSure) return;
    await save.mutateAsync({ body: { isOn: !isOn, tenantId, editVersion } });
    toast.success(isOn ? "网页版已关闭" : "网页版已开通，立即可用");
  };
  return (
    <Button
      type={isOn ? "default" : "primary"}
      loading={save.isPending}
      onClick={() => void turn().catch(() => {})}
    >
      {isOn ? "关闭网页版" : "开通网页版"}
    </Button>
  );
}

function factsOf({
  tenantCode,
  tenantName,
  isOn,
  editedAt,
  editedBy,
}: WebPageSetting): DescriptionItem[] {
  const address = window.location.origin + tenantPagePath(tenantCode);
  return [
    [
      "状态",
      <Status key="on" tone={isOn ? "good" : "quiet"}>
        {isOn ? "已开通" : "未开通，扫码的人打不开"}
      </Status>,
    ],
    [
      "最近修改",
      editedAt ? `${formatDateTime(editedAt)}${editedBy && `，${editedBy}`}` : "没有修改过",
    ],
    ["网页地址", <Copyable key="address" text={address} />],
    [
      "二维码",
      <QrCode
        key="code"
        className="web-page-qr"
        text={address}
        label={`二维码：${tenantName}的网页版`}
      />,
    ],
  ];
}
