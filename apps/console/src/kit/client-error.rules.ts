// Text of an error for the server: bounded, without what could be a phone, a code or a query.

const MESSAGE = 300;
const STACK = 4_000;

const masked = (text: string, digits: RegExp, most: number) =>
  [...text.replace(/\?[^\s):]*/g, "").replace(digits, "#")].slice(0, most).join("");

/** Columns of minified files have up to six digits. */
export function clientErrorOf({ name, message, stack = "" }: Error) {
  const frames = stack.split("\n").filter((line) => /^\s*at |@/.test(line));
  return {
    message: masked(`${name}: ${message}`, /\d{4,}/g, MESSAGE),
    stack: masked(frames.join("\n"), /\d{7,}/g, STACK),
  };
}
