// Platform certificates of a merchant: fetched at most once a minute, used until they expire.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeIdentity } from "../../../../../../tests/support/certificate.ts";
import {
  isValid,
  MerchantCertificates,
  readPlatformCertificate,
} from "./platform-certificates.cache.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const [old, next] = [makeIdentity(0x71, 5), makeIdentity(0x72, 900)];
let served = [old];
let asked = 0;

const ask = async () => {
  asked += 1;
  return served.map(({ certificate }) => readPlatformCertificate(certificate));
};
const same = (key: unknown, { publicKey }: typeof old) => publicKey.equals(key as typeof publicKey);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  [served, asked] = [[old], 0];
});
afterEach(() => {
  vi.useRealTimers();
});

it("a rotated certificate is found a minute later, and the old one as long as WeChat lists it", async () => {
  const merchant = new MerchantCertificates();
  expect(same(await merchant.find(old.serial.toLowerCase(), ask), old)).toBe(true);
  served = [old, next];
  expect(await merchant.find(next.serial, ask)).toBeNull();
  vi.advanceTimersByTime(MINUTE);
  expect(same(await merchant.find(next.serial, ask), next)).toBe(true);
  expect(same(await merchant.find(old.serial, ask), old)).toBe(true);
  expect(asked).toBe(2);
});

it("a known certificate ends with its validity, and costs one request a minute from then on", async () => {
  const merchant = new MerchantCertificates();
  await merchant.find(old.serial, ask);
  vi.advanceTimersByTime(4 * DAY);
  expect(same(await merchant.find(old.serial, ask), old)).toBe(true);
  expect(asked).toBe(1);
  vi.advanceTimersByTime(2 * DAY);
  expect(served.map(({ certificate }) => isValid(readPlatformCertificate(certificate)))).toEqual([
    false,
  ]);
  for (let nth = 0; nth < 5; nth += 1) expect(await merchant.find(old.serial, ask)).toBeNull();
  expect(asked).toBe(2);
});

it("a failed request is repeated after a minute, and keeps what is known", async () => {
  const merchant = new MerchantCertificates();
  await merchant.find(old.serial, ask);
  vi.advanceTimersByTime(MINUTE);
  const fail = () => Promise.reject(new Error("no answer"));
  await expect(merchant.find(next.serial, fail)).rejects.toThrow("no answer");
  await expect(merchant.find(next.serial, ask)).rejects.toThrow("no answer");
  expect(same(await merchant.find(old.serial, ask), old)).toBe(true);
  served = [old, next];
  vi.advanceTimersByTime(MINUTE);
  expect(same(await merchant.find(next.serial, ask), next)).toBe(true);
});
