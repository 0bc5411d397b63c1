// Names browser and system of a User-Agent header.

/** The first match wins: browsers also name the ones they derive from. */
const browsers: [pattern: RegExp, name: string][] = [
  [/MicroMessenger\/(\d+)/, "微信"],
  [/(?:Edg|EdgA|EdgiOS)\/(\d+)/, "Edge"],
  [/(?:OPR|Opera)\/(\d+)/, "Opera"],
  [/QQBrowser\/(\d+)/, "QQ 浏览器"],
  [/(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/, "Chrome"],
  [/Version\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, "Safari"],
  [/curl\/(\d+)/, "curl"],
];

const systems: [pattern: RegExp, name: string][] = [
  [/HarmonyOS|OpenHarmony/, "鸿蒙"],
  [/Windows NT/, "Windows"],
  [/iPad/, "iPad"],
  [/iPhone/, "iPhone"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** `Chrome 141 · Windows`; 未知设备 where the header is missing or unknown. */
export function deviceOf(userAgent: string | null): string {
  const text = userAgent ?? "";
  const browser = browsers
    .map(([pattern, name]) => ({ found: pattern.exec(text), name }))
    .find(({ found }) => found);
  const system = systems.find(([pattern]) => pattern.test(text));
  const words = [browser && `${browser.name} ${browser.found?.[1]}`, system?.[1]];
  return words.filter(Boolean).join(" · ") || "未知设备";
}
