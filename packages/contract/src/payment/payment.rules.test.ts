// What of a top-up may be given back: never more than was paid in, nor than is there; the bonus goes with it.
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

it("gives all of it back in any number of parts, and all of the bonus with the last", () => {
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

it("takes no more than the wallet has to spend", () => {
  fc.assert(
    fc.property(topUp, fen, fen, (it, principalFen, bonusFen) => {
      const wallet = { principalFen, bonusFen };
      const most = refundableFen(it, wallet);
      expect(most).toBeLessThanOrEqual(Math.min(it.principalFen, principalFen));
      expect(bonusTakenBack(it, most, wallet)).toBeLessThanOrEqual(Math.min(it.bonusFen, bonusFen));
    }),
  );
});

it("names the place of a tenant's notices", () => {
  expect(noticeUrl("https://a.example", 7)).toBe("https://a.example/wechat-pay/v1/notice/7");
});
