/** The same as in the schema of a registration: such a name becomes part of file names and addresses. */
const AUTHORITY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Whether an authority can be called so: 1 to 64 letters of ASCII, digits and `._-`, no mark at the front. */
export function isAuthorityName(name: unknown): name is string {
  return typeof name === 'string' && AUTHORITY.test(name)
}
