/** As in the schema of a registration, because the name becomes part of file names and addresses. */
const AUTHORITY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/**
 * Whether a name is valid for an authority: 1 to 64 ASCII letters, digits and `._-`, starting with a letter or digit.
 */
export function isAuthorityName(name: unknown): name is string {
  return typeof name === 'string' && AUTHORITY.test(name)
}
