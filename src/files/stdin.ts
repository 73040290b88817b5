/** How standard input is written on the command line, and how findings name it. */
export const STDIN = '-'
export const STDIN_NAME = '<stdin>'
