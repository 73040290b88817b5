import { EXIT } from '../../contract/error.js'
import { sha256Hex } from '../../document/digest.js'
import { writeFileAtomic } from '../../files/atomic.js'
import { command } from '../command.js'
import { textOr } from '../options.js'
import { verifyPage } from '../page-file.js'
import { twoColumns } from '../wording.js'

export default command({
  examples: { 'foreproof verify-page --out verify.html': 'Write it, and print its digest' },
  options: {
    out: textOr('verify.html', 'File to write; it is replaced'),
  },
  run: ({ out }, { stdout }) => {
    const page = verifyPage()
    writeFileAtomic(out, page)
    stdout.write(`${twoColumns([[sha256Hex(page), out]])}\n`)
    return EXIT.holds
  },
})
