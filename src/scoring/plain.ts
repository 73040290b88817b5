/** A number without the last digits that come only from binary arithmetic. */
export const plain = (value: number): string => String(Number(value.toPrecision(12)))
