import type { TorrentPolicy } from '~/api/types'

/** A policy as its form has it: what is empty is as the category says. */
export type PolicyFields = { keep: '' | 'yes' | 'no'; ratio: number | ''; seedMinutes: number | ''; idleMinutes: number | ''; atLimit: '' | NonNullable<TorrentPolicy['atLimit']> }

/** What the form begins with. */
export function fieldsOf({ keep, ratio, seedMinutes, idleMinutes, atLimit }: TorrentPolicy): PolicyFields {
  return { keep: keep === null ? '' : keep ? 'yes' : 'no', ratio: ratio ?? '', seedMinutes: seedMinutes ?? '', idleMinutes: idleMinutes ?? '', atLimit: atLimit ?? '' }
}

/** What the server is told. */
export function policyOf({ keep, ratio, seedMinutes, idleMinutes, atLimit }: PolicyFields): TorrentPolicy {
  const number = (value: number | '') => value === '' ? null : value
  return { keep: keep === '' ? null : keep === 'yes', ratio: number(ratio), seedMinutes: number(seedMinutes), idleMinutes: number(idleMinutes), atLimit: atLimit === '' ? null : atLimit }
}
