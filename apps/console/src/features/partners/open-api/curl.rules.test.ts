// Requests of pasted cURL commands.
import { expect, it } from "vitest";
import { requestOfCurl } from "./curl.rules.ts";

it("cURL: options with and without a space, quotes and line ends give the request as sent", () => {
  const text = `curl -sS -XPOST 'https://cabinet.example.cn/open/v1/order?a=1%2f' \\
    -H "Authorization: CAB1-HMAC-SHA256 app=a,kid=k,ts=1,nonce=n,sig=s" \\
    --header 'content-type:application/json' -H 'Idempotency-Key: x:1' \\
    --data-raw '{"name":"it'"'"'s","n": 1}' --max-time 5 --compressed`;
  expect(requestOfCurl(text)).toEqual({
    method: "POST",
    host: "cabinet.example.cn",
    target: "/open/v1/order?a=1%2f",
    authorization: "CAB1-HMAC-SHA256 app=a,kid=k,ts=1,nonce=n,sig=s",
    contentType: "application/json",
    idempotencyKey: "x:1",
    body: '{"name":"it\'s","n": 1}',
  });
});

it("cURL: without a method a body means POST with curl's own content type", () => {
  expect(requestOfCurl("curl cabinet.example.cn -d a=1 -d 'b=2'")).toMatchObject({
    method: "POST",
    target: "/",
    contentType: "application/x-www-form-urlencoded",
    body: "a=1&b=2",
  });
  expect(requestOfCurl("curl --url=http://h:8080/p#x -H 'Host: other'")).toMatchObject({
    method: "GET",
    host: "other",
    target: "/p",
    contentType: "",
  });
});

it("cURL: $'…' reads escapes, double quotes keep an unknown one", () => {
  expect(requestOfCurl(String.raw`curl h -d $'a\n\'b'`)?.body).toBe("a\n'b");
  expect(requestOfCurl(String.raw`curl h -d "{\"a\":\d}"`)?.body).toBe(String.raw`{"a":\d}`);
});

it("cURL: other text and a command without an address are none", () => {
  for (const text of ["", "GET /open/v1/app", "curl -X POST", "curl 'http://h", "wget http://h"]) {
    expect(requestOfCurl(text), text).toBeNull();
  }
});
