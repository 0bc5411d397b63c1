// Hits for the text of the search box, asked for when typing pauses.
import { searchContract } from "@cabinet/contract/orders/search/search.contract.ts";
import { SEARCH_MAX, SEARCH_MIN } from "@cabinet/contract/orders/search/search.rules.ts";
import { useEffect, useState } from "react";
import { useCall } from "../../../kit/query.ts";

const PAUSE_MS = 120;

/** `hits` is undefined until the first answer; later the former hits stay, as `isOther`, while new ones load. */
export function useSearch(text: string) {
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isEnough = asked.replace(/\s/g, "").length >= SEARCH_MIN && asked.length <= SEARCH_MAX;
  const answer = useCall(
    searchContract.find,
    { query: { text: asked } },
    // Hits tell what may be done to them now, so a former answer is asked for again.
    { enabled: isEnough, keepPreviousData: true, staleTime: 0 },
  );
  return {
    hits: isEnough ? answer.data : undefined,
    isOther: text.trim() !== asked || answer.isPlaceholderData,
    error: isEnough && !answer.data ? answer.error : null,
    retry: () => void answer.refetch(),
    isWaiting: text.trim() !== asked || (isEnough && answer.isFetching),
  };
}
