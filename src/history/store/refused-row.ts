/** Thrown for a row that the history's own rules refuse: a producer may have made them stricter. */
export class RefusedRow extends Error {}
