// Cryptographically random text from a given alphabet, generated in the browser.

export function randomText(letters: string, length: number): string {
  return Array.from({ length }, () => randomLetter(letters)).join("");
}

function randomLetter(letters: string): string {
  // Rejection sampling: bytes above the last whole multiple would bias the distribution.
  const limit = 256 - (256 % letters.length);
  for (;;) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < limit) return letters[byte % letters.length] ?? "";
  }
}
