// `?new=1` of a list page, by which the search box opens its form for a new record.
import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";

/** Calls `open` once, and takes the parameter out of the address. */
export function useAskedNew(open: () => void): void {
  const [params, setParams] = useSearchParams();
  const isAsked = params.has("new");
  const answer = useEffectEvent(() => {
    setParams(
      (current) => {
        current.delete("new");
        return current;
      },
      { replace: true },
    );
    open();
  });
  useEffect(() => {
    if (isAsked) answer();
  }, [isAsked]);
}
