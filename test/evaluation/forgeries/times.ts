import { copyFileSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Forger } from '../forger.js'
import { editText } from '../world.js'
import { type Case, cases, inHistory, result, without } from './case.js'

const ENTRIES = 'time/log/entries.ndjson'
const CHECKPOINTS = 'time/log/checkpoints'

/** The folder of the one stamped entry, below another one. */
const stampsIn = (folder: string): string => join(folder, readdirSync(folder)[0] as string)
const evidenceStamps = (of: Forger) => stampsIn(of.file('time/stamps'))
const liveStamps = (of: Forger) => stampsIn(join(of.world, 'protocols', 'stamps'))
const sizes = (of: Forger) =>
  readdirSync(of.file(CHECKPOINTS))
    .map(Number)
    .sort((a, b) => a - b)
const lines = (change: (all: string[]) => unknown) => (of: Forger) =>
  editText(of.file(ENTRIES), (text) => {
    const all = text.trimEnd().split('\n')
    change(all)
    return `${all.join('\n')}\n`
  })
const leafOf = (line: string | undefined) => (JSON.parse(line ?? '') as { leaf: string }).leaf

/** Stamps and commitments: of the evidence, beside the ledger, and in the history. */
export const TIMES: Case[] = [
  ...cases('time registration-not-stamped', {
    'a stamp of the evidence is gone': (of) => rmSync(join(evidenceStamps(of), 'alpha.tsr')),
    'the stamp of one authority passes for another': (of) =>
      copyFileSync(join(evidenceStamps(of), 'beta.tsr'), join(evidenceStamps(of), 'alpha.tsr')),
    'nothing of it is there': (of) => rmSync(of.file('time'), { recursive: true }),
    'a token is no token': (of) => writeFileSync(join(evidenceStamps(of), 'alpha.tsr'), 'x'),
  }),
  ...cases('log log-root-differs', {
    'a leaf of the log is another one': lines((all) => {
      all[7] = (all[7] ?? '').replace(leafOf(all[7]), 'a'.repeat(64))
    }),
    'the last leaf is gone': lines((all) => all.pop()),
    'two leaves change places': lines((all) => all.splice(1, 2, all[2] ?? '', all[1] ?? '')),
    'a checkpoint has another root': (of) =>
      editText(of.file(`${CHECKPOINTS}/${sizes(of)[3]}`), (text) => {
        const [origin, size] = text.split('\n')
        return `${origin}\n${size}\n${Buffer.alloc(32).toString('base64')}\n`
      }),
  }),
  ...cases('time pinned-anchor-differs', {
    'an anchor is another one': (of) =>
      copyFileSync(of.file('time/anchors/beta.pem'), of.file('time/anchors/alpha.pem')),
  }),
  ...cases('time result-not-recomputed', {
    'the time of the registration is another one': result((result) => {
      result.time!.stamped_at = '2024-12-15T00:00:00Z'
    }),
    'a result says nothing of time': result((result) => {
      result.time = null
    }),
  }),
  ...cases('computation result-not-recomputed', {
    'more forecasts were committed': result((result) => {
      result.time!.commitment!.models[0]!.committed += 1
    }),
  }),
  ...cases('log result-not-recomputed', {
    'a result says nothing of the log': result((result) => {
      result.time!.commitment = null
    }),
    'a checkpoint has lost one of three stamps': (of) =>
      rmSync(of.file(`time/log/stamps/${sizes(of)[3]}/beta.tsr`)),
    'a checkpoint is gone': (of) => rmSync(of.file(`${CHECKPOINTS}/${sizes(of)[3]}`)),
    'a checkpoint has lost its stamp': (of) =>
      rmSync(of.file(`time/log/stamps/${sizes(of)[3]}`), { recursive: true }),
  }),
  ...cases('time evidence-stamp-gone', {
    'a stamp beside the ledger is gone': (of) => rmSync(join(liveStamps(of), 'beta.tsr')),
    'a stamp beside the ledger is another one': (of) =>
      editText(join(liveStamps(of), 'beta.tsr'), (text) => `${text} `),
  }),
  ...cases('log evidence-unreadable', {
    'a leaf is slipped in': lines((all) => all.splice(3, 0, all[0] ?? '')),
    'a leaf follows the last checkpoint': lines((all) => all.push(all[0] ?? '')),
    'a line is no entry': lines((all) => all.splice(4, 1, '{}')),
    'the entries are gone': without(ENTRIES),
    'the log is gone': (of) => rmSync(of.file('time/log'), { recursive: true }),
    'a line is spelt in another way': lines((all) =>
      all.splice(4, 1, (all[4] ?? '').replace(',', ', ')),
    ),
    'the last checkpoint is gone': (of) => rmSync(of.file(`${CHECKPOINTS}/${sizes(of).at(-1)}`)),
  }),
  ...cases('log log-rewritten', {
    'an entry of the window says no key': lines((all) => {
      all[4] = `{"leaf":"${leafOf(all[4])}"}`
    }),
    'the history says no key of any entry': inHistory(
      'UPDATE foreproof_log_entries SET origin_at = NULL, horizon_hours = NULL, model_name = NULL, kind = NULL',
    ),
    'an entry has the key of another row': lines((all) =>
      all.splice(4, 1, (all[4] ?? '').replace('seer', 'seen')),
    ),
    'the history has another leaf': inHistory(
      'UPDATE foreproof_log_entries SET leaf_hash = randomblob(32) WHERE leaf_index = 9',
    ),
    'the history has lost its last entries': inHistory(
      'DELETE FROM foreproof_log_entries WHERE leaf_index > 30',
    ),
    'the history says another key of an entry': inHistory(
      "UPDATE foreproof_log_entries SET model_name = 'x' WHERE leaf_index = 9",
    ),
  }),
  ...cases('log log-checkpoint-gone', {
    'the history has lost the stamps of its log': inHistory('DELETE FROM foreproof_log_stamps'),
    'the history has lost a checkpoint': inHistory(
      'DELETE FROM foreproof_log_checkpoints WHERE size < 20',
    ),
  }),
  ...cases('time evidence-stamp-gone anchor', {
    'the anchors beside the ledger are gone': (of) =>
      rmSync(join(of.world, 'protocols', 'anchors'), { recursive: true }),
  }),
  ...cases('log log-checkpoint-unreadable', {
    'a checkpoint is of another size': (of) =>
      copyFileSync(
        of.file(`${CHECKPOINTS}/${sizes(of)[3]}`),
        of.file(`${CHECKPOINTS}/${sizes(of)[4]}`),
      ),
  }),
  ...cases('history history-differs changed', {
    'a row is changed where only its entry shows it': inHistory(
      "UPDATE foreproof_resources SET resource_json = replace(resource_json, 'true', '1')",
    ),
  }),
  ['a file beside the stamps', (of) => of.put('time/note.txt', 'x'), 'evidence-foreign-files'],
  ...cases('folder evidence-not-a-file', {
    'a folder among the checkpoints': (of) => mkdirSync(of.file(`${CHECKPOINTS}/7`)),
    'a link for a token': (of) => {
      const file = join(evidenceStamps(of), 'alpha.tsr')
      rmSync(file)
      symlinkSync(join(liveStamps(of), 'alpha.tsr'), file)
    },
    'a link for all of it': (of) => {
      rmSync(of.file('time'), { recursive: true })
      symlinkSync('../second/time', of.file('time'))
    },
  }),
]
