// Password rules: enforced by the server, shown by the form while typing.

const PASSWORD_MIN_LENGTH = 10;

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

export interface PasswordCheck {
  /** Requirement, in Chinese. */
  rule: string;
  isMet: boolean;
}

/** Checks the password against every rule. */
export function passwordChecks(password: string, username: string): PasswordCheck[] {
  const lower = password.toLowerCase();
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password));
  return [
    { rule: `至少 ${PASSWORD_MIN_LENGTH} 个字符`, isMet: password.length >= PASSWORD_MIN_LENGTH },
    { rule: "大写、小写、数字、符号至少两种", isMet: kinds.length >= 2 },
    { rule: "至少 5 个不同的字符", isMet: new Set(lower).size >= 5 },
    {
      rule: "不含账号和常见密码",
      isMet:
        password !== "" &&
        !lower.includes(username.toLowerCase()) &&
        !common.some((word) => lower.includes(word)),
    },
  ];
}

/** First rule that the password does not meet; null when it meets all. */
export function passwordWeakness(password: string, username: string): string | null {
  return passwordChecks(password, username).find((check) => !check.isMet)?.rule ?? null;
}
