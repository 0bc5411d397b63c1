// Tests that recorded bodies contain no phone, code or secret, even if cut off.
import { expect, it } from "vitest";
import { maskedBody, maskedText } from "./masked-body.ts";

it.each([
  [{ phone: 13812345678, id: 383217384136704 }, '{"phone":"138****5678","id":383217384136704}'],
  [{ phone: 1381234567, at: 1795305600 }, '{"phone":"138****","at":1795305600}'],
  [
    { note: "打 0086 138-1234-5678 或 13900001234" },
    '{"note":"打 0086138****5678 或 139****1234"}',
  ],
  [
    { recipientPhone: "(+86)138–1234–5678", phone: "１３８１２３４５６７８" },
    '{"recipientPhone":"138****5678","phone":"138****5678"}',
  ],
  [
    { phone: "1 38.123.45678", tel: "138\u200b1234·5678" },
    '{"phone":"138****5678","tel":"138****5678"}',
  ],
  [
    { note: "打138.1234.5678，或１３８　１２３４　５６７８" },
    '{"note":"打138****5678，或138****5678"}',
  ],
  [{ code: "123456", a: [{ apiToken: ["x"] }] }, '{"code":"******","a":[{"apiToken":["******"]}]}'],
  [{ code: 0, at: "2026-11-22T00:00:00.000Z" }, '{"code":0,"at":"2026-11-22T00:00:00.000Z"}'],
])("%j", (body, shown) => {
  expect(maskedBody(JSON.stringify(body))).toBe(shown);
});

it.each([
  [
    '{"access_token":"abc.def","phone":"13812345678","x":"',
    '{"access_token":"******","phone":"138****5678","x":"',
  ],
  ["Authorization: Bearer abc.def", "Authorization: Bearer ******"],
  ["/open/v1/order?token=abc&x=1", "/open/v1/order?token=******&x=1"],
  ["502 Bad Gateway", "502 Bad Gateway"],
])("%s", (text, shown) => {
  expect(maskedText(text)).toBe(shown);
});
