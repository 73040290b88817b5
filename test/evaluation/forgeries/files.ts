import { appendFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { FILES } from '../../../src/evaluation/evidence/folder.js'
import type { Forger } from '../forger.js'
import { editText } from '../world.js'
import { type Case, edit } from './case.js'

export const REPORTS: Case[] = [
  ['a heading', edit(FILES.html, 'Disposition</h2>', 'Verdict</h2>'), 'report-edited'],
  ['an invisible character', edit(FILES.html, 'Disposition', 'Dis\u200bposition'), 'report-edited'],
  ['a comment at its end', (of) => appendFileSync(of.file(FILES.html), '<!---->'), 'report-edited'],
  ['nothing at all', (of) => of.put(FILES.html, ''), 'report-of-other-run'],
  [
    'the report of another run',
    (of) => cpSync(join(of.world, 'second', FILES.html), of.file(FILES.html)),
    'report-of-other-run',
  ],
  ['the Markdown', edit(FILES.markdown, 'seer', 'Seer'), 'report-edited'],
  ['the Markdown of no run', (of) => of.put(FILES.markdown, '# Fine\n'), 'report-of-other-run'],
]

export const PAIRS: Case[] = [
  [
    'a price',
    (of) =>
      of.pairs((text) => text.replace(/"predicted_price_usd":(\d)/, '"predicted_price_usd":1$1')),
    'pairs-differ price-changed',
  ],
  [
    'a status',
    (of) => of.pairs((text) => text.replace('"status":"missing"', '"status":"abstained"')),
    'pairs-differ status-changed',
  ],
  [
    'a line less',
    (of) => of.pairs((text) => text.replace(/^.*\n/, '')),
    'pairs-differ row-removed',
  ],
  [
    'a line more',
    (of) => of.pairs((text) => text + text.split('\n')[0]!),
    'pairs-differ row-added',
  ],
  [
    'a member twice in a line',
    (of) => of.pairs((text) => text.replace('{', '{"status":"failed",')),
    'pairs-differ row-changed',
  ],
  [
    'other line ends',
    (of) => of.pairs((text) => text.replaceAll('\n', '\r\n')),
    'pairs-differ row-changed',
  ],
  ['no last line end', (of) => of.pairs((text) => text.trimEnd()), 'pairs-differ row-changed'],
  [
    'a member of a megabyte',
    (of) => of.pairs((text) => text.replace('{', `{"x":"${'x'.repeat(1e6)}",`)),
    'pairs-differ row-removed',
  ],
  [
    'a line more while they are compared',
    (of) => () => appendFileSync(of.file(FILES.pairs), '{"model":"late"}\n'),
    'pairs-differ row-added',
  ],
]

const at = (time: string, index: number) => (of: Forger) =>
  of.access((fields, row) => (row === index ? { ...fields, at: time } : fields))

export const ACCESS: Case[] = [
  ['a reading before the registration', at('2024-12-14T00:00:00Z', 0), 'access-time'],
  ['a reading before the as-of', at('2024-12-16T00:00:00Z', 0), 'access-time'],
  ['a result in the future', at('2090-01-01T00:00:00Z', 1), 'access-time'],
  ['a result before its reading', at('2025-05-31T23:59:59Z', 1), 'access-time'],
  [
    'a reading by other code',
    (of) => of.access((fields) => ({ ...fields, code_sha256: 'c'.repeat(64) })),
    'access-of-other-result',
  ],
  [
    'a reading of another history',
    (of) =>
      of.access((fields, row) =>
        row === 0 ? { ...fields, history_sha256: 'c'.repeat(64) } : fields,
      ),
    'access-chain-broken',
  ],
  [
    'a first reading that calls itself exploratory',
    (of) => of.access((fields) => ({ ...fields, exploratory: true })),
    'access-chain-broken',
  ],
  [
    'a result without a reading',
    (of) => of.access((fields, row) => (row === 0 ? undefined : fields)),
    'access-chain-broken',
  ],
  [
    'a reading with a result',
    (of) => of.access((fields) => ({ ...fields, result_sha256: 'c'.repeat(64) })),
    'access-chain-broken',
  ],
  ['blanks in a line', edit(FILES.access, '{', '{ '), 'access-chain-broken'],
  [
    'members in another order',
    edit(FILES.access, /^\{("seq":1),("event":"\w+")/, '{$2,$1'),
    'access-chain-broken',
  ],
  [
    'a reading that the live record does not have',
    (of) => editText(of.live, (text) => text.split('\n').slice(0, 1).concat('').join('\n')),
    'access-parted',
  ],
  ['nothing but line ends', (of) => of.put(FILES.access, '\n'.repeat(1e6)), 'access-chain-broken'],
]
