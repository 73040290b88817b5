/** Bytes that are no text in UTF-8: what they are, and what to do. */
export const ENCODING_WORDS = {
  zip: ['this is a zip archive', 'Unpack it and import the file inside.'],
  gzip: ['this is compressed with gzip', 'Unpack it first: gunzip FILE'],
  'utf-16': [
    'the text is UTF-16',
    'Save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8 FILE > NEW',
  ],
  binary: ['this is a binary file, not text', 'Check that this is the right file.'],
  'not-utf-8': [
    'the text is not valid UTF-8',
    'Check that this is the right file, and that it is not damaged.',
  ],
} as const
