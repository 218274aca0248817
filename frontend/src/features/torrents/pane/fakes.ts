import { fireEvent } from '@testing-library/react'

/** For tests: replaces what a number field shows, key by key; each comes before the unit. */
export function typed(field: HTMLInputElement, keys: string): void {
  fireEvent.change(field, { target: { value: '' } })
  for (const key of keys) fireEvent.change(field, { target: { value: field.value.replace(/[^\d.-]+$/, '') + key } })
}
