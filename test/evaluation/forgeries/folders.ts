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
import { type Case, cases, without } from './case.js'

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
  ...cases('evidence-foreign-files', {
    'a page beside the report': (of) => of.put('index.html', 'fine'),
    'a report that looks the same': (of) => of.put('rеport.html', 'x'),
  }),
  ...cases('folder evidence-not-a-file', {
    'a folder': (of) => mkdirSync(of.file('more')),
    'a folder for a report': instead(FILES.html, mkdirSync),
    'a folder for the pairs': instead(FILES.pairs, mkdirSync),
    'a pipe for the result': instead(FILES.result, pipe),
    'a pipe for a report': instead(FILES.html, pipe),
    'a pipe for the paths': instead(FILES.inputs, pipe),
    'a device for the record of readings': instead(FILES.access, (path) =>
      symlinkSync('/dev/zero', path),
    ),
    'a link to the true result': (of) => {
      renameSync(of.file(FILES.result), join(of.world, 'aside.json'))
      symlinkSync('../aside.json', of.file(FILES.result))
    },
  }),
  ...cases('report report-of-other-run', {
    'a second name of a foreign report': instead(FILES.html, (path) =>
      linkSync(join(path, '..', '..', 'second', FILES.html), path),
    ),
  }),
  ...cases('result evidence-unreadable', {
    'a result of 1 TiB': instead(FILES.result, sparse(2 ** 40)),
  }),
  ...cases('pairs evidence-unreadable', {
    'pairs of 17 GiB': instead(FILES.pairs, sparse(17 * 2 ** 30)),
    'no pairs': without(FILES.pairs),
  }),
  ...cases('report evidence-unreadable', {
    'no report': without(FILES.html),
    'a report of 1 TiB': instead(FILES.markdown, sparse(2 ** 40)),
    'a pipe for a report while the pairs are compared': (of) => () => instead(FILES.html, pipe)(of),
  }),
  ...cases('access evidence-unreadable', {
    'no record of readings': without(FILES.access),
    'a record of 1 TiB': instead(FILES.access, sparse(2 ** 40)),
  }),
  ...cases('registration evidence-unreadable', {
    'a path to a device': paths({ registration: `${'../'.repeat(20)}dev/zero` }),
    'a path to a pipe': (of) => {
      pipe(join(of.world, 'pipe'))
      paths({ registration: '../pipe' })(of)
    },
  }),
  ...cases('ledger evidence-unreadable', {
    'a pipe for the ledger': instead('../protocols/ledger.jsonl', pipe),
  }),
  ...cases('outcomes evidence-unreadable', {
    'a pipe for the closes': instead('../vintage/closes.csv', pipe),
  }),
  ...cases('not-found', {
    'no result': without(FILES.result),
  }),
  ...cases('usage', {
    'no paths': without(FILES.inputs),
  }),
  ...cases('inputs-file-differs', {
    'paths and something else': paths({ note: 'fine' }),
  }),
  ...cases('ledger ledger-absent', {
    'a path to itself': paths({ protocol: '.' }),
  }),
]
