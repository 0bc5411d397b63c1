// Benchmarks postings per second: the ledger against bare statements that write the same rows.
import pg from "pg";
import { postJournal } from "../apps/server/src/features/money/ledger/index.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { type Figure, median } from "./figures.ts";
import type { OrderServer } from "./order-server.ts";

const WRITERS = 8;
const ROUNDS = 5;
const SECONDS = 3;
const GOAL = 0.5;

const BARE = `
  with changed as (
    update wallet set principal_fen = principal_fen + 1
    where tenant_id = $1 and end_user_id = $2 returning principal_fen, bonus_fen
  ), journal as (
    insert into ledger_journal (tenant_id, kind, biz_type, biz_id, end_user_id, principal_fen,
      principal_after_fen, bonus_after_fen, actor_kind, actor_name)
    select $1::int, 'RECHARGE', 'BARE', $3::text, $2::bigint, 1, principal_fen, bonus_fen, 'SYSTEM', '系统'
    from changed returning tenant_id, id
  )
  insert into ledger_leg (tenant_id, journal_id, account, amount_fen)
  select tenant_id, id, account, fen from journal,
    (values ('CASH', -1), ('WALLET_PRINCIPAL', 1)) leg (account, fen)`;

export async function measurePosting(orderServer: OrderServer): Promise<Figure[]> {
  const { tenantId } = orderServer.operator;
  const userIds = await findUserIds(orderServer);
  const anyUser = () => userIds[Math.floor(Math.random() * userIds.length)] as number;
  const pool = new pg.Pool({
    connectionString: orderServer.databaseUrl,
    max: WRITERS,
    options: "-c role=cabinet_platform",
  });
  let serial = 0;
  const next = () => {
    serial += 1;
    return String(serial);
  };
  const bare = () =>
    pool.query({ name: "bare", text: BARE, values: [tenantId, anyUser(), next()] });
  const ours = () =>
    orderServer.database.transaction({ tenantId }, (db) =>
      postJournal(db, {
        tenantId,
        endUserId: anyUser(),
        kind: "RECHARGE",
        channel: "CASH",
        principalFen: 1,
        bonusFen: 0,
        bizType: "BENCH_POST",
        bizId: next(),
        actor: { kind: "SYSTEM", id: null, name: "系统" },
      }),
    );
  try {
    const rates = { bare: [] as number[], ours: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const [bareRate, ourRate] = [await rateOf(bare), await rateOf(ours)];
      // The first round is warm-up.
      if (round === 0) continue;
      rates.bare.push(bareRate);
      rates.ours.push(ourRate);
    }
    const ratios = rates.ours.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN));
    const part = `记账，${WRITERS} 个连接`;
    return [
      { part, name: "直接写入同样的行", value: median(rates.bare), unit: "笔/秒" },
      { part, name: "经账本，带锁、查重和行级隔离", value: median(rates.ours), unit: "笔/秒" },
      { part, name: "账本 ÷ 直接写入", value: median(ratios), unit: "倍", goal: { atLeast: GOAL } },
    ];
  } finally {
    await pool.end();
  }
}

export async function findUserIds({ database, operator }: OrderServer): Promise<number[]> {
  const users = await database.read("platform", (db) =>
    db.many<{ id: number }>(sql`
      select id from end_user where tenant_id = ${operator.tenantId} order by id limit 2000`),
  );
  return users.map(({ id }) => id);
}

/** Postings per second with `WRITERS` concurrent loops. */
async function rateOf(post: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  async function write(): Promise<void> {
    while (performance.now() < startedAt + SECONDS * 1_000) {
      await post();
      count += 1;
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write));
  return (count * 1_000) / (performance.now() - startedAt);
}
