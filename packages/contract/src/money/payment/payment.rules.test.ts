// Tests top-up refunds: never more than was paid or is left; bonus is taken back in proportion.
import fc from "fast-check";
import { expect, it } from "vitest";
import { bonusTakenBack, noticeUrl, refundableFen } from "./payment.rules.ts";

const fen = fc.integer({ min: 0, max: 1_000_000 });
const topUp = fc
  .tuple(fc.integer({ min: 1, max: 1_000_000 }), fen)
  .map(([principalFen, bonusFen]) => ({
    principalFen,
    bonusFen,
    refundedPrincipalFen: 0,
    refundedBonusFen: 0,
  }));

it("refunds: all parts sum to the principal, and the last one takes all of the bonus", () => {
  fc.assert(
    fc.property(
      topUp,
      fc.array(fc.integer({ min: 1, max: 400_000 }), { maxLength: 8 }),
      (it, parts) => {
        const wallet = { principalFen: it.principalFen, bonusFen: it.bonusFen };
        let now = it;
        for (const wanted of [...parts, it.principalFen]) {
          const part = Math.min(wanted, refundableFen(now, wallet));
          const bonus = bonusTakenBack(now, part, wallet);
          expect(bonus).toBeGreaterThanOrEqual(0);
          now = {
            ...now,
            refundedPrincipalFen: now.refundedPrincipalFen + part,
            refundedBonusFen: now.refundedBonusFen + bonus,
          };
          const due = (it.bonusFen * now.refundedPrincipalFen) / it.principalFen;
          expect(Math.abs(now.refundedBonusFen - due)).toBeLessThan(1);
          wallet.principalFen -= part;
          wallet.bonusFen -= bonus;
        }
        expect(now.refundedPrincipalFen).toBe(it.principalFen);
        expect(now.refundedBonusFen).toBe(it.bonusFen);
        expect(wallet).toEqual({ principalFen: 0, bonusFen: 0 });
      },
    ),
  );
});

it("refunds: limited by the spendable balance", () => {
  fc.assert(
    fc.property(topUp, fen, fen, (it, principalFen, bonusFen) => {
      const wallet = { principalFen, bonusFen };
      const most = refundableFen(it, wallet);
      expect(most).toBeLessThanOrEqual(Math.min(it.principalFen, principalFen));
      expect(bonusTakenBack(it, most, wallet)).toBeLessThanOrEqual(Math.min(it.bonusFen, bonusFen));
    }),
  );
});

it("noticeUrl: contains the tenant's id", () => {
  expect(noticeUrl("https://a.example", 7)).toBe("https://a.example/wechat-pay/v1/notice/7");
});
