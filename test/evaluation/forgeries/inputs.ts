import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestWithout, sha256Hex } from '../../../src/document/digest.js'
import { FILES } from '../../../src/evaluation/evidence/folder.js'
import { freezeProtocol } from '../../../src/protocol/freeze.js'
import { chain } from '../../../src/protocol/rules/entry.js'
import { documentOf, draftText } from '../../protocol/sample.js'
import type { Forger } from '../forger.js'
import { editText } from '../world.js'
import { type Case, cases, edit, inHistory } from './case.js'

const A_PRICE = 'UPDATE forecast_predictions SET predicted_price_usd = 1 WHERE rowid = 9'

/** Changes a file of the inputs, and nothing that names it. */
const inWorld = (name: string, find: string | RegExp, put: string) => (of: Forger) =>
  editText(join(of.world, name), (text) => text.replace(find, put))

// biome-ignore lint/suspicious/noExplicitAny: documents that are bent out of shape
type Change = (value: any) => unknown
// biome-ignore lint/suspicious/noExplicitAny: the same
type Enter = (entry: any, value: any) => unknown
const NOTHING = () => undefined

/** Changes a JSON document, gives it its own digest again, and changes entries of the ledger to fit. */
function forgeEntered(
  of: Forger,
  file: string,
  member: string,
  change: Change,
  enter: Enter,
): void {
  const path = join(of.world, file)
  const value = JSON.parse(readFileSync(path, 'utf8'))
  change(value)
  value[member] = digestWithout(value, member)
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
  const ledger = join(of.world, 'protocols', 'ledger.jsonl')
  const lines: string[] = []
  let last: ReturnType<typeof chain> | undefined
  for (const line of readFileSync(ledger, 'utf8').trimEnd().split('\n')) {
    const { seq: _seq, previous: _previous, entry_sha256: _digest, ...fields } = JSON.parse(line)
    enter(fields, value)
    last = chain(fields, last)
    lines.push(`${JSON.stringify(last)}\n`)
  }
  writeFileSync(ledger, lines.join(''))
}

/** Changes the registration, with its digest and its entry in the ledger. */
const registration =
  (change: Change, enter: Enter = NOTHING) =>
  (of: Forger) =>
    forgeEntered(of, 'registration.json', 'registration_sha256', change, (entry, value) => {
      if (!('registration_sha256' in entry)) return
      entry.registration_sha256 = value.registration_sha256
      enter(entry, value)
    })

/** Changes the closes of the vintage and has its manifest name them. */
function forgeCloses(of: Forger, change: (text: string) => string): void {
  const closes = join(of.world, 'vintage', 'closes.csv')
  const text = change(readFileSync(closes, 'utf8'))
  writeFileSync(closes, text)
  editText(join(of.world, 'vintage', 'manifest.json'), (manifest) => {
    const value = JSON.parse(manifest)
    const sha256 = sha256Hex(text)
    return JSON.stringify({
      ...value,
      vintage_id: value.vintage_id.replace(/[0-9a-f]{8}$/, sha256.slice(0, 8)),
      sha256,
      count: text.trimEnd().split('\n').length - 1,
    })
  })
}

export const INPUTS: Case[] = [
  ...cases('outcomes result-of-other-input', {
    'a close, with its digest': (of) =>
      forgeCloses(of, (text) => text.replace(/,(\d+)\.(\d+)\n$/, ',$1.99\n')),
  }),
  ...cases('outcomes evidence-unreadable', {
    'a close, and no digest': inWorld('vintage/closes.csv', /,(\d+)\.(\d+)\n$/, ',$1.99\n'),
  }),
  ...cases('registration result-of-other-input', {
    'the name of the registration, with digest and ledger': registration(
      (value) => (value.name = 'better'),
    ),
    'when it was registered, with digest and ledger': registration(
      (value) => (value.registered_at = '2024-12-02T00:00:00Z'),
      (entry, value) => {
        if ('registered_at' in entry) entry.registered_at = value.registered_at
      },
    ),
  }),
  ...cases('history history-differs changed', {
    'a forecast': inHistory(A_PRICE),
    'a forecast less': inHistory('DELETE FROM forecast_predictions WHERE rowid = 50'),
    'all forecasts but one': inHistory('DELETE FROM forecast_predictions WHERE rowid > 1'),
  }),
  ...cases('history history-changed', {
    'a forecast, and a price in the pairs': (of) => {
      inHistory(A_PRICE)(of)
      edit(FILES.pairs, /"value":(\d)/, '"value":1$1')(of)
    },
  }),
  ...cases('registration digest-mismatch', {
    'the registration, and no digest': inWorld('registration.json', '"seer"', '"seen"'),
  }),
  ...cases('ledger ledger-chain', {
    'a line of the ledger': inWorld('protocols/ledger.jsonl', '2024-12-15', '2024-12-16'),
  }),
  ...cases('ledger ledger-time-backwards', {
    'the protocol was frozen after it was registered under, with the ledger': (of) =>
      forgeEntered(of, 'registration.json', 'registration_sha256', NOTHING, (entry) => {
        if ('frozen_at' in entry) entry.frozen_at = '2025-01-02T00:00:00Z'
      }),
  }),
  ...cases('ledger ledger-readings-gone', {
    'the record of readings, which the next freeze had named': (of) => {
      const folder = join(of.world, 'protocols')
      freezeProtocol(documentOf(draftText('next')), { folder, now: Date.now() * 1000 })
      rmSync(of.live)
    },
  }),
  ...cases('protocol digest-mismatch', {
    'the protocol, and no digest': inWorld(
      'protocols/made-1.json',
      '"alpha": 0.05',
      '"alpha": 0.04',
    ),
  }),
  ...cases('registration registration-differs', {
    'a rule of the protocol in the registration, with digest and ledger': registration(
      (value) => (value.rules.alpha = 0.5),
    ),
  }),
  ...cases('ledger ledger-rewritten', {
    'when the protocol was frozen, with the ledger': (of) =>
      forgeEntered(of, 'registration.json', 'registration_sha256', NOTHING, (entry) => {
        if ('frozen_at' in entry) entry.frozen_at = '2024-11-01T00:00:00Z'
      }),
  }),
  ...cases('registration registration-of-other-protocol', {
    'the floor of the protocol, with digest and ledger': (of) =>
      forgeEntered(
        of,
        'protocols/made-1.json',
        'protocol_sha256',
        (value) => (value.design.practical_effect_floor = 0),
        (entry, value) => (entry.protocol_sha256 = value.protocol_sha256),
      ),
  }),
]
