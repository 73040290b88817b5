import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/contract/findings/finding.js'
import { digestWithout } from '../../src/document/digest.js'
import type { FileChange } from '../../src/gate/git/history.js'
import { objectName } from '../../src/gate/git/objects.js'
import { LINK_MODE, type TreeEntry } from '../../src/gate/git/tree.js'
import type { GateInputs } from '../../src/gate/inputs.js'
import { checkLedgerHistory } from '../../src/gate/rules/ledgers.js'
import { checkDocuments, settleMoves } from '../../src/gate/rules/states.js'
import { sampleProtocol } from '../protocol/sample.js'

/** What a commit, the index or the working tree has, by path. */
type State = Readonly<Record<string, string>>

const [V1, V2, LEDGER] = ['p/v1.json', 'p/v2.json', 'p/ledger.jsonl']
const text = (value: object, space?: string | number) => `${JSON.stringify(value, null, space)}\n`
const document = (over: object = {}) => {
  const value = { ...(sampleProtocol() as object), ...over }
  return { ...value, protocol_sha256: digestWithout(value, 'protocol_sha256') }
}
const FROZEN = document()
const SOUND = text(FROZEN, 2)
const EDITED = text({ ...FROZEN, purpose: 'edited' }, 2)
const OTHER = text({ ...FROZEN, purpose: 'other' }, 2)
const NEXT = text(document({ protocol_version: 'next' }), 2)
const LINKED = 'a link'
const BASE: State = { [V1]: SOUND, [LEDGER]: 'one\ntwo\n' }

/** A gate's inputs without git: what the base has, and what came after it. */
function inputsOf(
  base: State,
  commits: readonly State[],
  work: State,
  index = work,
  strict = false,
) {
  const texts = new Map<string, Uint8Array>()
  const entryOf = (value: string): TreeEntry => {
    const bytes = Buffer.from(value)
    const oid = objectName('blob', bytes, 'sha1')
    texts.set(oid, bytes)
    return { mode: value === LINKED ? LINK_MODE : '100644', oid }
  }
  const entries = (state: State) =>
    Object.entries(state).map(([path, value]) => [path, entryOf(value)] as const)
  const changes = commits.flatMap((state, at): FileChange[] => {
    const [before, after] = [commits[at - 1] ?? base, state].map((each) => new Map(entries(each)))
    const paths = [...new Set([...before!.keys(), ...after!.keys()])]
    return paths
      .map((path) => ({
        ...{ commit: String(at).repeat(40), path },
        ...{ before: before!.get(path), after: after!.get(path) },
      }))
      .filter((change) => change.before?.oid !== change.after?.oid)
  })
  const kindOf = (value: string) => (value === LINKED ? 'link' : 'file')
  return {
    repository: { hash: 'sha1' },
    rivals: new Map(),
    ahead: undefined,
    frozen: new Map(entries(base)),
    history: { commits: commits.length, merges: false, changes },
    index: new Map(
      entries(index).map(([path, of]) => [path, [{ ...of, stage: 0, skipped: false }]]),
    ),
    work: new Map(Object.entries(work).map(([path, value]) => [path, kindOf(value)])),
    blobs: { get: (oid: string) => texts.get(oid), load: () => undefined },
    strictBytes: strict,
    toName: (path: string) => path.slice(2),
    read: (path: string) => Buffer.from(work[path] ?? ''),
    ledgerAt: () => undefined,
  } as unknown as GateInputs
}

/** Code and file; `undone` where it is no longer so, and the severity of what is no error. */
const shown = ({ code, file = '', args, severity }: Finding) =>
  [
    `${code} ${file}`,
    ...('undone' in args && args.undone ? ['undone'] : []),
    ...(severity === 'error' ? [] : [severity]),
  ].join(' ')

function found(...of: Parameters<typeof inputsOf>): string[] {
  const inputs = inputsOf(...of)
  const outcomes = checkDocuments(inputs)
  const moves = settleMoves(inputs, outcomes)
  return [
    ...outcomes.flatMap(({ path, findings }) => [...findings, ...(moves.findings.get(path) ?? [])]),
    ...checkLedgerHistory(inputs, LEDGER).findings,
  ].map(shown)
}

const now = (over: State): State => ({ ...BASE, ...over })
const without = (path: string): State =>
  Object.fromEntries(Object.entries(BASE).filter(([name]) => name !== path))
const crlf = SOUND.replaceAll('\n', '\r\n')

describe('a rule of the gate', () => {
  it.each<[string, readonly string[], Parameters<typeof inputsOf>]>([
    ['nothing', [], [BASE, [], BASE]],
    ['a new version', [], [BASE, [now({ [V2]: NEXT })], now({ [V2]: NEXT })]],
    ['line ends', [], [BASE, [now({ [V1]: crlf })], now({ [V1]: crlf })]],
    [
      'a change',
      ['frozen-changed v1.json'],
      [BASE, [now({ [V1]: EDITED })], now({ [V1]: EDITED })],
    ],
    [
      'a change undone',
      ['frozen-changed v1.json undone'],
      [BASE, [now({ [V1]: EDITED }), BASE], BASE],
    ],
    [
      'a change undone in other bytes',
      ['frozen-reformatted v1.json warning', 'frozen-changed v1.json undone'],
      [BASE, [now({ [V1]: EDITED }), now({ [V1]: text(FROZEN) })], now({ [V1]: text(FROZEN) })],
    ],
    [
      'two changes, none of them undone',
      ['frozen-changed v1.json', 'frozen-changed v1.json'],
      [BASE, [now({ [V1]: EDITED }), now({ [V1]: OTHER })], now({ [V1]: OTHER })],
    ],
    [
      'a change that is staged',
      ['frozen-changed v1.json undone'],
      [BASE, [], BASE, now({ [V1]: EDITED })],
    ],
    [
      'another format',
      ['frozen-reformatted v1.json warning'],
      [BASE, [], now({ [V1]: text(FROZEN) })],
    ],
    [
      'another format, by the byte',
      ['frozen-reformatted v1.json'],
      [BASE, [], now({ [V1]: text(FROZEN) }), undefined, true],
    ],
    [
      'no JSON',
      ['frozen-unreadable v1.json', 'json-truncated v1.json'],
      [BASE, [], now({ [V1]: SOUND.slice(0, 999) })],
    ],
    [
      'a base that is unsound',
      ['base-unsound v1.json warning'],
      [now({ [V1]: EDITED }), [], now({ [V1]: OTHER })],
    ],
    ['a document that is gone', ['frozen-deleted v1.json'], [BASE, [without(V1)], without(V1)]],
    ['one that came back', ['frozen-deleted v1.json undone'], [BASE, [without(V1), BASE], BASE]],
    ['one that is not staged', ['frozen-deleted v1.json undone'], [BASE, [], BASE, without(V1)]],
    [
      'one of another name',
      ['frozen-renamed v1.json'],
      [BASE, [], { ...without(V1), 'p/v9.json': SOUND }],
    ],
    ['a link in its place', ['not-a-file v1.json'], [BASE, [], now({ [V1]: LINKED })]],
    ['a link that is not staged', ['not-a-file v1.json'], [BASE, [], now({ [V1]: LINKED }), BASE]],
    [
      'a link that was in its place',
      ['not-a-file v1.json undone'],
      [BASE, [now({ [V1]: LINKED }), BASE], BASE],
    ],
    [
      'a version that came and went',
      ['frozen-withdrawn v2.json warning'],
      [BASE, [now({ [V2]: NEXT }), BASE], BASE],
    ],
    ['a ledger that goes on', [], [BASE, [], now({ [LEDGER]: 'one\ntwo\nthree\n' })]],
    ['a ledger that is gone', ['ledger-deleted ledger.jsonl'], [BASE, [], without(LEDGER)]],
    [
      'a ledger that came back',
      ['ledger-deleted ledger.jsonl undone'],
      [BASE, [without(LEDGER), BASE], BASE],
    ],
    [
      'a ledger that is not staged',
      ['ledger-deleted ledger.jsonl undone'],
      [BASE, [], BASE, without(LEDGER)],
    ],
    [
      'a lost line',
      ['ledger-lines-rewritten ledger.jsonl'],
      [BASE, [], now({ [LEDGER]: 'one\n' })],
    ],
    [
      'another line',
      ['ledger-lines-rewritten ledger.jsonl'],
      [BASE, [], now({ [LEDGER]: 'one\n2\n' })],
    ],
    [
      'a line that came back',
      ['ledger-lines-rewritten ledger.jsonl undone'],
      [BASE, [now({ [LEDGER]: 'one\n' }), BASE], BASE],
    ],
    [
      'a line that is not staged',
      ['ledger-lines-rewritten ledger.jsonl undone'],
      [BASE, [], BASE, now({ [LEDGER]: 'one\n' })],
    ],
    ['a link as the ledger', ['not-a-file ledger.jsonl'], [BASE, [], now({ [LEDGER]: LINKED })]],
  ])('finds %s', (_, expected, given) => {
    expect(found(...given)).toEqual(expected)
  })
})
