// Errors that prove a request was never sent: only then may a message be given to a carrier again.
import { expect, it } from "vitest";
import { isNeverSent } from "./carrier.port.ts";

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code });

it.each([
  failure("connect ECONNREFUSED 203.0.113.1:443", "ECONNREFUSED"),
  failure("request to https://sms.example/ failed, reason: connect EHOSTUNREACH 203.0.113.1:443"),
  failure("getaddrinfo EAI_AGAIN sms.example", "EAI_AGAIN"),
  // None of several addresses was reached.
  failure("", "ENETUNREACH"),
  failure("certificate has expired", "CERT_HAS_EXPIRED"),
])("never sent, connection not established: %s", (error) => {
  expect(isNeverSent(error)).toBe(true);
});

it.each([
  failure("read ECONNRESET", "ECONNRESET"),
  failure("read EHOSTUNREACH", "EHOSTUNREACH"),
  failure("request to https://sms.example/ failed, reason: write ENETUNREACH"),
  failure("read ETIMEDOUT", "ETIMEDOUT"),
  failure("socket hang up", "ECONNRESET"),
  failure("network timeout at: https://sms.example/"),
])("possibly sent, established connection broke: %s", (error) => {
  expect(isNeverSent(error)).toBe(false);
});
