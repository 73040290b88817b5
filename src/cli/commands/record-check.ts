import { readCodeVersion } from '../../evaluation/code-version.js'
import { readTrusted } from '../../log/trusted.js'
import { checkRecord } from '../../record/check.js'
import { recordLines } from '../../record/words.js'
import { command } from '../command.js'
import { ANCHORS_FOLDER, FORMAT, needed, text } from '../options.js'
import { recordFigures } from '../record-report.js'
import { pluralize } from '../wording.js'

export default command({
  positionals: '<folder>',
  examples: {
    'foreproof record check record': 'Does the page follow from the folder, and how is it today?',
    'foreproof record check record --against ledger-2026-05.jsonl':
      'Was anything removed since that copy?',
    'foreproof record check record --anchors my-anchors --witnesses my.policy':
      'What is left by your own authorities and witnesses?',
  },
  options: {
    format: FORMAT,
    folder: needed('The folder that foreproof record wrote'),
    against: text('An older copy of the ledger, which this one must contain'),
    anchors: text(`${ANCHORS_FOLDER}: no other stamp counts`),
    witnesses: text('Policy file of your own witnesses: no other cosignature counts'),
    log: text('The list of a log (checkpoints.json of its site): its registrations must be here'),
  },
  run: async ({ folder, against, log, ...trusted }, { now, report }) => {
    const options = { folder, against, log, ...readTrusted(trusted), now: now() }
    const { findings, record } = await checkRecord({ ...options, code: readCodeVersion() })
    return await report({
      findings,
      figures: { folder, ...recordFigures(record) },
      checked: [folder],
      headline: `record of ${pluralize(record.registrations.length, 'registration')}, by your clock`,
      body: recordLines(record).join('\n'),
    })
  },
})
