import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFixtures } from '../../fixtures/make.mjs'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import { enumerateFamily } from '../../src/registration/family.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

/**
 * The demo as it was first registered: under btcusd-hourly-1, by the percentile bootstrap, without any
 * member that came later. The names of its 3,915 tests are left out of the file and made anew; the
 * digest in it says whether they are the same.
 */
const EARLY = join(ROOT, 'test/golden/early-demo')
const PROTOCOL = 'protocols/btcusd-hourly-1.json'

/** What a result says of how it was judged, and the digest of that by the code of that time. */
const JUDGED = [
  ...['mode', 'settings', 'models', 'strata', 'accounting', 'outside_grid', 'measures'],
  ...['shared_keys', 'family', 'tests', 'controls', 'dispositions'],
]
const THEN = '6d477e6e367c6d2d1bce62d9b392dc609ba0bd93a7a682fb75b13de1935ffbbc'

const folder = temporaryFolder()

async function run(line: string) {
  const { code, stdout, stderr } = await foreproof(line.split(' '), { cwd: folder })
  expect(code, `${line}\n${stdout}${stderr}`).toBe(0)
}

it('the demo of the first protocol gives the result that it always gave', async () => {
  const early = JSON.parse(readFileSync(join(EARLY, 'registration.json'), 'utf8'))
  const family = enumerateFamily(early).map(({ name }) => name)
  writeFileSync(join(folder, 'registration.json'), JSON.stringify({ ...early, family }, null, 2))
  makeFixtures(folder, 60)
  cpSync(join(ROOT, PROTOCOL), join(folder, PROTOCOL))
  cpSync(join(EARLY, 'ledger.jsonl'), join(folder, 'protocols/ledger.jsonl'))
  await run('history import forecasts.ndjson --history history.sqlite')
  await run('outcomes import closes.csv --source made-exchange --out vintage')
  await run(
    `score --registration registration.json --protocol ${PROTOCOL} --history history.sqlite --outcomes vintage --out evaluation`,
  )
  const result = JSON.parse(readFileSync(join(folder, 'evaluation/result.json'), 'utf8'))
  const judged = Object.fromEntries(JUDGED.map((member) => [member, result[member]]))
  expect(sha256Hex(canonicalize(judged))).toBe(THEN)
}, 300_000)
