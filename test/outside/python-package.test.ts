import { generateKeyPairSync } from 'node:crypto'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { MICROS_PER_SECOND } from '../../src/contract/instant.js'
import { closeRegistration } from '../../src/evaluation/close-registration.js'
import { enterRegistration } from '../../src/evaluation/enter-registration.js'
import { toVerifierKey } from '../../src/log/verifier-key.js'
import { ledgerPath } from '../../src/protocol/ledger-file.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { EVERY_KIND } from '../evaluation/every-kind.js'
import { scoreInto } from '../evaluation/score-into.js'
import { makeSeriesFolder } from '../evaluation/series-folder.js'
import {
  LOG_NAME,
  LogWitnesses,
  makeStampedWorld,
  stampRegistration,
  witnesses,
} from '../evaluation/stamped-world.js'
import { at, makeWorld, plan, type World } from '../evaluation/world.js'
import { BY_VERDICT } from '../registration/made.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { PYTHON, pythons, runPackage } from '../support/python.js'
import { ROOT } from '../support/run.js'
import { guide, putProgram, runLines } from './snippets.js'

/** `delay`: how many hours after it was due a forecast comes, by its key. */
async function stampedDays(delay?: (key: string) => number): Promise<World> {
  const by = await witnesses('alpha')
  const plan = { commitment: 'stamped', time: by.time(1) } as const
  return makeSeriesFolder({ by, plan, ...(delay && { delay }) })
}

const someAreLate = (key: string) => (/^a \d*7 /.test(key) ? 24 : 0)

/** Witnesses of a log, two of three of which have to cosign it. */
async function cosigned() {
  const by = await witnesses('alpha', 'beta')
  const now = () => Math.floor(by.now / MICROS_PER_SECOND)
  const key = generateKeyPairSync('ed25519').privateKey
  const of = new LogWitnesses(toVerifierKey(LOG_NAME, key), ['w0', 'w1', 'w2'], 2)
  await of.start(temporaryFolder(), now)
  const plan = { commitment: 'witnessed', time: { ...by.time(1), witnesses: of.rule } } as const
  return { by, plan, cosigning: () => ({ key, witnesses: { policy: of.policy(), now } }) }
}

/** Some forecasts come late: they are in the second reading alone. */
async function witnessedDays(): Promise<World> {
  return makeSeriesFolder({ ...(await cosigned()), delay: someAreLate })
}

async function witnessedHours(): Promise<World> {
  const { plan, ...of } = await cosigned()
  const delay = ({ originAt }: { originAt: string }) => (originAt.includes('T07') ? 2 : 0)
  return makeStampedWorld({ ...of, delay, method: BY_VERDICT, over: plan })
}

/** The first registration was closed before its window, so that the second has all of alpha. */
async function cancelledBefore(): Promise<World> {
  const by = await witnesses('alpha')
  const options = { hours: 48, method: BY_VERDICT }
  const world = await makeWorld(options)
  const { registration, protocol } = world.paths
  const closing = { as: 'abandoned', reason: 'no more data', registration, protocol } as const
  closeRegistration({ ...closing, now: at('2024-12-17T00:00:00Z') })
  by.now = at('2024-12-17T01:00:00Z')
  await stampRegistration(world, by)
  const planned = { ...plan(options), name: 'second' }
  const second = createRegistration(
    planned,
    compileRules(world.protocol),
    at('2024-12-18T00:00:00Z'),
  )
  const file = join(world.folder, 'second.json')
  enterRegistration(second, file, ledgerPath(protocol))
  return { ...world, paths: { ...world.paths, registration: file } }
}

const WORLDS = {
  ...EVERY_KIND,
  'stamped days': () => stampedDays(),
  'late days': () => stampedDays(someAreLate),
  'witnessed days': witnessedDays,
  'witnessed hours': witnessedHours,
  'cancelled before': cancelledBefore,
}
const evidence = temporaryFolder()

beforeAll(async () => {
  for (const [name, make] of Object.entries(WORLDS)) await keep(name, await make())
}, 300_000)

/** Scores a world, and keeps it with its history as text. */
async function keep(name: string, world: World): Promise<void> {
  await scoreInto(world, 'evidence')
  const { history } = world.paths
  const out = join(world.folder, 'history.ndjson')
  const { code } = await inProcess(['history', 'export', '--history', history, '--out', out])
  expect(code).toBe(0)
  cpSync(world.folder, join(evidence, name), { recursive: true })
}

it.each(pythons())(
  'Python %s passes the tests of the package',
  async (_, python) => {
    // Evidence and forged copies of it take a minute: one Python reads them, and all the vectors.
    const env = python === PYTHON ? { FOREPROOF_EVIDENCE: evidence } : {}
    const { code, said } = await runPackage(['-m', 'unittest'], { python, env })
    expect(code, said).toBe(0)
  },
  600_000,
)

it('python/README.md and docs/r.md go from frames to an evaluation and back', async () => {
  const home = temporaryFolder()
  let folder = temporaryFolder()
  putProgram(join(home, 'bin'))
  putProgram(join(home, 'bin'), 'npx')
  const text = readFileSync(join(ROOT, 'python/README.md'), 'utf8')
  for (const [, language, code = ''] of text.matchAll(/^```(sh|python)\n(.*?)^```/gms)) {
    const lines = language === 'sh' ? code : `${PYTHON} - <<'END'\n${code}END`
    const path = `export PYTHONPATH=${join(ROOT, 'python/src')}`
    await runLines(`${path}\n${lines}`, folder, home)
    const [, made] = /^mkdir (\S+) && cd/m.exec(lines) ?? []
    if (made) folder = join(folder, made)
  }
  // Forecasts that R reads from the evidence and writes again are those that are there.
  const { snippet, text: page } = guide('r.md')
  const lines = `Rscript - <<'END'\n${snippet('r')}END\n${/^ {4}(foreproof .*)$/m.exec(page)?.[1]}`
  expect(await runLines(lines, folder, home)).toContain('726 new, 0 already there, 0 in conflict')
})
