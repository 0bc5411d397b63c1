import { readFile } from "node:fs/promises";
import path from "node:path";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { expect } from "vitest";
import { insertOperator } from "../../apps/server/src/features/identity/auth/index.ts";
import { ensureTenant } from "../../apps/server/src/features/identity/tenancy/index.ts";
import { makeToken } from "../../apps/server/src/platform/access-token.ts";
import type { Database } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { exemptFromFactor } from "../support/factor.ts";
import { anyPhone } from "../support/orders.ts";

const TENANT_ID = 7;
const PEOPLE = 3;
const PATIENCE_MS = 10_000;

export interface Post {
  key: string;
  endUserId: number;
  principalFen: number;
  bonusFen: number;
}

export interface PostedJournal {
  id: number;
  endUserId: number;
  principalFen: number;
  bonusFen: number;
}

export interface Books {
  journals: PostedJournal[];
  wallets: { endUserId: number; principalFen: number; bonusFen: number }[];
  topUps: number;
}

/** Lines of postmaster.pid; 0: process id, 3: port, 4: folder of the socket. */
export async function postmaster(dataDir: string): Promise<string[]> {
  const text = await readFile(path.join(dataDir, "postgres/postmaster.pid"), "utf8");
  return text.split("\n").map((line) => line.trim());
}

export async function databaseUrl(dataDir: string): Promise<string> {
  const lines = await postmaster(dataDir);
  return `postgresql://cabinet@localhost:${lines[3]}/cabinet?host=${encodeURIComponent(lines[4] ?? "")}`;
}

export class Cashier {
  readonly people: number[] = [];
  #token = "";

  /** Creates a tenant with a signed-in account and people without wallets. */
  async settle(database: Database): Promise<void> {
    await database.transaction("platform", async (db) => {
      await ensureTenant(db, { id: TENANT_ID, name: "租户" });
      await exemptFromFactor(db, TENANT_ID);
      const operatorId = await insertOperator(db, {
        tenantId: TENANT_ID,
        username: "cashier",
        displayName: "收银",
        passwordHash: "none",
        userType: 0,
        mustChangePassword: false,
      });
      const { token, tokenHash } = makeToken(db.vault, "session");
      this.#token = token;
      await db.run(sql`
        insert into session (token_hash, tenant_id, operator_id, expires_at, has_mac)
        values (${tokenHash}, ${TENANT_ID}, ${operatorId}, now() + interval '8 hours', true)`);
      for (let at = 0; at < PEOPLE; at++) {
        const { id } = await db.one<{ id: number }>(sql`
          insert into end_user (tenant_id, phone) values (${TENANT_ID}, ${anyPhone()})
          returning id`);
        this.people.push(id);
      }
    });
  }

  /** Resolves to the acknowledged journal id, or to null if the result is unknown. */
  async send(origin: string, { key, ...amounts }: Post): Promise<number | null> {
    try {
      const response = await fetch(`${origin}${urlPath(walletContract.change)}`, {
        method: "POST",
        headers: {
          "auth-token": this.#token,
          tenantid: String(TENANT_ID),
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify({ ...amounts, kind: "RECHARGE", reason: "收现金" }),
        signal: AbortSignal.timeout(10_000),
      });
      const reply = (await response.json()) as { code: number; data: { journalId: number } | null };
      return response.ok && reply.code === 0 && reply.data ? reply.data.journalId : null;
    } catch {
      return null;
    }
  }

  /**
   * Retries with the same key: a connection that died with the database may still be in the pool.
   */
  async sendUntilAnswered(origin: string, post: Post): Promise<number> {
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
      const journalId = await this.send(origin, post);
      if (journalId !== null) return journalId;
      expect(Date.now(), "a post that is repeated").toBeLessThan(end);
    }
  }
}

export function readBooks(database: Database): Promise<Books> {
  return database.read("platform", async (db) => ({
    journals: await db.many<PostedJournal>(sql`
      select id, end_user_id, principal_fen, bonus_fen from ledger_journal order by id`),
    wallets: await db.many<Books["wallets"][number]>(sql`
      select end_user_id, principal_fen, bonus_fen from wallet order by end_user_id`),
    topUps: (await db.one<{ count: number }>(sql`select count(*)::int as count from top_up`)).count,
  }));
}

/** Expects exactly these journals, and wallets that equal their sums. */
export function expectBooks(books: Books, expected: readonly PostedJournal[]): void {
  const inOrder = [...expected].sort((one, other) => one.id - other.id);
  expect(books.journals).toEqual(inOrder);
  expect(books.topUps).toBe(inOrder.length);
  const sum = (endUserId: number, part: "principalFen" | "bonusFen") =>
    inOrder.reduce((all, each) => all + (each.endUserId === endUserId ? each[part] : 0), 0);
  for (const wallet of books.wallets) {
    expect(wallet).toMatchObject({
      principalFen: sum(wallet.endUserId, "principalFen"),
      bonusFen: sum(wallet.endUserId, "bonusFen"),
    });
  }
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
