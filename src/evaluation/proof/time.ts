import {
  type RegistrationTime,
  type RegistrationTimeOptions,
  readRegistrationTime,
} from '../../time/registration-time.js'
import { demand, guarded } from '../links.js'
import type { Documents } from '../load.js'

/** As `readRegistrationTime`; the link `time` does not hold where that finds an error. */
export async function proveTime(
  documents: Documents,
  folder: string,
  options: RegistrationTimeOptions = {},
): Promise<RegistrationTime | undefined> {
  const read = () => readRegistrationTime(documents, folder, options)
  const { time, findings, moved } = await guarded('time', read)
  demand('time', findings)
  demand('ledger', moved)
  return time && { ...time, findings: [...time.findings, ...moved] }
}
