// Tenant settings of the demo's companies: service phone, opening hours, SMS signature, web page.

/** Indexed by tenant; the platform has no settings. */
const settings = [
  null,
  { service_phone: "0571-88886666", sms_sign: "禾木智存", opening_hours: "全天" },
  { service_phone: "028-66001234", sms_sign: "椒兰速存", opening_hours: "06:00-24:00" },
] as const;

interface PlacedTenant {
  tenantId: number;
  actors: readonly { signature: string }[];
}

export function settingRows(tenants: readonly PlacedTenant[]) {
  return tenants.flatMap(({ tenantId, actors }, nth) => {
    const setting = settings[nth];
    const editedBy = actors[1]?.signature ?? "";
    return setting ? [{ tenant_id: tenantId, ...setting, edited_by: editedBy }] : [];
  });
}

/** Every company has its web page: a visitor of the demo follows a parcel there. */
export function webPageRows(tenants: readonly PlacedTenant[]) {
  return tenants.slice(1).map(({ tenantId, actors }) => ({
    tenant_id: tenantId,
    is_on: true,
    edited_by: actors[1]?.signature ?? "",
  }));
}

const terms = (name: string) => `一、服务内容
${name}通过智能柜提供物品存放和取回服务。存件时页面显示价格、免费时长和最高收费，确认后开门。

二、您的责任
不存放违禁品、易燃易爆品、活体动物和易腐烂物品。请妥善保管取件码，凭取件码即可打开箱门。

三、费用
费用按存件时显示的规则计算，柜机不能开门的时间不计费。有争议请拨打页面上的客服电话。

四、超时物品
超过存放期限的物品，我们会先通知取件人；仍未取走的，可以取出另行保管，取出过程留有记录。`;

const privacy = (name: string) => `一、收集的信息
手机号（登录、通知取件）、存取记录、付款记录。${name}不收集位置和通讯录。

二、使用目的
用于提供存取服务、通知取件、处理故障和纠纷，不用于营销，不出售给任何人。

三、保存期限
订单和资金记录依法保存；短信内容到期删除。

四、您的权利
您可以在“我的”中下载自己的数据、注销账号。注销后手机号和姓名被抹去，订单和资金记录匿名保留。`;

/** First versions of the texts of every company, published before its first order. */
export function legalTextRows(tenants: readonly PlacedTenant[], publishedAt: Date) {
  return tenants.flatMap(({ tenantId, actors }, nth) => {
    const setting = settings[nth];
    if (!setting) return [];
    const fixed = {
      ...{ tenant_id: tenantId, version: 1, published_at: publishedAt },
      published_by: actors[1]?.signature ?? "",
    };
    return [
      { ...fixed, kind: "TERMS", body: terms(setting.sms_sign) },
      { ...fixed, kind: "PRIVACY", body: privacy(setting.sms_sign) },
    ];
  });
}
