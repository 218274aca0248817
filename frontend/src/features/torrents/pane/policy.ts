import type { TorrentPolicy } from '~/api/types'
import { isWrong, numberOf, type Typed } from './typed'

/** A policy as its form has it: what is empty is as the category says. */
export type PolicyFields = { keep: '' | 'yes' | 'no'; ratio: Typed; seedMinutes: Typed; idleMinutes: Typed; atLimit: '' | NonNullable<TorrentPolicy['atLimit']> }

/** What the form begins with. */
export function fieldsOf({ keep, ratio, seedMinutes, idleMinutes, atLimit }: TorrentPolicy): PolicyFields {
  return { keep: keep === null ? '' : keep ? 'yes' : 'no', ratio: ratio ?? '', seedMinutes: seedMinutes ?? '', idleMinutes: idleMinutes ?? '', atLimit: atLimit ?? '' }
}

/** True if a field holds no number: then there is nothing to send. */
export function hasFault({ ratio, seedMinutes, idleMinutes }: PolicyFields): boolean {
  return [ratio, seedMinutes, idleMinutes].some(isWrong)
}

/** What the server is told. */
export function policyOf({ keep, ratio, seedMinutes, idleMinutes, atLimit }: PolicyFields): TorrentPolicy {
  return { keep: keep === '' ? null : keep === 'yes', ratio: numberOf(ratio), seedMinutes: numberOf(seedMinutes), idleMinutes: numberOf(idleMinutes), atLimit: atLimit === '' ? null : atLimit }
}
