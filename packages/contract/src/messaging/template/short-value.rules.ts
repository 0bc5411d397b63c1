// Values of messages in the room that carriers give them: a shorter form, never half a word or half a character.
import type { VariableKey } from "./template.rules.ts";

const words = new Intl.Segmenter("zh", { granularity: "word" });
const letters = new Intl.Segmenter("zh", { granularity: "grapheme" });

/** Leading segments that fit into `most` UTF-16 units, which carriers count. */
function startOf(segmenter: Intl.Segmenter, text: string, most: number): string {
  let start = "";
  for (const { segment } of segmenter.segment(text)) {
    if (start.length + segment.length > most) break;
    start += segment;
  }
  return start.trimEnd();
}

/** Cut behind a word, with `…`; within a word that has no room, behind a letter. */
function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${startOf(words, text, most - 1) || startOf(letters, text, most - 1)}…`;
}

/**
 * `仓前街道文一西路小镇东门店… 4 号柜`: the cabinet, by which people find it, stays whole. A store's name may have blanks too: the
 * longest end that leaves room for a whole word of its beginning.
 */
function shortPlace(place: string, most: number): string {
  const ends = [...place.matchAll(/ /g)].map(({ index }) => index);
  for (const segmenter of [words, letters]) {
    for (const at of ends) {
      const room = most - (place.length - at) - 1;
      const start = room >= 3 && startOf(segmenter, place.slice(0, at), room);
      if (start) return `${start}…${place.slice(at)}`;
    }
  }
  return cutText(place, most);
}

/**
 * `前15分钟免费，起步1元，每1小时1.50元，最高20元`; as many whole parts as fit, the highest price first of all. Without
 * one no price may be missing: the free time goes first.
 */
function shortPrice(price: string, most: number): string {
  const parts = price
    .replace(/\s+/g, "")
    .replace("，之后", "，")
    .replace("单次最高", "最高")
    .split("，");
  if (parts.join("，").length <= most) return parts.join("，");
  const cap = parts.find((part) => part.startsWith("最高"));
  const rest = parts.filter((part) => part !== cap);
  while (rest.length > 0) {
    const short = [...rest, ...(cap ? [cap] : [])].join("，");
    if (short.length <= most) return short;
    if (cap) rest.pop();
    else if (rest.shift()?.endsWith("免费") !== true) return "";
  }
  return cap && cap.length <= most ? cap : "";
}

/** A path is never cut: a shorter one leads to the cabinet, the shortest to the page that asks for it. */
const shortPath = (path: string, most: number): string =>
  [path.replace(/\/pickup$/, ""), "m"].find(({ length }) => length <= most) ?? "";

/** The value in at most `most` UTF-16 units. */
export function shortValue(key: VariableKey, value: string, most: number): string {
  if (value.length <= most) return value;
  if (key === "path") return shortPath(value, most);
  if (key === "place") return shortPlace(value, most);
  return (key === "price" && shortPrice(value, most)) || cutText(value, most);
}
