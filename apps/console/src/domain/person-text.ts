// Display text of a rider or recipient: name and masked phone number.

/** Formats as `张三 138****5678`. */
export function personText({ userName, phone }: { userName: string; phone: string }): string {
  return [userName, phone].filter(Boolean).join(" ");
}
