import { EXIT } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import { canonicalize } from '../../document/canonical.js'
import { digestWithout, sha256Hex } from '../../document/digest.js'
import type { UnreadableDocument } from '../../document/read.js'
import { selectFiles } from '../../files/select.js'
import { printReport } from '../../output/print.js'
import { loadDocument } from '../../protocol/load.js'
import { PROTOCOL_DIGEST } from '../../protocol/rules/check.js'
import { command } from '../command.js'
import { CHECKED_FILES, textOr, textOrJson } from '../options.js'
import { textLookup } from '../wording.js'

export default command({
  positionals: '<files..>',
  examples: {
    'foreproof digest draft.json': 'what protocol_sha256 has to be',
    'foreproof digest registration.json --member registration_sha256': 'of a registration',
  },
  options: {
    files: CHECKED_FILES,
    member: textOr(PROTOCOL_DIGEST, 'The top-level member to leave out'),
    format: textOrJson('text is one line a file, as sha256sum prints it'),
  },
  run: async ({ files, member, format }, context) => {
    const faulty: UnreadableDocument[] = []
    const digests: { file: string; sha256: string }[] = []
    for (const path of selectFiles(files)) {
      const document = await loadDocument(path, context.stdin)
      if (!document.ok) faulty.push(document)
      else digests.push({ file: document.file, sha256: computeDigest(document.value, member) })
    }
    const findings = faulty.flatMap((document) => document.findings)
    if (format === 'json') return printReport(context, 'json', { findings, figures: { digests } })
    context.stdout.write(
      digests.map(({ file, sha256 }) => `${sha256}  ${printable(file)}\n`).join(''),
    )
    if (findings.length === 0) return EXIT.holds
    return printReport({ ...context, stdout: context.stderr }, 'text', {
      findings,
      source: textLookup(faulty),
    })
  },
})

function computeDigest(value: unknown, member: string): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? digestWithout(value, member) : sha256Hex(canonicalize(value))
}
