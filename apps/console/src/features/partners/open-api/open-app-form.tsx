// 新增应用 and 编辑应用: scopes, networks, rate limit and who settles the fees.
import { Network } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { MAX_NETWORKS } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import { TenantId } from "@cabinet/contract/kit/fields.ts";
import { OPEN_SCOPES, openScopeText } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import {
  type OpenApp,
  OpenAppDraft,
  openAppContract,
} from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import Checkbox from "antd/es/checkbox";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Switch from "antd/es/switch";
import { type Static, Type } from "typebox";
import { networksOf, networksProblem } from "../../../domain/key/networks.ts";
import { TenantSelect } from "../../../domain/tenant/tenant-select.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { counted } from "../../../ui/form/counted.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";

const { networks: _, ...plain } = OpenAppDraft.properties;
/** Form values; networks are typed one per line. */
const AppForm = Type.Object({ tenantId: TenantId, ...plain, lines: Type.String() });
type AppForm = Static<typeof AppForm>;

const scopeOptions = OPEN_SCOPES.map((scope) => ({ value: scope, label: openScopeText[scope] }));

const fields: FieldOf<typeof AppForm>[] = [
  {
    name: "name",
    label: "应用名称",
    control: <Input placeholder="如：顺路快递" />,
    hint: "出现在订单的时间线里",
  },
  {
    name: "scopes",
    label: "接口权限",
    control: <Checkbox.Group options={scopeOptions} className="open-scope-choice" />,
  },
  {
    name: "lines",
    label: "IP 白名单（每行一条，留空为不限）",
    control: <Input.TextArea rows={4} placeholder={"203.0.113.9\n10.1.2.0/24"} />,
    problem: (value) => networksProblem(Network, value, MAX_NETWORKS),
    hint: "第三方服务器的出口地址；填写后，来自别处的请求一律拒绝",
  },
  {
    name: "ratePerMinute",
    label: "每分钟最多请求",
    control: <InputNumber min={1} max={6000} precision={0} suffix="次" className="open-rate" />,
    hint: "超过时返回 429，并注明几秒后重试",
  },
  {
    name: "reserveSharePercent",
    label: "预约最多占用格口",
    control: <InputNumber min={1} max={100} precision={0} suffix="%" className="open-rate" />,
    hint: "预约而未存入的订单在一台设备同一大小格口中的占比，至少 2 个；设备专供这个应用时填 100",
  },
  {
    name: "isSettling",
    label: "费用由第三方结算",
    control: <Switch />,
    valueName: "checked",
    hint: "开启后，第三方取件、取回时的费用记为免收，由租户与第三方另行结算；关闭时，有未付费用的箱门不会为第三方打开",
  },
  {
    name: "remark",
    label: "备注",
    control: <Input.TextArea rows={2} count={counted(200)} />,
  },
];

export interface OpenAppFormProps {
  /** Null while closed; `NEW` for a new record. */
  edited: OpenApp | "NEW" | null;
  onClose: () => void;
}

export function OpenAppForm({ edited, onClose }: OpenAppFormProps) {
  const isPlatform = useIsPlatform();
  const { tenantId } = useSignedIn();
  const create = useWrite(openAppContract.create);
  const update = useWrite(openAppContract.update);
  const isNew = edited === "NEW";
  const app = isNew ? null : edited;
  const tenantField: FieldOf<typeof AppForm> = {
    name: "tenantId",
    label: "租户",
    control: <TenantSelect />,
  };
  const asksTenant = isNew && isPlatform;
  const submit = async (values: AppForm) => {
    const { lines, tenantId: chosen, ...rest } = values;
    const body = { ...rest, networks: [...new Set(networksOf(lines))] };
    if (app) {
      await update.mutateAsync({ params: { id: app.id }, body });
      toast.success(`应用“${body.name.trim()}”已保存`);
      return;
    }
    await create.mutateAsync({
      body: { ...body, ...(isPlatform && { tenantId: chosen }) },
    });
    toast.success(`应用“${body.name.trim()}”已新增，请生成密钥`);
  };
  return (
    <FormDrawer
      open={edited !== null}
      title={app ? `编辑应用：${app.name}` : "新增应用"}
      width={520}
      schema={AppForm}
      fields={asksTenant ? [tenantField, ...fields] : fields}
      initial={
        app
          ? { ...app, lines: app.networks.join("\n") }
          : {
              ...(isPlatform ? {} : { tenantId }),
              ...{ scopes: ["order:read", "order:write", "cabinet:read"], lines: "" },
              ...{ ratePerMinute: 600, reserveSharePercent: 33, isSettling: false, remark: "" },
            }
      }
      submit={submit}
      submitText={app ? "保存" : "新增"}
      onClose={onClose}
    />
  );
}
