import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../src/protocol/verify.js'
import { inProcess } from '../support/in-process.js'
import { readText } from '../support/text-file.js'
import { audited, scoreInto } from './score-into.js'
import { at, copyOf, editText, makeWorld, type World } from './world.js'

let made: World
beforeAll(async () => {
  made = await makeWorld({ hours: 60, replicates: 100 })
})

const takeOver = (evidence: string, { paths }: World) =>
  inProcess(['ledger', 'rebase', '--evidence', evidence, '--dir', paths.protocol])
const ledgerIn = ({ paths }: World) => readText(join(paths.protocol, 'ledger.jsonl'))

describe('a result that was scored beside another copy of the ledger', () => {
  it('is entered here with its readings, once', async () => {
    const [there, here] = [copyOf(made), copyOf(made)]
    const { result } = await scoreInto(there, 'evidence')
    const evidence = join(there.folder, 'evidence')
    expect((await takeOver(evidence, here)).code).toBe(0)
    expect(ledgerIn(here)).toBe(ledgerIn(there))
    const taken = ledgerIn(here)
    expect((await takeOver(evidence, here)).code).toBe(0)
    expect(ledgerIn(here)).toBe(taken)
    expect(verifyLedger(here.paths.protocol)?.findings).toEqual([])
    const { protocol } = here.paths
    expect(await audited(evidence, { paths: { protocol } })).toMatchObject({
      ok: true,
      findings: [],
    })
    // Read again here, it is exploratory.
    const again = await scoreInto(here, 'again', { now: () => at('2025-07-01T00:00:00Z') })
    expect([again.result.earlier_readings, again.result.result_sha256]).toEqual([
      1,
      result.result_sha256,
    ])
  })

  it('is refused where outcomes were read here, too, or its record was edited', async () => {
    const [there, here] = [copyOf(made), copyOf(made)]
    await scoreInto(there, 'evidence')
    await scoreInto(here, 'own', { now: () => at('2025-06-02T00:00:00Z') })
    const evidence = join(there.folder, 'evidence')
    const before = ledgerIn(here)
    const { code, stderr } = await takeOver(evidence, here)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('outcomes were read in both places'),
    ])
    expect(ledgerIn(here)).toBe(before)
    editText(join(evidence, 'access.jsonl'), (text) => text.replace('2025-06-01', '2025-05-30'))
    const edited = await takeOver(evidence, copyOf(made))
    expect([edited.code, edited.stderr]).toEqual([
      1,
      expect.stringContaining('record of readings is broken'),
    ])
  })

  it('is refused beside a ledger without its registration', async () => {
    const [there, here] = [copyOf(made), copyOf(made)]
    await scoreInto(there, 'evidence')
    editText(join(here.paths.protocol, 'ledger.jsonl'), (text) => `${text.split('\n')[0]}\n`)
    const { code, stderr } = await takeOver(join(there.folder, 'evidence'), here)
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not have its registration')])
  })
})
