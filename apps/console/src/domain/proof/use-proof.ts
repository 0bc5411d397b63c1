// Proves who is in front of the console: by code, recovery code, passkey or password.
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import { useEffect, useState } from "react";
import { call } from "../../kit/api.ts";
import { messageOf } from "../../kit/feedback.ts";
import { pressNow } from "../../kit/network.ts";
import { canUsePasskeys, HOST, type Proven, proveWithPasskey } from "./passkey.ts";

type Ways = Reply<(typeof secondFactorContract)["ways"]>;

/** Ways of this account, on this host. */
export function useProof(onProven: (token: string | null, provenAt: number) => void) {
  const [ways, setWays] = useState<Ways | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  useEffect(() => {
    call(secondFactorContract.ways, { query: { host: HOST } }).then(setWays, (failure) =>
      setError(messageOf(failure)),
    );
  }, []);

  const attempt = async (prove: () => Promise<Proven>) => {
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      const { token, provenAt } = await prove();
      onProven(token, provenAt);
    } catch (failure) {
      setError(messageOf(failure));
    }
    setIsBusy(false);
  };
  const { hasTotp = false, hasPasskey = false, recoveryCodes = 0 } = ways ?? {};
  return {
    /** Nothing is set up: the password proves. */
    isByPassword: ways !== null && !hasTotp && !hasPasskey && recoveryCodes === 0,
    hasPasskey: hasPasskey && canUsePasskeys,
    ...{ error, isBusy, setError },
    prove: (given: { code: string } | { password: string }) =>
      attempt(async () => {
        const provenAt = pressNow();
        return { provenAt, ...(await call(secondFactorContract.prove, { body: given })) };
      }),
    proveByPasskey: () => attempt(proveWithPasskey),
  };
}
