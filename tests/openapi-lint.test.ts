// Linters of others take the published documents, in Chinese and English, without a complaint: Redocly and Spectral.
import { CALLERS } from "@cabinet/contract/kit/endpoint.ts";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { beforeAll, expect, it } from "vitest";
import { deepIt } from "./support/deep.ts";
import { useTestServer } from "./support/test-server.ts";

const testServer = useTestServer();
const callers = CALLERS.filter((caller) => caller !== "console");
const outsiders = callers.flatMap((caller) =>
  ["", "?lang=en"].map((language) => `/api/openapi/${caller}.json${language}`),
);
const WHOLE = "/api/openapi.json";
/** The console's paths are the specification's: `/order/{id}/timeline` beside `/order/mark/{id}`. The router prefers fixed parts. */
const ofSpecification = { "no-ambiguous-paths": "off" } as const;

const read = async (url: string) => (await testServer.app.inject({ url })).payload;

async function redoclyProblems(url: string, rules: Record<string, "off"> = {}) {
  const config = await createConfig({ extends: ["recommended-strict"], rules });
  const problems = await lintFromString({ source: await read(url), absoluteRef: url, config });
  return problems.map(({ ruleId, message, location: [at] }) => [ruleId, message, at?.pointer]);
}

const spectral = new spectralCore.Spectral();
// The packages disagree on the type of a ruleset.
beforeAll(() => spectral.setRuleset({ extends: [[oas as never, "recommended"]] }));

async function spectralProblems(url: string) {
  const problems = await spectral.run(JSON.parse(await read(url)));
  return problems.map(({ code, message, path }) => [code, message, path.join("/")]);
}

it.each(outsiders)(
  "%s: no complaint of Redocly (recommended-strict) and Spectral (spectral:oas)",
  async (url) => {
    expect(await redoclyProblems(url)).toEqual([]);
    expect(await spectralProblems(url)).toEqual([]);
  },
);

// A minute for the console's calls, which the same functions describe: the documents above are their sample.
deepIt(`${WHOLE}: no complaint of Redocly and Spectral`, { timeout: 240_000 }, async () => {
  expect(await redoclyProblems(WHOLE, ofSpecification)).toEqual([]);
  expect(await spectralProblems(WHOLE)).toEqual([]);
});
