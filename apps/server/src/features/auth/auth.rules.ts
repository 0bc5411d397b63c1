// Pure rules of signing in: how long sessions and captchas live.

export const SESSION_SECONDS = 8 * 3600;
export const CAPTCHA_SECONDS = 120;
