// Chapters and frame vectors of the cabinet protocol name every message and field of the schemas.

import { CAPABILITIES } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.rules.ts";
import { CabinetConfig } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  ACK_STAGES,
  CONNECT_BAN_MS,
  commandSchemas,
  DOWNLOAD_REASONS,
  downSchemas,
  EVENT_TYPES,
  FAIL_REASONS,
  JOB_FAILURE_REASONS,
  JOB_REFUSAL_REASONS,
  MAX_CONNECTS,
  REJECT_REASONS,
  upSchemas,
} from "@cabinet/link";
import { describe, expect, it } from "vitest";
import {
  REPORT_BURST,
  REPORTS_PER_SECOND,
} from "../../apps/server/src/features/link/device/reports/report-limit.rules.ts";
import frames from "../../packages/cabinet-link/vectors/frames.json" with { type: "json" };
import { chapter, namesOf, rowsOf } from "./documents.ts";
import { fieldsOfMessage, fieldsOfSchema } from "./schema-fields.ts";

/** Schemas by the heading of their section in the document. */
const messages: [string, object][] = [
  ...Object.entries(upSchemas).map(([kind, schema]): [string, object] => [`up/${kind}`, schema]),
  ...Object.entries(downSchemas).map(([kind, schema]): [string, object] => [`dn/${kind}`, schema]),
  ...Object.entries(commandSchemas).map(([type, schema]): [string, object] => [
    `dn/cmd ${type}`,
    schema,
  ]),
];

const text = chapter("sdk", "08-link-messages.md");
const commands = chapter("sdk", "06-link-commands.md");
const section = (title: string, of = text) =>
  of.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
/** The first table below the heading. */
const tableOf = (title: string, of = text) => /(?:^\|.*\n)+/m.exec(section(title, of))?.[0] ?? "";

describe("fields of the cabinet protocol", () => {
  it("messages and sections of the document match", () => {
    const titles = [...text.matchAll(/^## ((?:up|dn)\/.+)$/gm)].map(([, title]) => title);
    expect(titles.sort()).toEqual(messages.map(([title]) => title).sort());
  });

  it.each(messages)(
    "%s: the document names each field, whether it is required, its values",
    (title, schema) => {
      const documented = rowsOf(tableOf(title))
        .slice(1)
        .flatMap(([first = "", required = "", type = "", meaning = ""]) =>
          namesOf(`| ${first} |`).map((name) => {
            const rest = `${type} ${meaning}`;
            return { name, required, rest, type, meaning };
          }),
        );
      const fields = fieldsOfSchema(schema);
      expect(documented.map(({ name }) => name).sort()).toEqual([...fields.keys()].sort());
      for (const { name, required, rest, type, meaning } of documented) {
        const field = fields.get(name);
        expect(type, `${name}: type and unit`).not.toBe("");
        expect(meaning, `${name}: meaning`).not.toBe("");
        expect(required, name).toBe(field?.isRequired ? "是" : "否");
        for (const value of field?.values ?? []) expect(rest, name).toContain(`\`${value}\``);
      }
    },
  );

  it("common fields of reports: documented", () => {
    const common = ["v", "bootNo", "n", "mono", "at"];
    expect(namesOf(tableOf("上报的公共字段"))).toEqual(common);
    for (const [kind, schema] of Object.entries(upSchemas)) {
      if (kind !== "will")
        expect([...fieldsOfSchema(schema).keys()]).toEqual(expect.arrayContaining(common));
    }
  });

  it("reasons, capabilities, settings and events: complete", () => {
    const named = (part: string) => [...part.matchAll(/`([A-Z_]+)`/g)].map(([, word]) => word);
    expect(named(section("up/ack"))).toEqual(
      expect.arrayContaining([...ACK_STAGES, ...REJECT_REASONS, ...FAIL_REASONS]),
    );
    const jobReasons = [...JOB_REFUSAL_REASONS, ...JOB_FAILURE_REASONS];
    expect(named(section("up/evt"))).toEqual(expect.arrayContaining(jobReasons));
    expect(named(section("up/state"))).toEqual(expect.arrayContaining([...DOWNLOAD_REASONS]));
    const words = section("up/birth").split("`capabilities` 的词")[1] ?? "";
    expect(namesOf(words).sort()).toEqual([...CAPABILITIES].sort());
    expect(namesOf(tableOf("配置", commands)).sort()).toEqual(
      Object.keys(CabinetConfig.properties).sort(),
    );
    expect(namesOf(tableOf("状态与事件", commands)).sort()).toEqual([...EVENT_TYPES].sort());
  });

  it("limits: those of the code", () => {
    const connecting = chapter("sdk", "05-link-connecting.md");
    expect(connecting).toContain(`60 秒内连接 ${MAX_CONNECTS} 次`);
    expect(connecting).toContain(`${CONNECT_BAN_MS / 60_000} 分钟`);
    expect(section("上报的限额", commands)).toContain(`${REPORT_BURST} 条`);
    expect(section("上报的限额", commands)).toContain(`每秒 ${REPORTS_PER_SECOND} 条`);
  });
});

describe("frame vectors", () => {
  const parsed = frames.vectors
    .filter(({ opens }) => opens)
    .map(({ name, topic, frame }) => {
      const message = JSON.parse(frame.slice(frame.indexOf(".") + 1));
      const kind = topic.split("/").slice(2).join("/");
      return { name, title: kind === "dn/cmd" ? `${kind} ${message.type}` : kind, message };
    });

  it.each(messages)(
    "%s: a frame carries each field, and the document names the frames",
    (title, schema) => {
      const theirs = parsed.filter((vector) => vector.title === title);
      const carried = new Set(theirs.flatMap(({ message }) => fieldsOfMessage(message)));
      expect([...fieldsOfSchema(schema).keys()].filter((field) => !carried.has(field))).toEqual([]);
      const named = theirs.filter(({ name }) => section(title).includes(`\`${name}\``));
      expect(named.length).toBeGreaterThan(0);
    },
  );

  it("settings in frames: known to the server", () => {
    const values = parsed.flatMap(({ message }) => [message.values, message.config?.values]);
    const names = new Set(values.flatMap((each) => Object.keys(each ?? {})));
    expect([...names].filter((name) => !(name in CabinetConfig.properties))).toEqual([]);
  });

  it("frames named in the document: all exist", () => {
    const names = new Set(frames.vectors.map(({ name }) => name));
    const documented = [...text.matchAll(/（((?:`[a-z][a-z0-9 ,']+`、?)+)）/g)].flatMap(
      ([, list = ""]) => [...list.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    );
    expect(documented.length).toBeGreaterThan(15);
    expect(documented.filter((name) => !names.has(name))).toEqual([]);
  });
});
