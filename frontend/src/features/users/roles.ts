import { useMemo } from 'react'
import type { User } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

const Roles: readonly User['role'][] = ['viewer', 'operator', 'administrator']

/** The roles by name, from the fewest rights to all. */
export function useRoles() {
  const t = useText(text)
  return useMemo(() => Roles.map((value) => ({ value, label: t.roles[value] })), [t])
}
