// Calls invalidated after an end user changed.
import { endUserContract } from "@cabinet/contract/end-user/end-user.contract.ts";
import { tagContract } from "@cabinet/contract/end-user/tag.contract.ts";
import { walletContract } from "@cabinet/contract/wallet/wallet.contract.ts";

export const endUserChanged = {
  invalidates: [endUserContract.list, endUserContract.get, tagContract.list, walletContract.list],
  isQuiet: true,
};
