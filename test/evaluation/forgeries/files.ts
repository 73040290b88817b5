import { appendFileSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FILES } from '../../../src/evaluation/evidence/folder.js'
import type { Forger } from '../forger.js'
import { editText } from '../world.js'
import { type Case, cases, edit, pairs } from './case.js'

export const REPORTS: Case[] = [
  ...cases('report evidence-edited', {
    'a heading': edit(FILES.html, 'Disposition</h2>', 'Verdict</h2>'),
    'an invisible character': edit(FILES.html, 'Disposition', 'Dis\u200bposition'),
    'a comment at its end': (of) => appendFileSync(of.file(FILES.html), '<!---->'),
    'the Markdown': edit(FILES.markdown, 'seer', 'Seer'),
  }),
  ...cases('report report-of-other-run', {
    'nothing at all': (of) => of.put(FILES.html, ''),
    'the report of another run': (of) =>
      cpSync(join(of.world, 'second', FILES.html), of.file(FILES.html)),
    'the Markdown of no run': (of) => of.put(FILES.markdown, '# Fine\n'),
  }),
]

export const PAIRS: Case[] = [
  ...cases('pairs pairs-differ removed', {
    'a line less, and no digest': (of) =>
      editText(of.file(FILES.pairs), (text) => text.split('\n').toSpliced(400, 1).join('\n')),
    'no last line, and no digest': (of) =>
      editText(of.file(FILES.pairs), (text) => text.slice(0, text.lastIndexOf('{'))),
    'a line less': pairs((text) => text.replace(/^.*\n/, '')),
    'a member of a megabyte': pairs((text) => text.replace('{', `{"x":"${'x'.repeat(1e6)}",`)),
  }),
  ...cases('pairs pairs-differ changed', {
    'a price': pairs((text) =>
      text.replace(/"predicted_price_usd":(\d)/, '"predicted_price_usd":1$1'),
    ),
    'a status': pairs((text) => text.replace('"status":"missing"', '"status":"abstained"')),
    'a member twice in a line': pairs((text) => text.replace('{', '{"status":"failed",')),
    'other line ends': pairs((text) => text.replaceAll('\n', '\r\n')),
    'no last line end': pairs((text) => text.trimEnd()),
  }),
  ...cases('pairs pairs-differ added', {
    'a line more': pairs((text) => text + text.split('\n')[0]!),
    'a line more while they are compared': (of) => () =>
      appendFileSync(of.file(FILES.pairs), '{"model":"late"}\n'),
  }),
]

const at = (time: string, index: number) => (of: Forger) =>
  of.access((fields, row) => (row === index ? { ...fields, at: time } : fields))

export const ACCESS: Case[] = [
  ...cases('access access-time', {
    'a reading before the registration': at('2024-12-14T00:00:00Z', 0),
    'a reading before the as-of': at('2024-12-16T00:00:00Z', 0),
    'a result in the future': at('2090-01-01T00:00:00Z', 1),
    'a result before its reading': at('2025-05-31T23:59:59Z', 1),
  }),
  ...cases('access access-of-other-result', {
    'a reading by other code': (of) =>
      of.access((fields) => ({ ...fields, code_sha256: 'c'.repeat(64) })),
  }),
  ...cases('access access-chain-broken', {
    'a reading of another history': (of) =>
      of.access((fields, row) =>
        row === 0 ? { ...fields, history_sha256: 'c'.repeat(64) } : fields,
      ),
    'a first reading that calls itself exploratory': (of) =>
      of.access((fields) => ({ ...fields, exploratory: true })),
    'a result without a reading': (of) =>
      of.access((fields, row) => (row === 0 ? undefined : fields)),
    'a reading with a result': (of) =>
      of.access((fields) => ({ ...fields, result_sha256: 'c'.repeat(64) })),
    'another day in a line': edit(FILES.access, '2025-06-01', '2025-06-02'),
    'a reading cut out of the live record': (of) =>
      editText(of.live, (text) => text.split('\n').slice(2).join('\n')),
    'blanks in a line': edit(FILES.access, '{', '{ '),
    'members in another order': edit(FILES.access, /^\{("seq":1),("event":"\w+")/, '{$2,$1'),
    'nothing but line ends': (of) => of.put(FILES.access, '\n'.repeat(1e6)),
  }),
  ...cases('access access-missing', { 'no live record': (of) => rmSync(of.live) }),
  ...cases('access access-parted', {
    'a reading that the live record does not have': (of) =>
      editText(of.live, (text) => text.split('\n').slice(0, 1).concat('').join('\n')),
  }),
]
