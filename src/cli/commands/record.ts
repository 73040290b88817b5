import { existsSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { finding, hasNoErrors } from '../../contract/findings/finding.js'
import { readCodeVersion } from '../../evaluation/code-version.js'
import { FILES } from '../../evaluation/evidence/folder.js'
import { assertNewFolder } from '../../files/new-folder.js'
import { expandPattern, selectFiles } from '../../files/select.js'
import { gatherRecord } from '../../record/gather.js'
import { recordLines } from '../../record/words.js'
import { writeRecord } from '../../record/write.js'
import { parseWebAddress } from '../../remote/address.js'
import { command } from '../command.js'
import { anInstant, FORMAT, flag, needed, readAs, text, textOr, texts, usage } from '../options.js'
import { recordFigures } from '../record-report.js'
import { pluralize } from '../wording.js'

export default command({
  examples: {
    "foreproof record --registrations 'registrations/*' --evidence 'evidence/*' --out record":
      'Everything that was ever registered, on one page: record/index.html',
    "foreproof record --evidence 'evidence/*' --whole --out record":
      'With all files of the evidence, for readers who audit it',
  },
  options: {
    format: FORMAT,
    protocols: textOr('protocols', 'The folder of the ledger'),
    registrations: texts(
      'Registrations: a file, a folder, or a pattern with * (repeatable); without it, those that the ledger names',
    ),
    evidence: texts('Folders that foreproof score wrote: a folder or a pattern (repeatable)'),
    out: needed('The folder to write; it must not exist'),
    whole: flag('Copy all files of the evidence, not only the results'),
    'evidence-url': readAs(
      text('Where the evidence is published, each folder by the digest of its result'),
      addressIn,
    ),
    now: anInstant('Build it as of this time (default: the clock)'),
  },
  run: async (args, { now, report }) => {
    const { protocols, registrations, evidence = [], out, whole } = args
    assertNewFolder(out)
    const folders = evidence.flatMap(evidenceIn)
    assertOutside(out, [protocols, ...folders])
    const gathered = await gatherRecord({
      ...{ protocols, isComplete: whole },
      registrations: registrations && selectFiles(registrations.flatMap(expandPattern)),
      evidence: folders,
      evidenceUrl: args['evidence-url'] ?? null,
      now: args.now ?? now(),
      code: readCodeVersion(),
    })
    const findings = [
      ...emptyPatterns(registrations ?? [], expandPattern),
      ...emptyPatterns(evidence, evidenceIn),
      ...gathered.findings,
    ]
    if (!hasNoErrors(findings)) {
      const headline = 'no record was written: what it is made from has faults'
      return await report({ findings, figures: { out: null }, checked: [protocols], headline })
    }
    const record = writeRecord(gathered, out)
    return await report({
      findings,
      figures: { out, ...recordFigures(record) },
      checked: [protocols],
      headline: `record of ${pluralize(record.registrations.length, 'registration')}`,
      body: [...recordLines(record), `Page: ${join(out, 'index.html')}`].join('\n'),
    })
  },
})

/** @throws {ForeproofError} `refused`: what the record is made from would hold the record. */
function assertOutside(out: string, folders: readonly string[]): void {
  const inside = folders.find((folder) =>
    `${resolve(out)}${sep}`.startsWith(`${resolve(folder)}${sep}`),
  )
  if (inside === undefined) return
  throw new ForeproofError('refused', `${out}: lies in ${inside}, which the record is made from`, {
    ...{ file: out, help: 'Choose a folder beside it.' },
  })
}

const emptyPatterns = (
  patterns: readonly string[],
  named: (pattern: string) => readonly string[],
) =>
  patterns
    .filter((pattern) => pattern.includes('*') && named(pattern).length === 0)
    .map((pattern) => finding('record-pattern-empty', { pattern }))

/** The evidence folders that an argument names; a pattern may name other things too. */
const evidenceIn = (pattern: string): readonly string[] =>
  pattern.includes('*')
    ? expandPattern(pattern).filter((folder) => existsSync(join(folder, FILES.result)))
    : [pattern]

function addressIn(given: string): string {
  if (parseWebAddress(given) !== undefined) return given.replace(/\/+$/, '')
  throw usage(
    '--evidence-url: not the address of a page',
    'Give an address like https://example.org/evidence, without a user name or password.',
  )
}
