import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ENDS } from '../../src/record/track-record.js'
import { makeOrigin, type Origin, recordIn, saveLedger } from '../record/disk.js'
import { day, MadeLedger } from '../record/made-ledger.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

let origin: Origin
beforeAll(async () => {
  origin = await makeOrigin()
}, 120_000)

async function recordOf(ledger: MadeLedger, on: number) {
  const folder = temporaryFolder()
  await saveLedger(folder, ledger, origin)
  const out = join(folder, 'record')
  const before = process.cpuUsage()
  const built = await inProcess([
    ...['record', '--protocols', join(folder, 'protocols'), '--now', day(on), '--out', out],
    ...['--registrations', join(folder, 'registrations', '*')],
    ...['--evidence', join(folder, 'evidence', '*')],
  ])
  const { user, system } = process.cpuUsage(before)
  expect([built.code, built.stderr]).toEqual([0, ''])
  return { folder, out, seconds: (user + system) / 1e6 }
}

/** What a keeper does on a day. */
type Act = readonly [on: number, act: () => void]

describe('fifty registrations, five of each end', () => {
  const END = 400
  let out: string
  let folder: string
  beforeAll(async () => {
    const ledger = new MadeLedger(origin.templates)
    const acts: Act[] = []
    for (let at = 0; at < 50; at++) {
      const end = ENDS[at % ENDS.length]!
      const on = at * 6
      const open = { awaiting_outcomes: [-6, -2], running: [-6, 8], announced: [8, 12] } as const
      const window = end in open ? open[end as keyof typeof open] : undefined
      const days = window
        ? ([END + window[0], END + window[1]] as const)
        : ([on + 2, on + 4] as const)
      let digest = ''
      const add = (after: number, act: () => void) => acts.push([on + after, act])
      add(0, () => {
        digest = ledger.register({ on, days })
        ledger.stamp(on + 0.1)
      })
      if (end === 'scored') add(5, () => ledger.score(digest, 'inconclusive', on + 5))
      if (end === 'result_withheld')
        add(5, () => ledger.results.delete(ledger.score(digest, 'negative', on + 5)))
      if (end === 'broken_off') add(5, () => ledger.read(digest, 1, null, on + 5))
      if (end === 'file_missing') add(5, () => ledger.registrations.delete(digest))
      if (end === 'cancelled' || end === 'closed') {
        const later = end === 'closed' ? 3 : 1
        add(later, () => {
          ledger.close(digest, 'abandoned', on + later)
          ledger.stamp(on + later + 0.1)
        })
      }
    }
    for (const [, act] of acts.sort(([a], [b]) => a - b)) act()
    const record = await recordOf(ledger, END)
    out = record.out
    folder = record.folder
  }, 120_000)

  /** What jq makes of a file. */
  const jq = (file: string, filter: string, ...more: string[]) =>
    JSON.parse(execFileSync('jq', [...more, '-c', filter, file], { encoding: 'utf8' }))

  it('are counted as jq counts the rows of record.json', () => {
    const file = join(out, 'record.json')
    const rows = jq(file, '[.registrations[] | .end] | group_by(.) | map({(.[0]): length}) | add')
    expect(rows).toEqual(Object.fromEntries([...ENDS].sort().map((end) => [end, 5])))
    expect(jq(file, '.counts.shown_by_others')).toEqual(rows)
    expect(jq(file, '[.counts.own_word[], .counts.backtests[]] | add')).toBe(0)
    const read =
      '[.registrations[] | select(.end != "cancelled" and .end != "running" and .end != "announced" and .end != "awaiting_outcomes")]'
    expect(jq(file, `${read} | length`)).toBe(30)
    const waiting = jq(
      file,
      '[.registrations[] | select(.end == "awaiting_outcomes" and .last_settled <= $now)] | length',
      '--arg',
      'now',
      day(END),
    )
    expect(jq(file, '.chance.evaluations')).toBe(30 + waiting)
    const sum = jq(
      file,
      '[.registrations[] | select(.last_settled <= $now and .end != "cancelled") | .alpha_share] | add',
      '--arg',
      'now',
      day(END),
    )
    expect(jq(file, '.chance.expected_at_most')).toBeCloseTo(sum, 12)
  })

  it('are counted as jq counts the lines of the ledger', () => {
    const file = join(folder, 'protocols', 'ledger.jsonl')
    const count = (member: string) => jq(file, `[.[] | select(.${member})] | length`, '-s')
    expect([count('registered_at'), count('closed_at'), count('result_at')]).toEqual([50, 10, 10])
    const { registrations } = recordIn(out)
    const closed = registrations.filter(({ closing }) => closing !== null)
    const withResult = registrations.filter(({ result }) => result !== null)
    expect([registrations.length, closed.length, withResult.length]).toEqual([50, 10, 10])
  })
})

it('a thousand registrations: built in five seconds, on a page of at most one megabyte', async () => {
  const ledger = new MadeLedger(origin.templates)
  const digests: string[] = []
  for (let at = 0; at < 1000; at++) {
    const on = at * 2
    const digest = ledger.register({ on, days: [on + 3, on + 9], candidates: [`model-${at % 40}`] })
    if (at % 5 === 0) ledger.stamp(on + 1)
    digests.push(digest)
    // Twelve days after its registration.
    if (at % 10 === 6) ledger.score(digests[at - 6]!, 'inconclusive', on + 1)
    if (at % 7 === 0 && at % 10 !== 0) ledger.close(digest, 'abandoned', on + 1)
  }
  const { out, seconds } = await recordOf(ledger, 3000)
  expect(recordIn(out).registrations).toHaveLength(1000)
  expect(statSync(join(out, 'index.html')).size).toBeLessThan(1_000_000)
  expect(seconds).toBeLessThan(5)
}, 300_000)
