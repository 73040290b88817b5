import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeAll, expect, it } from 'vitest'
import { checkedInstant, formatUtc, MICROS_PER_DAY } from '../../src/contract/instant.js'
import { ENDS, type End } from '../../src/record/track-record.js'
import { HEADER, PLAN, PROTOCOL } from '../evaluation/series-folder.js'
import { startAuthority } from '../outside/snippets.js'
import { recordIn } from '../record/disk.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { numbers } from '../support/random.js'

const folder = temporaryFolder()
const path = (...parts: string[]) => join(folder, ...parts)
const CANDIDATES = Array.from({ length: 7 }, (_, at) => `model-${at}`)
/** As few as the protocol takes. */
const ORIGINS = 50
/** When the record is built: what was scored was settled more than 30 days before. */
const END = 162

const FIRST = checkedInstant('2024-01-01T00:00:00Z')
const after = (days: number) => FIRST + Math.round(days * MICROS_PER_DAY)
const instantOn = (days: number) => formatUtc(after(days))
const dayOf = (day: number) => instantOn(day).slice(0, 10)

/** The clock of commands and of the authority, in days. */
let today = 0
const now = () => after(today)

/** What a keeper types. @param clock - of this run */
async function run(line: string, clock = now) {
  const words = line.match(/"[^"]*"|\S+/g) ?? []
  const argv = words.map((word) => word.replace(/^@/, `${folder}/`).replaceAll('"', ''))
  return await inProcess(argv, {}, new PassThrough(), process.stdin, clock)
}

async function done(line: string): Promise<void> {
  const { code, stdout, stderr } = await run(line)
  expect(code, `${line}\n${stdout}${stderr}`).toBe(0)
}

/** Done on a day, and in the order of the days. */
type Act = readonly [on: number, act: () => Promise<void>]

/** Values of two series, one a day, as long as any are scored. */
const next = numbers(1)
const values = Array.from({ length: 120 }, () => [0, 1].map(() => 100 + 10 * next()))

const truth = () =>
  values.flatMap((both, day) =>
    both.map((value, of) => `${'ab'[of]},${dayOf(day)},${value},${instantOn(day + 1.5)}`),
  )

/** Those of one day; the first model knows nothing of the outcomes, the last one most. */
const forecasts = (day: number) =>
  CANDIDATES.flatMap((model, skill) =>
    [0, 1].flatMap((of) =>
      [1, 2].map((step) => {
        const point = 105 + (skill / 7) * (values[day + step]![of]! - 105) + next() / 10
        const cells = [dayOf(day), step, model, point, point - 4, point + 4]
        return ['ab'[of], ...cells, instantOn(day + 1.1)].join(',')
      }),
    ),
  )

/** The first origin of each, and when it is registered. */
function windowOf(end: End, group: number): readonly [from: number, registered: number] {
  if (end === 'awaiting_outcomes') return [105 + group, 95 + group]
  if (end === 'running') return [140 + group, 130 + group]
  return end === 'announced' ? [180 + group, 150 + group] : [60 + group, 45 + group]
}

const score = (name: string) =>
  `score --registration @registrations/${name}.json --protocol @protocols --history @history.sqlite --outcomes @vintage --out @evidence/${name} --workers 1`

/** A keeper stops a run when outcomes are read: then a run looks at the clock for the third time. */
async function breakOff(name: string) {
  let looks = 0
  const { code } = await run(score(name), () => {
    looks += 1
    if (looks === 3) process.emit('SIGINT')
    return now()
  })
  expect(code).toBe(3)
}

/** What happens to a registration after it was registered. */
const LATER: Partial<Record<End, (name: string, on: number) => Act>> = {
  scored: (name) => [130, () => done(score(name))],
  result_withheld: (name) => [131, () => done(score(name))],
  broken_off: (name) => [132, () => breakOff(name)],
  cancelled: (name, on) => [on + 3, () => close(name)],
  closed: (name, on) => [on + 30, () => close(name)],
}

async function close(name: string) {
  await done(
    `close @registrations/${name}.json --protocol @protocols --as abandoned --reason "no more data"`,
  )
  await done(`stamp --dir @protocols --tsa ${url}`)
}

let url: string

beforeAll(async () => {
  const authority = await startAuthority('tsa', now)
  url = authority.url
  for (const each of ['protocols/anchors', 'plans', 'registrations']) {
    mkdirSync(path(each), { recursive: true })
  }
  writeFileSync(path('protocols', 'anchors', 'tsa.pem'), authority.anchorPem)
  writeFileSync(path('draft.json'), JSON.stringify(PROTOCOL))
  writeFileSync(path('truth.csv'), ['series,period,value,as_of', ...truth(), ''].join('\n'))
  const { fingerprint256 } = new X509Certificate(authority.anchorPem)
  const anchor_sha256 = fingerprint256.replaceAll(':', '').toLowerCase()
  const time = { at_least: 1, authorities: [{ name: 'tsa', anchor_sha256 }] }

  today = 40
  await done('periods --days --zone UTC --from 2024-01-01 --to 2024-12-31 --out @days.csv')
  await done('freeze @draft.json --periods @days.csv --dir @protocols')
  const acts: Act[] = []
  for (let at = 0; at < 50; at++) {
    const end = ENDS[at % ENDS.length]!
    const name = `r${String(at).padStart(2, '0')}-${end}`
    const [from, on] = windowOf(end, Math.floor(at / ENDS.length))
    const window = { from: dayOf(from), to: dayOf(from + ORIGINS - 1) }
    const candidates = [CANDIDATES[at % CANDIDATES.length]]
    const plan = { ...PLAN, name, window, candidates, commitment: 'stamped', time }
    writeFileSync(path('plans', `${name}.json`), JSON.stringify(plan))
    const line = `register @plans/${name}.json --protocol @protocols/daily-1.json --out @registrations/${name}.json --stamp ${url}`
    acts.push([on, () => done(line)])
    const later = LATER[end]?.(name, on)
    if (later) acts.push(later)
  }
  for (let day = 60; day < 60 + 4 + ORIGINS; day++) {
    acts.push([
      day + 1.125,
      async () => {
        writeFileSync(path('forecasts.csv'), [HEADER, ...forecasts(day), ''].join('\n'))
        const of = '--history @history.sqlite'
        await done(`history import @forecasts.csv --protocol @protocols/daily-1.json ${of}`)
        const to = `--log example.org/made --tsa ${url} --anchors @protocols/anchors`
        await done(`history seal ${of} ${to}`)
      },
    ])
  }
  const outcomes = '--protocol @protocols/daily-1.json --source made --out @vintage'
  acts.push([129, () => done(`outcomes import @truth.csv ${outcomes}`)])
  for (const [on, act] of acts.sort(([a], [b]) => a - b)) {
    today = on
    await act()
  }
  // What a keeper does not show.
  for (const name of readdirSync(path('registrations'))) {
    if (name.includes('file_missing')) rmSync(path('registrations', name))
  }
  for (const name of readdirSync(path('evidence'))) {
    if (name.includes('result_withheld')) rmSync(path('evidence', name), { recursive: true })
  }
  today = END
  await done(
    'record --protocols @protocols --registrations @registrations/* --evidence @evidence/* --out @record',
  )
}, 300_000)

/** Ends and chance by the definitions of docs/record.md, from the keeper's own files. */
const BY_HAND = `
  [inputs | {file: input_filename, value: .}] as $all
  | def of($part): [$all[] | select(.file | contains($part)) | .value];
  of("/ledger.jsonl") as $ledger
  | (of("/registrations/") | INDEX(.registration_sha256)) as $here
  | (of("/result.json") | INDEX(.result_sha256)) as $results
  | [of("/access/")[].registration_sha256] as $read
  | def first_of($time; $digest):
      first($ledger[] | select(has($time) and .registration_sha256 == $digest)) // null;
  [ $ledger[] | select(.registered_at)
    | .registration_sha256 as $digest
    | first_of("result_at"; $digest) as $entered
    | first_of("closed_at"; $digest) as $closed
    | $here[$digest] as $registration
    | {
        seq,
        window: $registration.window,
        candidate: $registration.candidates[0].name,
        verdict: $results[$entered.result_sha256 // ""].reading.dispositions[0].disposition,
        end: (
          if $entered then (if $results[$entered.result_sha256] then "scored" else "result_withheld" end)
          elif any($read[]; . == $digest) then "broken_off"
          elif $closed then (if $closed.closed_at < .first_inputs then "cancelled" else "closed" end)
          elif $registration == null then "file_missing"
          elif (.last_settled | fromdate) + 30 * 24 * 3600 < ($now | fromdate) then "overdue"
          elif $registration.window.last_due <= $now then "awaiting_outcomes"
          elif .first_inputs <= $now then "running"
          else "announced" end),
        over: ($entered != null or $closed != null or .last_settled <= $now)
      }
  ] as $rows
  | [ $rows[] | select(.end != "cancelled" and .over) | . as $own
      | [ $rows[]
          | select(.seq < $own.seq and .end != "cancelled" and .candidate == $own.candidate)
          | select(.window and $own.window)
          | select(.window.first_due <= $own.window.last_due and .window.last_due >= $own.window.first_due)
        ] | length + 1 | if . == 1 then 1 else . * (. + 1) end
    ] as $divisors
  | {
      rows: ($rows | map([.seq, .end])),
      ends: ($rows | group_by(.end) | map({(.[0].end): length}) | add),
      evaluations: ($divisors | length),
      eligible: ($rows | map(select(.verdict == "eligible_for_human_review")) | length),
      expected: ($divisors | map(0.05 / (2 * .)) | add)
    }`

it('fifty registrations, made by commands, are counted as jq counts their files', () => {
  const list = (part: string, file = '') =>
    readdirSync(path(part)).map((name) => path(part, name, file))
  const files = [
    path('protocols', 'ledger.jsonl'),
    ...list('protocols/access'),
    ...list('registrations'),
    ...list('evidence', 'result.json'),
  ]
  const text = execFileSync('jq', ['-n', '--arg', 'now', instantOn(END), BY_HAND, ...files])
  const counted = JSON.parse(text.toString())
  const each = (count: number) => Object.fromEntries(ENDS.map((end) => [end, count]))
  expect(counted.ends).toEqual(each(5))
  const { registrations, counts, chance } = recordIn(path('record'))
  expect(registrations.map(({ seq, end }) => [seq, end])).toEqual(counted.rows)
  expect(counts).toEqual({ shown_by_others: counted.ends, own_word: each(0), backtests: each(0) })
  expect(chance).toEqual({
    ...{ evaluations: counted.evaluations, eligible: counted.eligible, waiting_given_away: 0 },
    expected_at_most: expect.closeTo(counted.expected, 12),
  })
})

it('and the check of their record finds nothing', async () => {
  await done('record check @record')
})
