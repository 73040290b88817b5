import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { MICROS_PER_SECOND } from '../../src/contract/instant.js'
import { KEY_TYPE, toVerifierKey } from '../../src/log/verifier-key.js'
import {
  LOG_NAME,
  LogWitnesses,
  makeStampedWorld,
  type Witnesses,
  witnesses,
} from '../evaluation/stamped-world.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { writeText } from '../support/text-file.js'
import { recordIn } from './disk.js'

const folder = temporaryFolder()
const record = join(folder, 'record')
const logKey = generateKeyPairSync('ed25519').privateKey
const log = toVerifierKey(LOG_NAME, logKey)
const of = new LogWitnesses(log, ['w0', 'w1', 'w2'], 2)

/** An evaluation whose ledger has lost its stamps: witnesses saw its registration in the log. */
beforeAll(async () => {
  const by: Witnesses = await witnesses('alpha')
  const now = () => Math.floor(by.now / MICROS_PER_SECOND)
  await of.start(folder, now)
  const cosigning = () => ({ key: logKey, witnesses: { policy: of.policy(), now } })
  const over = { commitment: 'witnessed', time: { ...by.time(1), witnesses: of.rule } } as const
  const { paths } = await makeStampedWorld({ by, cosigning, over })
  const { registration, history, outcomes } = paths
  const inputs = ['--registration', registration, '--history', history, '--outcomes', outcomes]
  const evidence = join(folder, 'evidence')
  const scored = await inProcess(['score', ...inputs, '--out', evidence])
  expect([scored.code, scored.stderr]).toEqual([0, ''])
  rmSync(join(paths.protocol, 'stamps'), { recursive: true })
  const line = ['record', '--protocols', paths.protocol, '--evidence', evidence, '--out', record]
  expect(await inProcess(line)).toMatchObject({ code: 0, stderr: '' })
}, 120_000)

const check = async (...more: string[]) => {
  const { code, stdout } = await inProcess(['record', 'check', record, ...more, '--format', 'json'])
  return { code, ...JSON.parse(stdout) }
}

/** A policy file of these witnesses. */
function policyFile(name: string, keys: readonly string[]): string {
  const lines = keys.map((key, at) => `witness a${at} ${key}\n`).join('')
  const file = join(folder, name)
  writeText(
    file,
    `log ${log.text}\n${lines}group q 2 ${keys.map((_, at) => `a${at}`).join(' ')}\nquorum q\n`,
  )
  return file
}

describe('a registration that witnesses saw', () => {
  it('is shown by others, with a proof that needs no other file', () => {
    const { registrations, ledger } = recordIn(record)
    expect(registrations).toMatchObject([
      {
        ...{ table: 'shown_by_others', end: 'scored', commitment: 'witnessed' },
        proofs: [{ kind: 'witness', by: LOG_NAME, entry: null }],
      },
    ])
    expect(ledger).toMatchObject({ first_seen: null, whole_to: null })
    const [row] = registrations
    expect(readdirSync(join(record, 'proofs'))).toEqual([`${row?.registration_sha256}.json`])
  })

  it('is shown to a reader whose own witnesses are among them, and to no other', async () => {
    const own = policyFile('own', [...of.keys.values()])
    expect(await check('--witnesses', own)).toMatchObject({
      ...{ code: 0, findings: [], counts: { shown_by_others: { scored: 1 } } },
    })
    const strange = ['s0', 's1', 's2'].map((name) => {
      const { privateKey } = generateKeyPairSync('ed25519')
      return toVerifierKey(`${name}.example`, privateKey, KEY_TYPE.cosignature).text
    })
    expect(await check('--witnesses', policyFile('strange', strange))).toMatchObject({
      counts: { shown_by_others: { scored: 0 }, own_word: { scored: 1 } },
    })
  })

  it('is not shown without its proof, which the check names', async () => {
    rmSync(join(record, 'proofs'), { recursive: true })
    const { code, findings } = await check()
    expect(code).toBe(1)
    expect(findings.map((found: { code: string }) => found.code)).toContain('record-differs')
  })
})
