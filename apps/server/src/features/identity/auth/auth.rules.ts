// Lifetimes of sessions and captchas.

export const SESSION_SECONDS = 8 * 3600;
export const CAPTCHA_SECONDS = 120;
