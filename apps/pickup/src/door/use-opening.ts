// Follows an opening: asks once a second, and says when the answers stop coming.
import { useEffect, useState } from "react";
import { call, Refusal } from "../kit/api.ts";
import type { ReplyOf } from "../kit/calls.ts";

const ASK_EVERY_MS = 1_000;

interface Followed {
  opening: ReplyOf<"opening"> | null;
  /** The network is lost: what is shown is the last that was known. */
  isLost: boolean;
  /** The server does not know it any more: it happened more than an hour ago. */
  isGone: boolean;
}

const nothing: Followed = { opening: null, isLost: false, isGone: false };

export function useOpening(commandId: string | null, isOver: boolean): Followed {
  const [followed, setFollowed] = useState<Followed & { commandId: string | null }>({
    ...nothing,
    commandId,
  });

  useEffect(() => {
    if (commandId === null) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function ask(id: string): Promise<void> {
      try {
        const opening = await call("opening", { params: { id } }, { signal: stop.signal });
        if (stop.signal.aborted) return;
        setFollowed({ commandId: id, opening, isLost: false, isGone: false });
      } catch (error) {
        if (stop.signal.aborted) return;
        const isGone = error instanceof Refusal && error.code === "NOT_FOUND";
        setFollowed((last) => ({
          commandId: id,
          opening: last.commandId === id ? last.opening : null,
          isLost: !isGone,
          isGone,
        }));
        if (isGone) return;
      }
      if (!isOver) timer = setTimeout(() => void ask(id), ASK_EVERY_MS);
    }
    void ask(commandId);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [commandId, isOver]);

  return followed.commandId === commandId ? followed : nothing;
}
