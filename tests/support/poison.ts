// Rows on which every change throws, as one that a bug cannot process.
import { withClient } from "./postgres.ts";

/** Runs `work` while no row of the table for which the condition holds can be changed. */
export async function withPoison(
  url: string,
  { table, when }: { table: string; when: string },
  work: () => Promise<void>,
): Promise<void> {
  await withClient(url, (client) =>
    client.query(`
      create function poison() returns trigger language plpgsql as $$
        begin raise exception 'poison'; end $$;
      create trigger poison before update on ${table}
        for each row when (${when}) execute function poison()`),
  );
  try {
    await work();
  } finally {
    await withClient(url, (client) => client.query("drop function poison cascade"));
  }
}
