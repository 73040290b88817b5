import {
  type RegistrationTime,
  type RegistrationTimeOptions,
  readRegistrationTime,
} from '../../time/registration-time.js'
import { assertReadable, assertSound } from '../links.js'
import type { Documents } from '../load.js'

/** As `readRegistrationTime`; the link `time` does not hold where that finds an error. */
export async function verifyTime(
  documents: Documents,
  folder: string,
  options: RegistrationTimeOptions = {},
): Promise<RegistrationTime | undefined> {
  const read = () => readRegistrationTime(documents, folder, options)
  const { time, findings, moved } = await assertReadable('time', read)
  assertSound('time', findings)
  assertSound('ledger', moved)
  return time && { ...time, findings: [...time.findings, ...moved] }
}
