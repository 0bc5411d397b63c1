// Tests message templates: built-in texts, placeholders of both carriers, values that WeChat
// accepts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MESSAGE_SCENARIOS, signedText, smsSegments } from "../sms/sms.rules.ts";
import {
  builtInSms,
  builtInText,
  guessPlaceholders,
  placeholderNames,
  renderSms,
  type SmsTemplate,
  smsCost,
  smsTemplateProblem,
} from "./sms-template.rules.ts";
import {
  fitKeyword,
  guessKeywords,
  isKeywordValue,
  KEYWORD_TYPES,
  type Keyword,
  keywordProblem,
  keywordsOfContent,
  keywordTypeOf,
  mayCarry,
  renderKeywords,
  subscribeTemplateProblem,
} from "./subscribe-template.rules.ts";
import {
  sampleFacts,
  scenarioSpecs,
  spokenValue,
  VARIABLE_KEYS,
  variables,
  variablesOf,
} from "./template.rules.ts";

describe("built-in templates", () => {
  it.each(MESSAGE_SCENARIOS)("%s: is valid and costs one segment with its sign", (scene) => {
    const template = builtInSms(scene);
    expect(smsTemplateProblem(scene, template)).toBeNull();
    const { text } = renderSms(template, sampleFacts(scene));
    expect(text).not.toMatch(/[{}$]/);
    for (const { variable } of template.placeholders) {
      expect(text).toContain(spokenValue(variable, variables[variable].sample));
    }
    expect(smsSegments(signedText("", text))).toBe(1);
  });

  it("name place, door, code and price", () => {
    const facts = { place: "仓前小镇店 4 号柜", no: 4, code: "012345", price: "每 1 小时 1.50 元" };
    const rest = { path: "", orderId: 1, storedAt: "", overdueAt: "" };
    const text = builtInText("PICKUP_CODE", { ...facts, ...rest });
    expect(text).toBe("取件码 012345：仓前小镇店 4 号柜 4 号格口。每 1 小时 1.50 元。");
    expect(builtInText("SIGN_IN_CODE", { code: "012345", minutes: 5 })).toContain(
      "验证码 012345，5 分钟内有效",
    );
  });

  it("every scene has a plan, and its required variables are available", () => {
    for (const scene of MESSAGE_SCENARIOS) {
      const { plans, needs, has } = scenarioSpecs[scene];
      expect(plans.length).toBeGreaterThan(0);
      for (const key of needs) expect(has).toContain(key);
    }
  });
});

describe("text messages", () => {
  const template = (text: string, rest: Partial<SmsTemplate> = {}): SmsTemplate => ({
    templateCode: "",
    text,
    placeholders: guessPlaceholders("PICKUP_CODE", text, []),
    ...rest,
  });

  it("list placeholders once, in order of appearance", () => {
    const text = `\${no} 号格口，取件码 \${code}，\${no}。`;
    expect(placeholderNames(text)).toEqual(["no", "code"]);
    const facts = { no: 3, code: "123456" };
    expect(renderSms(template(text), facts)).toEqual({
      text: "3 号格口，取件码 123456，3。",
      values: [
        ["no", "3"],
        ["code", "123456"],
      ],
    });
  });

  it("format times and money for people", () => {
    expect(spokenValue("storedAt", "2026-11-22T04:26:00Z")).toBe("11月22日 12:26");
    expect(spokenValue("amount", 350)).toBe("3.50");
    expect(spokenValue("storedAt", "")).toBe("");
  });

  it("shorten values to the carrier's limit once a template code is set", () => {
    const [text, facts] = [`\${code} \${place}`, { code: "123456", place: "远".repeat(50) }];
    const short = renderSms(template(text, { templateCode: "SMS_1234" }), facts);
    expect(short.values[1]?.[1]).toHaveLength(35);
    expect(short.text).toBe(`123456 ${short.values[1]?.[1]}`);
    expect(renderSms(template(text), facts).text).toContain("远".repeat(50));
  });

  it("cost a second segment beyond 70 characters", () => {
    expect(smsCost("顺达", "字".repeat(66))).toEqual({ length: 70, segments: 1 });
    expect(smsCost("顺达", "字".repeat(67))).toEqual({ length: 71, segments: 2 });
  });

  it.each([
    [`取件码 \${code}`, {}, null],
    [
      "取件码 {1}，{2}",
      {
        placeholders: [
          { name: "1", variable: "code" },
          { name: "2", variable: "place" },
        ],
      },
      null,
    ],
    [" ", {}, "请填写短信内容"],
    [`【顺达】取件码 \${code}`, {}, "签名在租户其他配置中设置"],
    [`取件码 \${code`, {}, "占位符写法不对"],
    [`取件码 \${取件码}`, {}, "占位符写法不对"],
    [`取件码 \${code}{1}`, { placeholders: [] }, "不能混用"],
    ["取件码 {2}{1}", { placeholders: [] }, "从 1 开始"],
    [`取件码 \${code} \${where}`, {}, "请为占位符 where 选择变量"],
    [`取件码 \${c}`, { placeholders: [{ name: "c", variable: "amount" }] }, "不能用“退款金额”"],
    [`请到 \${place} 取件`, {}, "验证码 / 取件码"],
    [`取件码 \${code}`, { templateCode: "a b" }, "模板编号"],
  ] as const)("%s %j", (text, rest, problem) => {
    const found = smsTemplateProblem("PICKUP_CODE", template(text, rest as Partial<SmsTemplate>));
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });
});

describe("WeChat keywords", () => {
  const keyword = (name: string, variable: Keyword["variable"], text = ""): Keyword => ({
    ...{ name, title: "", variable, text },
  });

  it("derive their type from their name", () => {
    expect(keywordTypeOf("character_string12")).toBe("character_string");
    expect(keywordTypeOf("thing1")).toBe("thing");
    for (const wrong of ["thing", "things1", "foo1", "1thing", "thing1x", ""]) {
      expect(keywordTypeOf(wrong), wrong).toBeNull();
    }
  });

  it("accept every fitted value", () => {
    const carried = KEYWORD_TYPES.flatMap((type) =>
      VARIABLE_KEYS.filter((key) => mayCarry(type, key)).map((key) => ({ type, key })),
    );
    expect(carried.length).toBeGreaterThan(40);
    const time = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01") });
    const values = {
      CODE: fc.stringMatching(/^\d{6}$/),
      NUMBER: fc.nat().map(String),
      TEXT: fc.oneof(fc.string(), fc.string({ unit: "grapheme", maxLength: 60 })),
      TIME: fc.oneof(
        fc.constant(""),
        time.filter((at) => !Number.isNaN(at.getTime())).map((at) => at.toISOString()),
      ),
      MONEY: fc.integer({ min: 0, max: 99_999_999 }).map(String),
      PHONE: fc.oneof(fc.constant("138****8000"), fc.string({ maxLength: 30 })),
    };
    const anyValue = fc
      .constantFrom(...carried)
      .chain(({ type, key }) => values[variables[key].kind].map((value) => ({ type, key, value })));
    fc.assert(
      fc.property(anyValue, ({ type, key, value }) => {
        expect(isKeywordValue(type, fitKeyword(type, key, value))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    [
      "thing",
      "place",
      "杭州市余杭区仓前街道文一西路小镇东门店四号柜",
      "杭州市余杭区仓前街道文一西路小镇东门店…",
    ],
    ["character_string", "code", "012345", "012345"],
    ["number", "amount", "350", "3.50"],
    ["amount", "amount", "350", "3.50元"],
    ["time", "storedAt", "2026-11-22T04:26:00Z", "2026年11月22日 12:26"],
    ["date", "storedAt", "2026-11-22T04:26:00Z", "2026年11月22日 12:26"],
    ["character_string", "storedAt", "2026-11-22T04:26:00Z", "2026-11-22 12:26"],
    ["phone_number", "recipient", "138****8000", "138****8000"],
    ["phrase", "tenant", "顺达快柜科技有限公司", "顺达快柜科"],
    ["name", "tenant", "A1 快柜", "快柜"],
    ["thing", "servicePhone", "", "无"],
    ["time", "storedAt", "", "00:00"],
  ] as const)("%s says %s %s as %s", (type, key, value, fitted) => {
    expect(fitKeyword(type, key, value)).toBe(fitted);
  });

  it("are rendered by name", () => {
    const keywords = [keyword("character_string1", "code"), keyword("phrase2", null, "待取件")];
    expect(renderKeywords(keywords, { code: "012345" })).toEqual({
      character_string1: { value: "012345" },
      phrase2: { value: "待取件" },
    });
  });

  it.each([
    [keyword("thing1", "place"), null],
    [keyword("phrase1", null, "待取件"), null],
    [keyword("phrase1", null, "请尽快取件吧"), "5 个以内汉字"],
    [keyword("thing1", null, ""), "固定文字"],
    [keyword("number1", "place"), "不能放“柜机位置”"],
    [keyword("thing1", "amount"), "这个场景没有它"],
    [keyword("abc1", "place"), "名称 abc1 不对"],
    [keyword("letter1", null, "AB1"), "32 位以内字母"],
  ])("%j", (given, problem) => {
    const found = keywordProblem("PICKUP_CODE", given);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });

  const whole = {
    templateId: "NDZqXgmQZ1VPnDhHTU1i_cU8FC4RmLZjYwxMYRzYWfM",
    title: "取件通知",
    page: "pages/order/detail?from=notice",
    keywords: [keyword("thing1", "place")],
  };
  it.each([
    [{}, null],
    [{ page: "" }, null],
    [{ page: "/pages/order" }, "前面不要加 /"],
    [{ page: "https://example.com" }, "小程序页面写法不对"],
    [{ templateId: "short" }, "模板 ID 不对"],
    [{ keywords: [] }, "请填写模板的关键词"],
    [{ keywords: [whole.keywords[0], whole.keywords[0]] }, "重复"],
    [{ keywords: [keyword("time1", "place")] }, "不能放"],
  ])("template: %j", (change, problem) => {
    const found = subscribeTemplateProblem("PICKUP_CODE", { ...whole, ...change } as typeof whole);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });

  it("are parsed from WeChat's content and mapped to variables", () => {
    const content =
      "取件码:{{character_string1.DATA}}\n取件地点:{{thing2.DATA}}\n存入时间:{{time3.DATA}}\n";
    const read = keywordsOfContent(content);
    expect(read).toEqual([
      { name: "character_string1", title: "取件码" },
      { name: "thing2", title: "取件地点" },
      { name: "time3", title: "存入时间" },
    ]);
    const guessed = guessKeywords("PICKUP_CODE", read);
    expect(guessed.map(({ variable }) => variable)).toEqual(["code", "place", "storedAt"]);
    for (const each of guessed) expect(keywordProblem("PICKUP_CODE", each)).toBeNull();
    const unknown = guessKeywords("PICKUP_CODE", [{ name: "car_number1", title: "车牌" }]);
    expect(unknown[0]?.variable).toBeNull();
  });
});

it("every variable of a scene has a sample", () => {
  for (const scene of MESSAGE_SCENARIOS) {
    for (const key of variablesOf(scene)) expect(sampleFacts(scene)[key]).toBeTruthy();
  }
});
