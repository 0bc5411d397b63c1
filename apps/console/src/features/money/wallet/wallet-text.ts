// Spendable amount of a wallet.
import type { Wallet } from "@cabinet/contract/money/wallet/wallet.contract.ts";

export function spendableFen({ principalFen, bonusFen, heldFen }: Wallet): number {
  return principalFen + bonusFen - heldFen;
}
