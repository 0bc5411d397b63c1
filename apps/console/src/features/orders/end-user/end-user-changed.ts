// Calls invalidated after an end user changed.

import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { tagContract } from "@cabinet/contract/orders/end-user/tag.contract.ts";

export const endUserChanged = {
  invalidates: [endUserContract.list, endUserContract.get, tagContract.list, walletContract.list],
};
