// XML subset of WeChat's pushes: parses what belongs to it and rejects everything else.
import fc from "fast-check";
import { expect, it } from "vitest";
import { readXml } from "./push-xml.rules.ts";

it("push XML: reads text, CDATA, entities, nested fields, and repeated fields", () => {
  const text = `<xml>
    <Event><![CDATA[subscribe_msg_popup_event]]></Event><CreateTime>1610969440</CreateTime>
    <Note>a &lt;b&gt; &amp; c</Note><None/><Raw><![CDATA[<script>]]></Raw>
    <SubscribeMsgPopupEvent><List><TemplateId>1</TemplateId></List><List><TemplateId>2</TemplateId></List></SubscribeMsgPopupEvent>
  </xml>`;
  expect(readXml(text)).toEqual({
    Event: "subscribe_msg_popup_event",
    CreateTime: "1610969440",
    Note: "a <b> & c",
    None: "",
    Raw: "<script>",
    SubscribeMsgPopupEvent: { List: [{ TemplateId: "1" }, { TemplateId: "2" }] },
  });
});

it.each([
  "",
  "text",
  "<xml>",
  "<xml></b>",
  "<xml></xml></xml>",
  "<a><b></a></b>",
  "<xml>text</xml>",
  '<xml a="1"><b>2</b></xml>',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><xml><b>&e;</b></xml>',
  `${"<a>".repeat(20)}x${"</a>".repeat(20)}`,
])("push XML: rejects %s", (text) => {
  expect(() => readXml(text)).toThrow();
});

it("push XML: round-trips any text", () => {
  const value = fc.string().filter((text) => !text.includes("]]>") && text.trim() === text);
  const fields = fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,10}$/), value, {
    minKeys: 1,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(fields, (given) => {
      const inner = Object.entries(given).map(
        ([name, text]) => `<${name}><![CDATA[${text}]]></${name}>`,
      );
      expect(readXml(`<xml>${inner.join("")}</xml>`)).toEqual(given);
    }),
  );
});

it("push XML: never sets the prototype by a field name", () => {
  const read = readXml("<xml><__proto__><isAdmin>1</isAdmin></__proto__><b>2</b></xml>");
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(({} as { isAdmin?: string }).isAdmin).toBeUndefined();
});
