// Promise I3 on the server: stored HTML contains only the allow-list, and cleaning is idempotent.
import {
  imageAddressOf,
  imageIdsIn,
  isEmptyRichText,
  plainTextOf,
  RICH_TEXT_ATTRIBUTES,
  RICH_TEXT_TAGS,
} from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlPayloads } from "../../../../../../tests/support/html-payloads.ts";
import { cleanHtml, isTooComplex } from "./clean-html.format.ts";

const picture = imageAddressOf("0b5f0f3e-7a52-4c5e-9a41-2f6f3c7d8e90");

/** Tags outside the allow-list or with attributes outside it; found without an HTML parser. */
function strangersIn(html: string): string[] {
  return [...html.matchAll(/<[^>]*>?/g)]
    .map(([tag]) => tag)
    .filter((tag) => {
      const [, name = ""] = /^<\/?([a-z0-9]+)( [^>]*)?>$/.exec(tag) ?? [];
      if (!(RICH_TEXT_TAGS as readonly string[]).includes(name)) return true;
      const allowed: Record<string, readonly string[]> = RICH_TEXT_ATTRIBUTES;
      const names = [...tag.matchAll(/ ([^\s=/>]+)="[^"<>]*"/g)].map(([, each = ""]) => each);
      const rest = tag.replace(/ [^\s=/>]+="[^"<>]*"/g, "");
      const isWhole = new RegExp(`^</?${name}( /)?>$`).test(rest);
      return !isWhole || names.some((each) => !(allowed[name] ?? []).includes(each));
    });
}

describe("clean HTML: hostile input", () => {
  it("covers at least sixty payloads", () => {
    expect(htmlPayloads.length).toBeGreaterThanOrEqual(60);
    expect(new Set(htmlPayloads.map(([what]) => what)).size).toBe(htmlPayloads.length);
  });

  it.each(htmlPayloads)("removes %s", (_, html) => {
    const cleaned = cleanHtml(`<p>前</p>${html}<p>后</p>`);
    expect(strangersIn(cleaned)).toEqual([]);
    expect(cleaned).not.toMatch(/(?:href|src)="(?!https?:\/\/a\.cn")/i);
    expect(cleaned).toMatch(/^<p>前<\/p>/);
    expect(cleanHtml(cleaned)).toBe(cleaned);
  });
});

describe("clean HTML: ordinary input", () => {
  it.each([
    ["<p>甲<strong>乙</strong><em>丙</em><u>丁</u><s>戊</s></p>"],
    ["<h2>标题</h2><h3>小标题</h3><blockquote><p>引用</p></blockquote><hr />"],
    ["<ul><li><p>一</p><ul><li><p>二</p></li></ul></li></ul>"],
    ['<ol start="3"><li>三</li></ol>'],
    ["<pre><code>a &lt; b &amp;&amp; c</code></pre><p>一<br />二</p>"],
    ['<p><a href="https://example.cn/a?b=1&amp;c=2">链接</a></p>'],
    ['<p><a href="tel:400-800-1234">电话</a><a href="mailto:a@b.cn">邮箱</a></p>'],
    [`<p><img src="${picture}" alt="现场 &quot;一&quot;" /></p>`],
  ])("keeps %s unchanged", (html) => {
    expect(cleanHtml(html)).toBe(html);
  });

  it.each([
    ["<div>段</div>", "<p>段</p>"],
    [
      "<h1>大</h1><b>粗</b><i>斜</i><del>删</del>",
      "<h2>大</h2><strong>粗</strong><em>斜</em><s>删</s>",
    ],
    ['<p class="MsoNormal" style="color:red">字<o:p></o:p></p>', "<p>字</p>"],
    ['<span><font color="red">字</font></span>', "字"],
    ['<a href="/set/power">内部</a>', "内部"],
    ['<ol start="-1x"><li>一</li></ol>', "<ol><li>一</li></ol>"],
    ["<p>没有关", "<p>没有关</p>"],
  ])("reduces %s to the allow-list", (html, cleaned) => {
    expect(cleanHtml(html)).toBe(cleaned);
  });

  it("distinguishes text and pictures from empty HTML", () => {
    expect(isEmptyRichText(cleanHtml("<p> &nbsp;<br></p><script>1</script>"))).toBe(true);
    expect(isEmptyRichText(cleanHtml(`<p><img src="${picture}"></p>`))).toBe(false);
    expect(plainTextOf(cleanHtml("<p>1 &lt; 2 &amp;amp; 3</p>"))).toBe("1 < 2 &amp; 3");
    expect(imageIdsIn(cleanHtml(`<img src="${picture}"><img src="${picture}">`))).toHaveLength(1);
  });
});

describe("clean HTML: arbitrary input", () => {
  const bits = fc.constantFrom(
    ...htmlPayloads.map(([, html]) => html).filter((html) => html.length < 300),
    ...RICH_TEXT_TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag} x='">`]),
    ...["<", ">", '"', "'", "&", "&lt;", "&#60;", "<!--", "-->", "</", "/>", "=", " ", "\0", "字"],
    `<img src="${picture}">`,
    '<a href="https://a.cn">',
  );
  const soup = fc.array(fc.oneof(bits, fc.string({ maxLength: 6 })), { maxLength: 14 });

  it("yields only the allow-list and is idempotent", () => {
    fc.assert(
      fc.property(soup, (parts) => {
        const cleaned = cleanHtml(parts.join(""));
        expect(strangersIn(cleaned)).toEqual([]);
        expect(cleanHtml(cleaned)).toBe(cleaned);
      }),
      { numRuns: Number(process.env.TORTURE_RUNS ?? 400) },
    );
  });
});

describe("HTML that would take long", () => {
  it.each([
    ["nested", "<b>".repeat(20_000)],
    ["nested lists", "<ol>".repeat(15_000)],
    ["never closed", "<p>x".repeat(15_000)],
    ["in many pieces", "<b>x</b>".repeat(7_500)],
  ])("%s: refused before it is cleaned", (_, html) => {
    expect(isTooComplex(html)).toBe(true);
  });

  it("a long text of people: accepted", () => {
    const html = `<p>请<strong>关好</strong>箱门。<br>谢谢</p>`.repeat(550) + "字".repeat(30_000);
    expect(isTooComplex(html)).toBe(false);
  });
});
