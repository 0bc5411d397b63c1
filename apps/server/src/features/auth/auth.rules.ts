// Pure rules of signing in: how long failures block, and which passwords are too weak.

export const FAILURES_BEFORE_BLOCK = 5;
const FIRST_BLOCK_SECONDS = 30;
const LONGEST_BLOCK_SECONDS = 15 * 60;

export const SESSION_SECONDS = 8 * 3600;
export const CAPTCHA_SECONDS = 120;

/** Promise A2: nothing for the first failures, then doubling up to a quarter of an hour. */
export function blockSeconds(failures: number): number {
  if (failures < FAILURES_BEFORE_BLOCK) return 0;
  const doublings = Math.min(failures - FAILURES_BEFORE_BLOCK, 20);
  return Math.min(FIRST_BLOCK_SECONDS * 2 ** doublings, LONGEST_BLOCK_SECONDS);
}

const common = [
  "password",
  "passw0rd",
  "admin",
  "123456",
  "qwerty",
  "abc123",
  "111111",
  "letmein",
  "iloveyou",
  "changeme",
];

/** Why a password is too weak, in Chinese, or null when it will do. */
export function passwordWeakness(password: string, username: string): string | null {
  if (password.length < 10) return "至少 10 个字符";
  const lower = password.toLowerCase();
  if (lower.includes(username.toLowerCase())) return "不能包含账号";
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password));
  if (kinds.length < 2) return "至少包含字母、数字、符号中的两种";
  if (new Set(lower).size < 5) return "重复字符太多";
  const known = common.find((word) => lower.includes(word));
  if (known) return `不能包含常见密码“${known}”`;
  return null;
}
