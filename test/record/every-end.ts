import type { MadeLedger, MadeRegistration } from './made-ledger.js'

/** Fills a ledger with registrations of every end, in each table, by what its keeper does day after day. */
export function everyEnd(ledger: MadeLedger) {
  const register = (of: MadeRegistration) => ledger.register(of)
  // Before their windows, which begin on day 10.
  const eligible = register({ candidates: ['alpha'] })
  const negative = register({ candidates: ['beta'] })
  const withheld = register({ candidates: ['gamma'] })
  const brokenOff = register({ candidates: ['delta'] })
  const cancelled = register({ candidates: ['epsilon'] })
  const inWindow = register({ candidates: ['zeta'] })
  const late = register({ candidates: ['eta'] })
  const missing = register({ candidates: ['theta'] })
  const overdue = register({ candidates: ['alpha'] })
  const awaiting = register({ candidates: ['iota'], days: [40, 50] })
  const running = register({ candidates: ['kappa'], days: [50, 80] })
  const announced = register({ candidates: ['lambda'], days: [100, 120] })
  const ownWord = register({ candidates: ['mu'], commitment: 'self_declared' })
  ledger.stamp(2)
  ledger.close(cancelled, 'abandoned', 4)
  ledger.stamp(5)
  ledger.close(inWindow, 'abandoned', 12)
  ledger.stamp(13)
  // From now on its first inputs are known.
  const unproved = register({ candidates: ['nu'], days: [14, 24], on: 13 })
  const backtest = register({ candidates: ['xi'], mode: 'backtest', on: 25 })
  ledger.stamp(26)
  const first = ledger.score(eligible, 'eligible_for_human_review', 27)
  ledger.score(negative, 'negative', 28)
  const hidden = ledger.score(withheld, 'inconclusive', 29)
  ledger.results.delete(hidden)
  ledger.read(brokenOff, 1, null, 30)
  ledger.close(late, 'void', 31)
  ledger.score(backtest, 'lower', 32)
  ledger.score(ownWord, 'eligible_for_human_review', 33)
  ledger.score(unproved, 'inconclusive', 34)
  const second = ledger.score(negative, 'eligible_for_human_review', 35, 2)
  const [negativeResult = ''] = [...ledger.results.keys()].filter((each) => each !== first)
  ledger.correct(negative, negativeResult, second, 36)
  ledger.stamp(40)
  ledger.registrations.delete(missing)
  return {
    ...{ eligible, negative, withheld, brokenOff, cancelled, inWindow, late, missing, overdue },
    ...{ awaiting, running, announced, ownWord, unproved, backtest },
    ...{ first, second, hidden, negativeResult },
  }
}
