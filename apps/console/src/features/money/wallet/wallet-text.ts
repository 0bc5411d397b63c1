// Spendable amount of a wallet.
import type { Wallet } from "@cabinet/contract/money/wallet/wallet.contract.ts";

type Balance = Pick<Wallet, "principalFen" | "bonusFen" | "heldFen">;

export function spendableFen({ principalFen, bonusFen, heldFen }: Balance): number {
  return principalFen + bonusFen - heldFen;
}
