// How a rider or a recipient reads in a list: the name, and the phone with its middle hidden.

/** `张三 138****5678` */
export function personText({ userName, phone }: { userName: string; phone: string }): string {
  return [userName, phone].filter(Boolean).join(" ");
}
