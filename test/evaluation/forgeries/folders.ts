import { spawnSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { FILES } from '../../../src/evaluation/evidence/folder.js'
import type { Forger } from '../forger.js'
import { editText } from '../world.js'
import type { Case } from './case.js'

/** Puts something else in the place of a file. */
const instead = (name: string, make: (path: string) => void) => (of: Forger) => {
  rmSync(of.file(name), { force: true })
  make(of.file(name))
}

const pipe = (path: string) => expect(spawnSync('mkfifo', [path]).status).toBe(0)
const sparse = (bytes: number) => (path: string) => {
  writeFileSync(path, '')
  truncateSync(path, bytes)
}

const paths = (recorded: object) => (of: Forger) =>
  editText(of.file(FILES.inputs), (text) => JSON.stringify({ ...JSON.parse(text), ...recorded }))

export const FOLDERS: Case[] = [
  ['a page beside the report', (of) => of.put('index.html', 'fine'), 'evidence-foreign-files'],
  ['a report that looks the same', (of) => of.put('rеport.html', 'x'), 'evidence-foreign-files'],
  ['a folder', (of) => mkdirSync(of.file('more')), 'evidence-not-a-file'],
  ['a folder for a report', instead(FILES.html, mkdirSync), 'evidence-not-a-file'],
  ['a folder for the pairs', instead(FILES.pairs, mkdirSync), 'evidence-not-a-file'],
  ['a pipe for the result', instead(FILES.result, pipe), 'evidence-not-a-file'],
  ['a pipe for a report', instead(FILES.html, pipe), 'evidence-not-a-file'],
  ['a pipe for the paths', instead(FILES.inputs, pipe), 'evidence-not-a-file'],
  [
    'a device for the record of readings',
    instead(FILES.access, (path) => symlinkSync('/dev/zero', path)),
    'evidence-not-a-file',
  ],
  [
    'a link to the true result',
    (of) => {
      renameSync(of.file(FILES.result), join(of.world, 'aside.json'))
      symlinkSync('../aside.json', of.file(FILES.result))
    },
    'evidence-not-a-file',
  ],
  [
    'a second name of a foreign report',
    instead(FILES.html, (path) => linkSync(join(path, '..', '..', 'second', FILES.html), path)),
    'report-of-other-run',
  ],
  [
    'a pipe for the pairs while they are compared',
    (of) => () => instead(FILES.html, pipe)(of),
    'evidence-unreadable',
  ],
  ['pairs of 17 GiB', instead(FILES.pairs, sparse(17 * 2 ** 30)), 'evidence-unreadable'],
  ['a result of 1 TiB', instead(FILES.result, sparse(2 ** 40)), 'evidence-unreadable'],
  ['a report of 1 TiB', instead(FILES.markdown, sparse(2 ** 40)), 'evidence-unreadable'],
  ['a record of 1 TiB', instead(FILES.access, sparse(2 ** 40)), 'evidence-unreadable'],
  ['no report', (of) => rmSync(of.file(FILES.html)), 'evidence-unreadable'],
  ['no record of readings', (of) => rmSync(of.file(FILES.access)), 'evidence-unreadable'],
  ['no result', (of) => rmSync(of.file(FILES.result)), 'not-found'],
  ['no paths', (of) => rmSync(of.file(FILES.inputs)), 'usage'],
  ['paths and something else', paths({ note: 'fine' }), 'inputs-file-differs'],
  [
    'a path to a device',
    paths({ registration: `${'../'.repeat(20)}dev/zero` }),
    'evidence-unreadable',
  ],
  ['a path to itself', paths({ protocol: '.' }), 'ledger-absent'],
  [
    'a path to a pipe',
    (of) => {
      pipe(join(of.world, 'pipe'))
      paths({ registration: '../pipe' })(of)
    },
    'evidence-unreadable',
  ],
  [
    'a pipe for the ledger',
    (of) => {
      rmSync(join(of.world, 'protocols', 'ledger.jsonl'))
      pipe(join(of.world, 'protocols', 'ledger.jsonl'))
    },
    'evidence-unreadable',
  ],
  [
    'a pipe for the closes',
    (of) => {
      rmSync(join(of.world, 'vintage', 'closes.csv'))
      pipe(join(of.world, 'vintage', 'closes.csv'))
    },
    'evidence-unreadable',
  ],
]
