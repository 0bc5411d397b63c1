// Columns of a store in a file, and the checks of its lines.
import { StoreLine } from "@cabinet/contract/organization/store/store.contract.ts";
import { storeProblem } from "@cabinet/contract/organization/store/store.rules.ts";
import { columnsOfSchema, judgeBy } from "../../../ui/import/import.rules.ts";

export type StoreColumn = keyof StoreLine;

export const storeColumns = columnsOfSchema<StoreColumn>(StoreLine, {
  code: { aliases: ["编码", "编号", "门店编号", "店号"], form: "code" },
  name: { aliases: ["名称", "门店", "店名"], width: 24 },
  region: { aliases: ["地区", "省市区", "区域"], width: 28 },
  address: { aliases: ["地址", "门店地址"], width: 36 },
  longitude: { aliases: ["lng", "经度（gcj-02）"] },
  latitude: { aliases: ["lat", "纬度（gcj-02）"] },
  openingHours: { aliases: ["营业时段", "开放时间"] },
  contactName: { aliases: ["联系人姓名"] },
  contactPhone: { aliases: ["联系方式", "电话", "手机号", "联系人电话"] },
  manager: { aliases: ["店长", "门店负责人"] },
  remark: { aliases: ["说明"], width: 36 },
});

/** Checks by the server's rules, except for codes and names of accounts, which only the server knows. */
export const judgeStores = judgeBy<typeof StoreLine, StoreColumn>({
  schema: StoreLine,
  problem: storeProblem,
  key: "code",
});
