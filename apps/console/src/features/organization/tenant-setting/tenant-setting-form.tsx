// The form of 租户其他配置: all settings in one form; the map's security code is never shown again.

import { openingHoursProblem } from "@cabinet/contract/kit/opening-hours.rules.ts";
import { mapContract } from "@cabinet/contract/organization/map/map.contract.ts";
import {
  type TenantSetting,
  TenantSettingDraft,
  tenantSettingContract,
} from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import {
  MOST_KEPT_DAYS,
  RETENTION,
  type Retained,
} from "@cabinet/contract/organization/tenant-setting/tenant-setting.rules.ts";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Switch from "antd/es/switch";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import { OpeningHoursInput } from "../../../ui/form/opening-hours-input.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { YuanInput } from "../../../ui/form/yuan-input.tsx";
import { LogoInput } from "./logo.tsx";

export interface TenantSettingFormProps {
  open: boolean;
  setting: TenantSetting;
  onClose: () => void;
}

export function TenantSettingForm({ open, setting, onClose }: TenantSettingFormProps) {
  const save = useWrite(tenantSettingContract.saveSetting, { invalidates: [mapContract.setting] });
  const { tenantId, tenantName, editVersion } = setting;
  return (
    <FormDrawer
      open={open}
      title={`租户其他配置：${tenantName}`}
      schema={TenantSettingDraft}
      fields={fieldsOf(setting)}
      initial={setting}
      submit={async ({ mapCode, ...draft }) => {
        await save.mutateAsync({
          body: {
            ...draft,
            servicePhone: draft.servicePhone.trim(),
            logoId: draft.logoId ?? null,
            // An empty code field keeps the stored value.
            ...(mapCode && { mapCode }),
            tenantId,
            editVersion,
          },
        });
        toast.success("租户其他配置已保存，立即生效");
      }}
      onClose={onClose}
    />
  );
}

/** How long data is kept. */
function days(name: Retained, what: string, hint: string): FieldOf<typeof TenantSettingDraft> {
  const { least } = RETENTION[name];
  return {
    name,
    label: `${what}保留`,
    control: <InputNumber min={least} max={MOST_KEPT_DAYS} precision={0} suffix="天" />,
    hint: `${hint}，至少 ${least} 天`,
  };
}

function fieldsOf({
  tenantId,
  mapKey,
  hasSharedMap,
}: TenantSetting): FieldOf<typeof TenantSettingDraft>[] {
  return [
    {
      name: "servicePhone",
      label: "客服电话",
      section: "面向骑手与取件人",
      control: <Input placeholder="如：0571-88886666 或 400-800-1234" />,
      hint: "设备自己没有填写客服电话时显示",
    },
    {
      name: "openingHours",
      label: "默认营业时间",
      control: <OpeningHoursInput />,
      hint: "设备和门店都没有填写时显示",
      problem: (value) => openingHoursProblem(String(value ?? "")),
    },
    {
      name: "smsSign",
      label: "短信签名",
      control: <Input prefix="【" suffix="】" placeholder="智能存取" />,
      hint: "2 至 12 个汉字、字母或数字，须已在短信服务商报备；留空为“智能存取”",
    },
    {
      name: "tellsOverdue",
      label: "滞留提醒短信",
      control: <Switch checkedChildren="发送" unCheckedChildren="不发送" />,
      valueName: "checked",
      hint: "物品超过滞留时限时，给取件人发一条短信",
    },
    {
      name: "codesPerHour",
      label: "短信验证码",
      control: <InputNumber min={1} max={100_000} precision={0} suffix="条 / 小时" />,
      hint: "骑手与取件人登录用；有人用大量号码刷短信时，损失到此为止，达到后平台会收到告警",
    },
    {
      name: "logoId",
      label: "Logo",
      section: "后台界面",
      control: <LogoInput tenantId={tenantId} />,
    },
    {
      name: "isHint",
      label: "设备异常提醒",
      control: <Switch checkedChildren="开启" unCheckedChildren="关闭" />,
      valueName: "checked",
      hint: "有新的待受理故障时，在本租户所有账号的页面上弹出提醒",
    },
    {
      name: "revealsPerDay",
      label: "每个账号每天可查看完整手机号",
      section: "个人信息",
      control: <InputNumber min={1} max={100_000} precision={0} suffix="次" />,
      hint: "骑手与取件人的号码；每次须选原因，记入操作审计，超过后 24 小时内不能再查看",
    },
    {
      name: "sharesPeople",
      label: "各门店可查看所有用户",
      control: <Switch checkedChildren="允许" unCheckedChildren="不允许" />,
      valueName: "checked",
      hint: "不允许时，限定门店的账号只看到在这些门店存取过的用户及其钱包",
    },
    days(
      "keepPeopleDays",
      "不再使用的用户",
      "最近没有登录也没有订单的用户到期注销；有余额、卡、在柜物品或欠费的保留",
    ),
    days("keepMessagesDays", "消息内容", "短信和订阅消息到期抹去号码与正文，条数和费用保留"),
    days("keepPhotosDays", "故障照片", "故障关闭后到期删除"),
    days("keepLogsDays", "登录日志", "到期删除；法律要求至少保存六个月"),
    days("keepEventsDays", "状态日志", "设备的事件到期删除；每台设备最近一次上线或离线保留"),
    days("keepCommandsDays", "操作日志", "开门与重启的指令到期删除；未结束订单的保留"),
    days("keepAuditDays", "操作审计", "签出校验码之后到期删除；剩下的记录照常校验"),
    {
      name: "adminsNeedFactor",
      label: "管理员须两步验证",
      section: "账号安全",
      control: <Switch checkedChildren="要求" unCheckedChildren="不要求" />,
      valueName: "checked",
      hint: "管理员没有角色，在这里要求；未设置的在下次登录时设置。其他账号由角色要求",
    },
    {
      name: "refundProofFen",
      label: "资金再次验证",
      control: <YuanInput />,
      hint: "一个账号 24 小时内充值、调整、退款、售卡累计超过此金额时，须再次验证身份",
    },
    {
      name: "reviewFen",
      label: "资金双人复核",
      control: <YuanInput />,
      hint: "一个账号 24 小时内充值、调整、退款、售卡累计超过此金额的，须有同样权限的另一人同意后才执行；0 为不复核",
    },
    {
      name: "proofMinutes",
      label: "身份验证有效",
      control: <InputNumber min={5} max={120} precision={0} suffix="分钟" />,
      hint: "改账号、角色、密钥、价格等敏感操作，须在这么久之内验证过身份",
    },
    {
      name: "mapKey",
      label: "高德地图 Key",
      section: "地图服务",
      control: <Input placeholder="32 位，Web 端（JS API）" autoComplete="off" />,
      hint: hasSharedMap ? "留空使用系统公用的 Key" : "留空时门店与设备的位置须手工填写坐标",
    },
    {
      name: "mapCode",
      label: "安全密钥",
      control: <Input.Password autoComplete="off" placeholder="与 Key 成对的 32 位密钥" />,
      hint: mapKey
        ? "加密保存，不再显示；留空则保持不变，更换 Key 时须填写"
        : "加密保存，不再显示；填写 Key 时须一并填写",
    },
  ];
}
