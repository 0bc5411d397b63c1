// The tenant and the cabinet that the page was entered by, from its address or from last time.
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { useRoute } from "wouter";
import type { ReplyOf } from "./calls.ts";
import { enterTenant, lastTenant, useTenant } from "./session.ts";
import { kept } from "./storage.ts";
import { type Loaded, useCall } from "./use-call.ts";

/** The cabinet last stood at, in this tab: a person who comes back tomorrow may stand at another. */
const lastCabinet = kept<string | null>("session", "cabinet", null);

type Place = Loaded<ReplyOf<"page">> & {
  /** Nothing is known: the person types the cabinet's number. */
  isUnknown: boolean;
  /** The session of this tenant is the current one. */
  isEntered: boolean;
};

const PlaceContext = createContext<Place | null>(null);

export function PlaceProvider({ children }: { children: ReactNode }) {
  const [, cabinet] = useRoute("/c/:sn/*?");
  const [, tenant] = useRoute("/t/:code");
  const remembered = lastCabinet.use();
  const asked = tenant ? null : (cabinet?.sn?.toUpperCase() ?? remembered);
  const code = tenant ? tenant.code : lastTenant();
  const query = asked !== null ? { sn: asked } : code !== null ? queryOf(code) : null;
  const loaded = useCall("page", query && { query });
  const { data } = loaded;
  const entered = useTenant();
  useEffect(() => {
    if (!data) return;
    enterTenant(data);
    lastCabinet.set(data.cabinet?.sn ?? null);
  }, [data]);
  return (
    <PlaceContext.Provider
      value={{
        ...loaded,
        isUnknown: query === null,
        isEntered: data !== null && data.tenantId === entered,
      }}
    >
      {children}
    </PlaceContext.Provider>
  );
}

/** Links of before carry the bare number of the tenant. */
const queryOf = (code: string) =>
  code.includes("-") ? { tenantCode: code } : { tenantId: Number(code) };

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (!place) throw new Error("usePlace outside of PlaceProvider");
  return place;
}
