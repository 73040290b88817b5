import { instantOrNaN } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { closeRegistration } from '../../evaluation/close-registration.js'
import { findProtocolFolder } from '../../evaluation/load.js'
import { command } from '../command.js'
import { choice, needed, TEXT_OR_JSON, text } from '../options.js'

export default command({
  positionals: '<registration>',
  examples: {
    'foreproof close registration.json --as abandoned --reason "The model was retired in May."':
      'Says in the ledger that it will not be scored',
    'foreproof close registration.json --as void --reason "The exchange stopped trading."':
      'The same of one that cannot be scored any more',
  },
  options: {
    format: TEXT_OR_JSON,
    registration: needed('The file that foreproof register wrote'),
    protocol: text('The frozen protocol or its folder (by default found from the registration)'),
    as: {
      ...choice(
        ['void', 'abandoned'],
        'void: it cannot be scored any more; abandoned: anything else',
      ),
      demandOption: true as const,
    },
    reason: needed('Why, in one line of at most 500 characters, for everybody to read'),
  },
  run: ({ registration, as, reason, ...args }, { answer, now }) => {
    const protocol = args.protocol ?? findProtocolFolder(registration)
    const at = now()
    const closed = closeRegistration({ registration, protocol, as, reason, now: at })
    const { entry, firstInputs } = closed
    const cancels =
      instantOrNaN(firstInputs ?? '') > at
        ? `To cancel it at no cost in alpha, stamp the ledger before ${firstInputs}: foreproof stamp --tsa URL\n`
        : ''
    const { seq, protocol_version, closed_at } = entry
    return answer(
      { ok: true, entry },
      `${printable(registration)}: closed as ${as} by entry ${seq} (${protocol_version}, ${closed_at})\nThe registration stays in the ledger, and counts as registered.\n${cancels}Next: commit the ledger.\n`,
    )
  },
})
