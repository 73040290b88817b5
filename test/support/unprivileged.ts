const AS_ROOT = process.getuid?.() === 0
const WITHOUT_OVERRIDE = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', '--']

/**
 * The command line that runs `command` as a user to whom the modes of files mean something. They
 * mean nothing to root, whose right to pass them over is taken away here. It stays the same user:
 * another one might not reach this program, in root's home for example.
 */
export function unprivileged(command: readonly string[]): readonly string[] {
  return AS_ROOT ? [...WITHOUT_OVERRIDE, ...command] : command
}
