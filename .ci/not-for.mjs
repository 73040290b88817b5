/**
 * Writes the table of docs/not-for.md: how many days a plan takes, as `power` says of the plan that the template proposes.
 * Needs the build, and hourly closes, which are not in this repository. Takes a minute.
 *
 * node .ci/not-for.mjs CLOSES            writes the table
 * node .ci/not-for.mjs CLOSES --check    exits with 1 when the table is not the one it would write
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { daysText } from '../dist/report/power/words.js'

const PAGE = new URL('../docs/not-for.md', import.meta.url)
const ROOT = fileURLToPath(new URL('..', import.meta.url))

const [closes = '', mode] = process.argv.slice(2)
const given = ['--protocol', 'protocols/btcusd-hourly-4.json', '--outcomes', resolve(closes)]
const foreproof = (args, input) =>
  JSON.parse(
    execFileSync(process.execPath, ['bin/foreproof.js', ...args, ...given], { cwd: ROOT, input }),
  )

// What is left to fill in moves no figure: names, and cut-points of strata.
const template = foreproof(['register', '--template'])
const plan = JSON.stringify(template, (name, value) => {
  if (typeof value !== 'string' || !value.startsWith('<')) return value
  return name === 'below' ? 0.01 : 'a'
})
const cutPoints = plan.replace('"below":0.01', '"below":0.005')
const { predictions } = foreproof(['power', '--plan', '-', '--format', 'json'], cutPoints)

const cells = (row) => `| ${row.join(' | ')} |`
const reductions = predictions[0].days_needed.map(({ reduction }) => reduction).reverse()
const daysFor =
  (reduction) =>
  ({ days_needed: needed }) =>
    daysText(needed.find((each) => each.reduction === reduction).days).replace(/(?<=\d)\s/, ',')
const table = [
  ['better by', ...predictions.map(({ correlation }) => `correlation ${correlation}`)],
  Array(predictions.length + 1).fill('---'),
  ...reductions.map((each) => [`${100 * each} %`, ...predictions.map(daysFor(each))]),
]
  .map((row) => `  ${cells(row)}\n`)
  .join('')

const page = readFileSync(PAGE, 'utf8')
const written = page.replace(/(?: {2}\|.*\|\n)+/, table)
if (mode !== '--check') writeFileSync(PAGE, written)
else if (page !== written) {
  console.error(
    `docs/not-for.md does not have the table that node .ci/not-for.mjs writes:\n${table}`,
  )
  process.exitCode = 1
}
