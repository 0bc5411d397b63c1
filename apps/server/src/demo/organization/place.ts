// Companies and stores of the demo: invented names at real streets (coordinates are GCJ-02).

export interface DemoStore {
  code: string;
  name: string;
  region: string;
  address: string;
  longitude: number;
  latitude: number;
  openingHours: string;
  contactName: string;
  contactPhone: string;
  /** Manager: index in `people`, by userType. */
  manager: 0 | 1 | 2;
  /** Number of cabinets in this store. */
  cabinets: number;
}

interface DemoTenant {
  name: string;
  /** Display names of its accounts, by userType. */
  people: readonly [string, string, string];
  stores: readonly DemoStore[];
}

/** code | name | region | address | longitude | latitude | opening hours | contact | phone | manager | cabinets */
function storesOf(table: string): DemoStore[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const [code = "", name = "", region = "", address = "", ...rest] = line
        .split("|")
        .map((cell) => cell.trim());
      const [longitude, latitude, openingHours = "", contactName = "", ...last] = rest;
      const [contactPhone = "", manager, cabinets] = last;
      return {
        code,
        name,
        region,
        address,
        longitude: Number(longitude),
        latitude: Number(latitude),
        openingHours,
        contactName,
        contactPhone,
        manager: manager === "运维" ? 2 : 1,
        cabinets: Number(cabinets),
      };
    });
}

/** The platform itself, whose tenant exists already. */
const platform: DemoTenant = {
  name: "平台",
  people: ["陈思远", "周敏", "吴强"],
  stores: storesOf(`
    SH-01 | 宜山路体验中心 | 上海市 徐汇区 | 宜山路 900 号科技大楼一层 | 121.3989 | 31.1739 | 工作日 08:00-22:00，周末 休息 | 高店长 | 13800001037 | 运营 | 4
    SH-02 | 博云路样板点 | 上海市 浦东新区 | 博云路 2 号南门 | 121.5993 | 31.2065 | 全天 | 马姐 | 13800001074 | 运营 | 3`),
};

const hangzhou: DemoTenant = {
  name: "杭州禾木智存科技有限公司",
  people: ["沈佳宁", "李伟", "孙浩"],
  stores: storesOf(`
    HZ-01 | 蒋村花园店 | 浙江省 杭州市 西湖区 | 文二西路 808 号商铺 3 | 120.0676 | 30.2799 | 工作日 07:00-23:00，周末 08:00-24:00 | 林店长 | 13800001111 | 运维 | 6
    HZ-02 | 长河地铁口店 | 浙江省 杭州市 滨江区 | 江南大道 3888 号 B1 层 | 120.1951 | 30.1879 | 全天 | 朱师傅 | 13800001148 | 运营 | 5
    HZ-03 | 仓前小镇店 | 浙江省 杭州市 余杭区 | 文一西路 998 号 5 幢 | 120.0106 | 30.2841 | 全天 | 钱店长 | 13800001185 | 运营 | 5
    HZ-04 | 学林街店 | 浙江省 杭州市 钱塘区 | 学林街 16 号生活区东侧 | 120.3468 | 30.3143 | 06:30-23:30 |  |  | 运营 | 5
    HZ-05 | 古墩路店 | 浙江省 杭州市 西湖区 | 古墩路 588 号一层 | 120.1006 | 30.2986 | 07:00-23:00 | 徐店长 | 13800001259 | 运维 | 4
    HZ-06 | 延安路店 | 浙江省 杭州市 拱墅区 | 延安路 530 号后门 | 120.1637 | 30.2741 | 全天 | 陆经理 | 13800001296 | 运营 | 3`),
};

const chengdu: DemoTenant = {
  name: "成都椒兰速存科技有限公司",
  people: ["唐雨", "何静", "罗兵"],
  stores: storesOf(`
    CD-01 | 天府三街店 | 四川省 成都市 高新区 | 天府三街 218 号 2 栋大堂 | 104.0664 | 30.5441 | 全天 | 杨店长 | 13800001333 | 运营 | 6
    CD-02 | 东大街店 | 四川省 成都市 锦江区 | 东大街下东大街段 216 号 | 104.0816 | 30.6556 | 工作日 07:00-23:00，周末 08:00-24:00 | 谢师傅 | 13800001370 | 运营 | 5
    CD-03 | 科华北路店 | 四川省 成都市 武侯区 | 科华北路 62 号一层 | 104.0804 | 30.6351 | 07:00-23:00 |  |  | 运维 | 4
    CD-04 | 棠湖东路店 | 四川省 成都市 双流区 | 棠湖东路一段 18 号 | 103.9291 | 30.5801 | 07:00-22:30 | 廖店长 | 13800001444 | 运营 | 3
    CD-05 | 建设路夜市店 | 四川省 成都市 成华区 | 建设路 26 号北侧连廊 | 104.1079 | 30.6691 | 全天 | 蒲姐 | 13800001481 | 运营 | 4`),
};

export const demoTenants = [platform, hangzhou, chengdu] as const;
