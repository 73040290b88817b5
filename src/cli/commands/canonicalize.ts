import { EXIT } from '../../contract/error.js'
import { canonicalize } from '../../document/canonical.js'
import { printReport } from '../../output/print.js'
import { loadDocument } from '../../protocol/load.js'
import { command } from '../command.js'
import { needed } from '../options.js'

export default command({
  positionals: '<file>',
  examples: {
    'foreproof canonicalize draft.json': 'exactly the bytes that are hashed',
    'foreproof canonicalize - < draft.json | sha256sum': 'the digest of the whole document',
  },
  options: {
    file: needed('A file, or - for standard input'),
  },
  run: async ({ file }, context) => {
    const document = await loadDocument(file, context.stdin)
    if (document.ok) {
      context.stdout.write(canonicalize(document.value))
      return EXIT.holds
    }
    return printReport({ ...context, stdout: context.stderr }, 'text', {
      findings: document.findings,
      source: () => document.text,
    })
  },
})
