// Estimates a password by the parts that a guessing program puts together: words, pinyin, names, dates, walks on the keys.

/** Kind of a part, in the words of the refusal; null for characters that nothing explains. */
type Kind =
  | "常见密码或词语"
  | "常见数字"
  | "拼音或人名"
  | "键盘顺序"
  | "日期"
  | "重复的字符"
  | "账号、姓名、租户或产品的名称";

export interface PartWords {
  /** Ranks of words in dictionaries, 1 for the most frequent. */
  ranks: ReadonlyMap<string, number>;
  /** Names that a stranger would try first: the account, its person, its tenant, the product. */
  own: readonly string[];
}

export interface PartsEstimate {
  /** Decimal logarithm of the guesses. */
  digits: number;
  kinds: readonly Kind[];
}

interface Part {
  length: number;
  digits: number;
  kind: Kind | null;
}

/** Each further part: which one, and in which order. */
const JOINT = 0.3;
const LONGEST_WORD = 24;

const surnames = new Set(
  `wang li zhang liu chen yang zhao huang zhou wu xu sun hu zhu gao lin he guo ma luo liang song zheng xie han tang feng yu
  dong xiao cheng cao yuan deng fu shen zeng peng lv lu su jiang cai jia ding wei xue ye yan pan du dai xia zhong tian ren
  fan fang shi yao tan liao zou xiong jin hao kong bai cui kang mao qiu qin gu hou shao meng long wan duan qian yin chang
  qiao lai gong wen ouyang sima shangguan zhuge`.split(/\s+/),
);
const given = new Set(
  `wei fang min jing li qiang lei jun yang yong yan jie juan tao ming chao xiu xia ping gang gui hua ying yu ting hui jian
  na hong bo bin feng peng fei long xin hao yi xuan zi han chen mei lan guo zhi wen xiang dong liang lin kai rui jia qi
  shan hai ning yue xue bing cheng dan di jin kun lu meng qin rong sheng song tian xiao yuan yun zhen zhong zhu an hai`.split(
    /\s+/,
  ),
);
const INITIALS = "b p m f d t n l g k h j q x zh ch sh r z c s y w".split(" ");
const FINALS =
  `a o e i u v ai ei ui ao ou iu ie ue ve er an en in un vn ang eng ing ong ia iao ian iang iong ua uo uai uan
  uang`.split(/\s+/);
/** Syllables as people type them; some of them do not exist, which does no harm. */
const syllables = new Set([
  ...["a", "o", "e", "ai", "ei", "ao", "ou", "er", "an", "en", "ang"],
  ...INITIALS.flatMap((initial) => FINALS.map((final) => initial + final)),
]);

const rows = [
  "1234567890",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "abcdefghijklmnopqrstuvwxyz",
  "0123456789",
];
const columns = [
  "1qaz",
  "2wsx",
  "3edc",
  "4rfv",
  "5tgb",
  "6yhn",
  "7ujm",
  "147",
  "258",
  "369",
  "159",
  "357",
];
const walks = [...rows, ...columns].flatMap((row) => [row, [...row].reverse().join("")]);
/** The keys of signs, so that `!@#` is the walk `123`. */
const KEYS: Record<string, string> = {
  ...{
    "!": "1",
    "@": "2",
    "#": "3",
    $: "4",
    "%": "5",
    "^": "6",
    "&": "7",
    "*": "8",
    "(": "9",
    ")": "0",
  },
};
const LEET: Record<string, string> = {
  ...{
    "@": "a",
    "4": "a",
    "0": "o",
    "1": "i",
    "!": "i",
    "3": "e",
    $: "s",
    "5": "s",
    "7": "t",
    "8": "b",
  },
};

const mapped = (text: string, by: Record<string, string>) =>
  [...text].map((char) => by[char] ?? char).join("");
const isLetter = (char: string) => char >= "a" && char <= "z";
const isDigit = (char: string) => char >= "0" && char <= "9";

function charDigits(char: string): number {
  if (isDigit(char)) return 1;
  if (isLetter(char)) return Math.log10(26);
  return char.charCodeAt(0) < 0x80 ? 1.2 : 3;
}

/** The best explanation of the text that begins at `at`: each part that may stand there. */
function* partsAt(text: string, at: number, words: PartWords): Generator<Part> {
  const first = text[at] as string;
  yield { length: 1, digits: charDigits(first), kind: null };
  let run = 1;
  while (text[at + run] === first) run += 1;
  if (run > 1) yield { length: run, digits: charDigits(first) + 0.5, kind: "重复的字符" };
  const keys = mapped(text.slice(at, at + 26), KEYS);
  for (const walk of walks) {
    const from = walk.indexOf(keys[0] as string);
    let length = 0;
    while (from >= 0 && length < keys.length && keys[length] === walk[from + length]) length += 1;
    if (length >= 3) yield { length, digits: 1.8, kind: "键盘顺序" };
  }
  const date =
    /^(?:(?:19[4-9]|20[0-4])\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))/.exec(
      text.slice(at, at + 8),
    );
  if (date) yield { length: date[0].length, digits: 4.3, kind: "日期" };
  if (/^(19[4-9]|20[0-4])\d/.test(text.slice(at, at + 4)))
    yield { length: 4, digits: 2, kind: "日期" };
  for (let length = 2; length <= LONGEST_WORD && at + length <= text.length; length++) {
    const plain = text.slice(at, at + length);
    const part = wordPart(plain, words);
    if (part) yield part;
    const spelled = mapped(plain, LEET);
    const spelledPart = spelled === plain || length < 4 ? null : wordPart(spelled, words);
    if (spelledPart) yield { ...spelledPart, digits: spelledPart.digits + 0.7 };
  }
}

function wordPart(word: string, { ranks, own }: PartWords): Part | null {
  const { length } = word;
  if (own.includes(word)) return { length, digits: 0.5, kind: "账号、姓名、租户或产品的名称" };
  const rank = length > 2 ? ranks.get(word) : undefined;
  const found: Part[] = [];
  if (rank)
    found.push({
      length,
      digits: Math.max(1, Math.log10(rank) + 0.3),
      kind: /^\d+$/.test(word) ? "常见数字" : "常见密码或词语",
    });
  const pinyin = surnames.has(word)
    ? 1.3
    : given.has(word)
      ? 1.6
      : syllables.has(word)
        ? 2.2
        : null;
  if (pinyin !== null) found.push({ length, digits: pinyin, kind: "拼音或人名" });
  return found.sort((a, b) => a.digits - b.digits)[0] ?? null;
}

/** The cheapest way to put the text together. */
function cheapest(text: string, words: PartWords): PartsEstimate {
  const best: { digits: number; kinds: readonly Kind[] }[] = [{ digits: -JOINT, kinds: [] }];
  for (let at = 0; at < text.length; at++) {
    const sofar = best[at] as PartsEstimate;
    for (const { length, digits, kind } of partsAt(text, at, words)) {
      // Characters that nothing explains are one part, however many.
      const isLoose = kind === null && at > 0;
      const total = sofar.digits + digits + (isLoose ? 0 : JOINT);
      const known = best[at + length];
      if (known && known.digits <= total) continue;
      best[at + length] = { digits: total, kinds: kind ? [...sofar.kinds, kind] : sofar.kinds };
    }
  }
  const { digits, kinds } = best[text.length] as PartsEstimate;
  return { digits, kinds: [...new Set(kinds)] };
}

function caseDigits(text: string): number {
  const letters = [...text].filter((char) => /[a-z]/i.test(char));
  const upper = letters.filter((char) => char !== char.toLowerCase()).length;
  if (upper === 0) return 0;
  const isUsual = upper === letters.length || !/[a-z][A-Z]|[A-Z]{2}/.test(text);
  if (isUsual) return 0.5;
  let ways = 0;
  for (let at = 1; at <= upper; at++) ways += Math.log10((letters.length - upper + at) / at);
  return Math.max(0.5, ways);
}

/**
 * The smaller of two estimates: of the password as it stands, and of its letters and the rest apart, because signs and
 * digits within a word (`Pass@word`) do not hide it.
 */
export function estimateParts(password: string, words: PartWords): PartsEstimate {
  const text = password.normalize("NFKC").toLowerCase();
  const letters = [...text].filter(isLetter).join("");
  const rest = [...text].filter((char) => !isLetter(char)).join("");
  const whole = cheapest(text, words);
  const word = cheapest(letters, words);
  const signs = rest === "" ? { digits: 0, kinds: [] } : cheapest(rest, words);
  const apart = {
    digits: Math.max(0, word.digits) + signs.digits + 2 * JOINT,
    kinds: [...new Set([...word.kinds, ...signs.kinds])],
  };
  const { digits, kinds } = whole.digits <= apart.digits ? whole : apart;
  return { digits: digits + caseDigits(password.normalize("NFKC")), kinds };
}
