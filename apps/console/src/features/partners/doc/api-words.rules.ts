// Words of the API reference that are not in the API document, in both languages.
import type { Caller } from "@cabinet/contract/kit/endpoint.ts";

const zh = {
  audiences: {
    partner: "开放接口",
    app: "小程序接口",
    device: "设备接口",
    console: "控制台接口",
  } satisfies Record<Caller, string>,
  access: {
    public: "不需要登录",
    partner: "签名",
    "end-user": "小程序登录",
    "signed-in": "后台账号登录",
    platform: "平台人员",
  },
  withPermission: (access: string, permission: string) => `${access}，权限 ${permission}`,
  places: { path: "路径", query: "", header: "请求头" },
  types: {
    string: "文字",
    integer: "整数",
    number: "数字",
    boolean: "是否",
    object: "对象",
    null: "空",
    choice: "选项",
    file: "文件",
    time: "时间",
  } as Record<string, string>,
  listOf: (type: string) => `${type}的列表`,
  nullable: (type: string) => `${type}，可为空`,
  or: "或",
  whole: "（整体）",
  eachItem: "（每一项）",
  separator: "；",
  length: "长度 ",
  items: "项数 ",
  range: (from: number, to: number) => `${from} 至 ${to}`,
  byDefault: (value: string) => `默认 ${value}`,
};

export type ApiWords = typeof zh;

export const apiWords: Record<"zh" | "en", ApiWords> = {
  zh,
  en: {
    audiences: {
      partner: "Open API",
      app: "App API",
      device: "Cabinet API",
      console: "Console API",
    },
    access: {
      public: "No sign-in needed",
      partner: "Signature",
      "end-user": "Sign-in of the app",
      "signed-in": "Console account",
      platform: "Platform staff",
    },
    withPermission: (access, permission) => `${access}, permission ${permission}`,
    places: { path: "path", query: "", header: "header" },
    types: {
      string: "string",
      integer: "integer",
      number: "number",
      boolean: "boolean",
      object: "object",
      null: "null",
      choice: "enum",
      file: "file",
      time: "date-time",
    },
    listOf: (type) => `array of ${type}`,
    nullable: (type) => `${type} or null`,
    or: " or ",
    whole: "(whole)",
    eachItem: "(each item)",
    separator: "; ",
    length: "length ",
    items: "items ",
    range: (from, to) => `${from} to ${to}`,
    byDefault: (value) => `default ${value}`,
  },
};
