import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Any, type Mutant, mutantsOf } from './mutant.js'
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
export const LOG_MUTANTS: readonly Mutant<Edit>[] = mutantsOf<Edit>({
  'log-checkpoint': {
    'a log without its newest checkpoint': gone('checkpoint'),
    'a page of HTML for a checkpoint': file('checkpoint', () => '<!doctype html>'),
    'a checkpoint without its last line': text('checkpoint', /[^\n]+\n$/, ''),
    'a checkpoint with a size of 0480': text('checkpoint', '480', '0480'),
  },
  'log-list': {
    'a log without a list': gone('checkpoints.json'),
    'a list that is none': file('checkpoints.json', () => '[]'),
    'a list of another log': list((it) => (it.origin = 'elsewhere')),
    'a list without the newest': list((it) => it.checkpoints.pop()),
    'a list in another order': list((it) => it.checkpoints.reverse()),
    'a list with a path for a name': list((it) => (it.checkpoints[1].authorities = ['../x'])),
    'a list of more than there is': list((it) => (it.checkpoints[0].size = 100)),
    'a listed checkpoint gone': gone('checkpoints/240'),
    'a listed checkpoint that is another': (folder) => {
      const at = (size: number) => join(folder, LOG, `checkpoints/${size}`)
      copyFileSync(at(480), at(240))
    },
  },
  'log-root': {
    'a checkpoint of another root': text('checkpoints/240', /[^\n]+\n$/, `${OTHER_ROOT}\n`),
    'a leaf of the partial tile that is another': file('tile/0/001.p/224', flipped),
  },
  'log-tiles': {
    'a leaf that is another': file('tile/0/000', flipped),
    'a tile gone': gone('tile/0/000'),
    'a partial tile gone': gone('tile/0/001.p/224'),
    'a tile cut': file('tile/0/000', (bytes) => bytes.subarray(0, 8000)),
    'an upper tile that is another': file('tile/1/000.p/1', () => Buffer.alloc(32)),
  },
  'log-stamps': {
    'a stamp gone': gone('checkpoints/480.made.tsr'),
    'a stamp that is none': file('checkpoints/480.made.tsr', () => 'x'),
    'a stamp of another checkpoint': (folder) => {
      const at = (size: number) => join(folder, LOG, `checkpoints/${size}.made.tsr`)
      copyFileSync(at(480), at(240))
      list((it) => (it.checkpoints[0].authorities = ['made']))(folder)
    },
    'a stamp with a bit changed': file('checkpoints/480.made.tsr', (bytes) => {
      bytes[bytes.length - 5]! ^= 1
      return bytes
    }),
  },
})
