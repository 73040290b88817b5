import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Any, Mutant } from './mutant.js'
import { type Edit, edit } from './sites.js'

const LOG = 'service/api/v1/log'

/** Changes a file of the log. */
const file =
  (path: string, change: (bytes: Buffer) => Buffer | string): Edit =>
  (folder) => {
    const name = join(folder, LOG, path)
    writeFileSync(name, change(readFileSync(name)))
  }
const text = (path: string, from: string | RegExp, to: string) =>
  file(path, (bytes) => bytes.toString().replace(from, to))
const gone =
  (path: string): Edit =>
  (folder) =>
    rmSync(join(folder, LOG, path), { recursive: true })
const list = (change: (body: Any) => unknown) => edit(`${LOG}/checkpoints.json`, change)
const flipped = (bytes: Buffer) => {
  bytes[40]! ^= 1
  return bytes
}
const OTHER_ROOT = Buffer.alloc(32, 7).toString('base64')

/** What can be wrong with the log of a site of 480 forecasts, sealed at 240 and, with a stamp, at 480. */
export const LOG_MUTANTS: readonly Mutant<Edit>[] = [
  ['a log without its newest checkpoint', 'log-checkpoint', gone('checkpoint')],
  [
    'a page of HTML for a checkpoint',
    'log-checkpoint',
    file('checkpoint', () => '<!doctype html>'),
  ],
  ['JSON for a checkpoint', 'log-checkpoint', file('checkpoint', () => '{}')],
  ['a checkpoint without its last line', 'log-checkpoint', text('checkpoint', /[^\n]+\n$/, '')],
  ['a checkpoint with a size of 0480', 'log-checkpoint', text('checkpoint', '480', '0480')],
  ['a checkpoint with a short root', 'log-checkpoint', text('checkpoint', /....=\n$/, '=\n')],
  ['a log without a list', 'log-list', gone('checkpoints.json')],
  ['a list that is none', 'log-list', file('checkpoints.json', () => '[]')],
  ['a list of another log', 'log-list', list((it) => (it.origin = 'elsewhere'))],
  ['a list without the newest', 'log-list', list((it) => it.checkpoints.pop())],
  ['a list in another order', 'log-list', list((it) => it.checkpoints.reverse())],
  [
    'a list with a path for a name',
    'log-list',
    list((it) => (it.checkpoints[1].authorities = ['../x'])),
  ],
  ['a list of more than there is', 'log-list', list((it) => (it.checkpoints[0].size = 100))],
  ['a listed checkpoint gone', 'log-list', gone('checkpoints/240')],
  [
    'a listed checkpoint that is another',
    'log-list',
    (folder) => {
      const at = (size: number) => join(folder, LOG, `checkpoints/${size}`)
      copyFileSync(at(480), at(240))
    },
  ],
  [
    'a checkpoint of another root',
    'log-root',
    text('checkpoints/240', /[^\n]+\n$/, `${OTHER_ROOT}\n`),
  ],
  ['a leaf that is another', 'log-tiles', file('tile/0/000', flipped)],
  ['a leaf of the partial tile that is another', 'log-root', file('tile/0/001.p/224', flipped)],
  ['a tile gone', 'log-tiles', gone('tile/0/000')],
  ['a partial tile gone', 'log-tiles', gone('tile/0/001.p/224')],
  ['a tile cut', 'log-tiles', file('tile/0/000', (bytes) => bytes.subarray(0, 8000))],
  [
    'a tile with more',
    'log-tiles',
    file('tile/0/001.p/224', (bytes) => Buffer.concat([bytes, bytes])),
  ],
  ['an upper tile that is another', 'log-tiles', file('tile/1/000.p/1', () => Buffer.alloc(32))],
  ['a stamp gone', 'log-stamps', gone('checkpoints/480.made.tsr')],
  ['a stamp that is none', 'log-stamps', file('checkpoints/480.made.tsr', () => 'x')],
  [
    'a stamp cut',
    'log-stamps',
    file('checkpoints/480.made.tsr', (bytes) => bytes.subarray(0, -20)),
  ],
  [
    'a stamp of another checkpoint',
    'log-stamps',
    (folder) => {
      const at = (size: number) => join(folder, LOG, `checkpoints/${size}.made.tsr`)
      copyFileSync(at(480), at(240))
      list((it) => (it.checkpoints[0].authorities = ['made']))(folder)
    },
  ],
  [
    'a stamp with a bit changed',
    'log-stamps',
    file('checkpoints/480.made.tsr', (bytes) => {
      bytes[bytes.length - 5]! ^= 1
      return bytes
    }),
  ],
]
