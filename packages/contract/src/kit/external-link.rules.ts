// Recognises links that leave the console (specification §5).

/** True for links that start with http(s):, mailto: or tel:, in either case. */
export function isExternalLink(link: string): boolean {
  return /^(?:https?:|mailto:|tel:)/i.test(link);
}
