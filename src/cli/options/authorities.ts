import type { Argv } from 'yargs'
import { checkAuthorityAddress } from '../../time/ask.js'

/** Adds the addresses of time-stamp authorities, under the name that suits the command. */
export function withAuthorities<A, N extends string>(
  yargs: Argv<A>,
  name: N,
  describe: string,
): Argv<A & { [K in N]: string[] | undefined }> {
  return yargs.option(name, {
    type: 'string',
    array: true,
    // One each: what follows the address is not another one.
    nargs: 1,
    describe,
  }) as never
}

/** @throws {ForeproofError} `usage` for what is no address, before anything is done. */
export function checkAuthorities(urls: readonly string[]): void {
  for (const url of urls) checkAuthorityAddress(url)
}
