import { join } from 'node:path'

export interface DemoStep {
  readonly says: string
  readonly argv: readonly string[]
}

/** The name of the demo's authority. */
export const DEMO_AUTHORITY = 'demo-authority'
const LOG = 'demo.example/forecasts'

/** What the demo does, in order; a word that begins with `@` is a path in its folder, TSA the address of its authority. */
const STEPS: readonly (readonly [says: string, line: string])[] = [
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

export function demoSteps(folder: string, authority: string): DemoStep[] {
  const word = (text: string) => {
    if (text === 'TSA') return authority
    return text.startsWith('@') ? join(folder, text.slice(1)) : text
  }
  return STEPS.map(([says, line]) => ({ says, argv: line.split(' ').map(word) }))
}
