import { join } from 'node:path'
import { checkedInstant, type Instant } from '../../contract/instant.js'

export interface DemoStep {
  readonly says: string
  readonly argv: readonly string[]
  /** The time at which it is done, in an evaluation on simulated time. */
  readonly at?: Instant
}

/** The name of the demo's authority. */
export const DEMO_AUTHORITY = 'demo-authority'
const LOG = 'demo.example/forecasts'
/** The log that the registration of the prospective evaluations names. */
export const PROSPECTIVE_LOG = 'demo.example/promise'

/** A word of a line that begins with `@` is a path in the folder of the evaluation, TSA the address of the authority. */
type Line = readonly [says: string, line: string, at?: string]

/** The backtest, in order. */
const BACKTEST: readonly Line[] = [
  ['Is the protocol what was frozen?', 'verify @protocols/btcusd-hourly-2.json'],
  [
    'Forecasts, failures and abstentions into a history',
    'history import @data/forecasts.ndjson --history @history.sqlite',
  ],
  [
    'A stamped checkpoint of the log: from now on no row can be changed unnoticed',
    `history seal --history @history.sqlite --log ${LOG} --tsa TSA --anchors @protocols/anchors`,
  ],
  [
    'Hourly closes into a vintage',
    'outcomes import @data/closes.csv --source made-exchange --out @vintage',
  ],
  [
    'Every expected attempt ends in one of five statuses',
    'pair --protocol @protocols/btcusd-hourly-2.json --history @history.sqlite --outcomes @vintage --out @attempts.ndjson',
  ],
  [
    'The evaluation and every test in it, by name, before anything is scored; stamped by an authority',
    'register @plan.json --protocol @protocols/btcusd-hourly-2.json --outcomes @vintage --out @registration.json --stamp TSA',
  ],
  ['Who says when what was entered in the ledger?', 'verify @protocols/ledger.jsonl'],
  [
    'Score it, once',
    'score --registration @registration.json --protocol @protocols/btcusd-hourly-2.json --history @history.sqlite --outcomes @vintage --out @evaluation',
  ],
  ['Recompute it all from the inputs, as a sceptic would', 'audit @evaluation'],
  [
    'Publish the history as a static site, its log beside it',
    'publish --history @history.sqlite --out @site',
  ],
]

/** Before the window of a prospective evaluation. */
const PROMISE: readonly Line[] = [
  [
    'Freeze the rules, a week before',
    'freeze @../protocols/btcusd-hourly-2.json --dir @protocols',
    '2026-05-25T09:00:00Z',
  ],
  [
    'Register every test by name, half a day before the first origin; an authority stamps it',
    'register @plan.json --protocol @protocols/btcusd-hourly-2.json --out @registration.json --stamp TSA',
    '2026-05-31T12:00:00Z',
  ],
]

/** Forecasts into the history and under a stamped checkpoint, at whatever time that is done. */
const COMMIT: readonly Line[] = [
  ['What the model forecasts, into the history', 'history import - --history @history.sqlite'],
  [
    'A stamped checkpoint over them',
    `history seal --history @history.sqlite --log ${PROSPECTIVE_LOG} --tsa TSA --anchors @protocols/anchors`,
  ],
]

/** After the last target. */
const VERDICT: readonly Line[] = [
  [
    'The outcomes are known now: score it, once',
    'score --registration @registration.json --protocol @protocols/btcusd-hourly-2.json --history @history.sqlite --outcomes @../vintage --out @evaluation',
    '2026-06-30T12:00:00Z',
  ],
]

const LISTS = { BACKTEST, PROMISE, COMMIT, VERDICT } as const

export function demoSteps(
  list: keyof typeof LISTS,
  folder: string,
  authority: string,
  now?: Instant,
): DemoStep[] {
  const word = (text: string) => {
    if (text === 'TSA') return authority
    return text.startsWith('@') ? join(folder, text.slice(1)) : text
  }
  return LISTS[list].map(([says, line, fixed]) => {
    const at = fixed === undefined ? now : checkedInstant(fixed)
    return { says, argv: line.split(' ').map(word), ...(at !== undefined && { at }) }
  })
}
