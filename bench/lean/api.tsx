// API calls of the lean page, and a hook for calls that only read.
import { useEffect, useState } from "react";

export interface SignedIn {
  token: string;
  username: string;
  tenantId: number;
}

export async function call<Data>(
  path: string,
  session?: SignedIn,
  init: RequestInit = {},
): Promise<Data> {
  const response = await fetch(`/api${path}`, {
    ...init,
    headers: {
      "auth-id": "cupboard",
      ...(session && { "auth-token": session.token, tenantId: String(session.tenantId) }),
      ...init.headers,
    },
  });
  const reply = (await response.json()) as { code: number; data: Data; errMsg: string };
  if (reply.code !== 0) throw new Error(reply.errMsg);
  return reply.data;
}

/** Undefined until the reply arrives. */
export function useCall<Data>(path: string, session: SignedIn): Data | undefined {
  const [data, setData] = useState<Data>();
  useEffect(() => {
    call<Data>(path, session).then(setData);
  }, [path, session]);
  return data;
}
