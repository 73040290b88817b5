import { EXIT } from '../../contract/error.js'
import type { Finding } from '../../contract/findings/finding.js'
import { canonicalize } from '../../document/canonical.js'
import { digestWithout, sha256Hex } from '../../document/digest.js'
import { selectFiles } from '../../files/select.js'
import { printReport } from '../../output/print.js'
import { loadDocument } from '../../protocol/load.js'
import { PROTOCOL_DIGEST } from '../../protocol/rules/check.js'
import type { Command } from '../command.js'
import { Sources } from '../sources.js'

interface Arguments {
  files: string[]
  member: string
  format: 'text' | 'json'
}

const command: Command<Arguments> = {
  positionals: '<files..>',
  describe: 'Print the SHA-256 of the canonical form of documents, without their own digest member',
  examples: [
    ['foreproof digest draft.json', 'what protocol_sha256 has to be'],
    ['foreproof digest registration.json --member registration_sha256', 'of a registration'],
  ],
  options: (yargs) =>
    yargs
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Files, folders, patterns, or - for standard input',
      })
      .option('member', {
        type: 'string',
        default: PROTOCOL_DIGEST,
        describe: 'The top-level member to leave out',
      })
      .option('format', {
        choices: ['text', 'json'] as const,
        default: 'text' as const,
        describe: 'text is one line a file, as sha256sum prints it',
      }),
  run: async ({ files, member, format }, context) => {
    const findings: Finding[] = []
    const sources = new Sources()
    const digests: { file: string; sha256: string }[] = []
    for (const path of await selectFiles(files)) {
      const document = await loadDocument(path, context.stdin)
      if (document.ok)
        digests.push({ file: document.file, sha256: digestOf(document.value, member) })
      else {
        sources.keep(document)
        findings.push(...document.findings)
      }
    }
    if (format === 'json') return printReport(context, 'json', { findings, figures: { digests } })
    context.stdout.write(digests.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''))
    if (findings.length === 0) return EXIT.holds
    return printReport({ ...context, stdout: context.stderr }, 'text', {
      findings,
      source: sources.of,
    })
  },
}

export default command

function digestOf(value: unknown, member: string): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? digestWithout(value, member) : sha256Hex(canonicalize(value))
}
