// How a wallet's person reads, and what of their money may be spent.
import type { Wallet } from "@cabinet/contract/wallet/wallet.contract.ts";

/** `张三 138****5678` */
export function personText({ userName, phone }: Pick<Wallet, "userName" | "phone">): string {
  return [userName, phone].filter(Boolean).join(" ");
}

export function spendableFen({ principalFen, bonusFen, heldFen }: Wallet): number {
  return principalFen + bonusFen - heldFen;
}
