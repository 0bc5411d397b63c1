// Password rules that forms show while typing; the server checks them and how soon the password would be guessed.

const PASSWORD_MIN_LENGTH = 10;

/** A password that another account has set is refused after so many days. */
export const FIRST_PASSWORD_DAYS = 7;

/** Rule that the server alone checks: its dictionaries are too large for a browser. */
export const GUESSABLE_RULE = "不是常见的密码、词语、日期或键盘顺序";

/** The same with its reason: of what the password is made, and what to choose instead. */
export function guessableText(kinds: readonly string[]): string {
  const why = kinds.length > 0 ? `（这个密码由${kinds.join("、")}组成，很快会被猜到）` : "";
  return `${GUESSABLE_RULE}${why}；请用四个不相干的词，或用密码管理器随机生成`;
}

export interface PasswordCheck {
  /** Requirement, in Chinese. */
  rule: string;
  isMet: boolean;
}

/** Checks the password against the rules that a form can check while it is typed. */
export function passwordChecks(password: string, username: string): PasswordCheck[] {
  const isOwn = password.toLowerCase().includes(username.toLowerCase());
  return [
    { rule: `至少 ${PASSWORD_MIN_LENGTH} 个字符`, isMet: password.length >= PASSWORD_MIN_LENGTH },
    { rule: "不含账号", isMet: password !== "" && !isOwn },
  ];
}

/** First rule that the password does not meet; null when it meets all. */
export function passwordWeakness(password: string, username: string): string | null {
  return passwordChecks(password, username).find((check) => !check.isMet)?.rule ?? null;
}
