import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { cosignaturesBy, noteOf } from '../../src/log/cosignature.js'
import { readNote } from '../../src/log/note.js'
import { KEY_TYPE, readVerifierKey } from '../../src/log/verifier-key.js'
import { temporaryFolder } from '../support/folder.js'
import { RunningWitness } from '../witness/running.js'
import { listOf, TestLog } from '../witness/test-log.js'

const MOMENTS = 50
const folder = temporaryFolder()
const logs = Array.from({ length: MOMENTS }, (_, at) => new TestLog(`example.org/log${at}`))
const witness = new RunningWitness('w', folder)

afterAll(() => witness.stop('SIGKILL'))

it('never signs two histories, killed at 50 moments', async () => {
  writeFileSync(join(folder, 'logs.txt'), listOf(logs))
  await witness.init()
  await witness.start()
  const key = readVerifierKey(witness.vkey, KEY_TYPE.cosignature)!
  let answered = 0
  for (const [at, log] of logs.entries()) {
    expect((await witness.ask(await log.request(0, 4)))?.status).toBe(200)
    const requests = await Promise.all(['a', 'b'].map((branch) => log.request(4, 9, branch)))
    // The witness is under load while it is killed; which branch comes first changes.
    const order = at % 2 === 0 ? requests : requests.toReversed()
    const asked = order.map((request) => witness.ask(request))
    await pause((at * 30) / MOMENTS)
    await witness.stop('SIGKILL')
    const early = await Promise.all(asked)
    await witness.start()
    const late = await Promise.all(order.map((request) => witness.ask(request)))
    // What was kept but not answered any more is answered now.
    const same = await Promise.all(['a', 'b'].map((branch) => log.request(9, 9, branch)))
    const again = await Promise.all(same.map((request) => witness.ask(request)))
    expect(again.map((one) => one?.status).sort()).toEqual([200, 422])
    const signed = [...early, ...late, ...again].flatMap((one) =>
      one?.status === 200 ? [one.body] : [],
    )
    answered += early.filter((one) => one?.status === 200).length
    const branches = await Promise.all(
      ['a', 'b'].map(async (branch) => {
        const { body } = readNote(await log.note(9, branch))!
        return signed.some((line) => {
          const note = readNote(noteOf(body, [line]))!
          return cosignaturesBy(note, key, Date.now() / 1000).sound.length > 0
        })
      }),
    )
    expect(branches.filter(Boolean).length).toBe(1)
    expect(late.map((one) => one?.status)).toContain(409)
  }
  // Some were killed before their answer, others after it.
  expect(answered).toBeGreaterThan(0)
  expect(answered).toBeLessThan(MOMENTS)
}, 300_000)
