// Random text of given letters, made by the browser and told to nobody.

export function randomText(letters: string, length: number): string {
  return Array.from({ length }, () => randomLetter(letters)).join("");
}

function randomLetter(letters: string): string {
  // What is above the last whole multiple would make some letters likelier.
  const limit = 256 - (256 % letters.length);
  for (;;) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < limit) return letters[byte % letters.length] ?? "";
  }
}
