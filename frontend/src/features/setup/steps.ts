import type { SetupProgress } from './useSetup'

/** The steps, in order. */
export const steps = ['account', 'provider', 'play', 'arrs'] as const
export type Step = (typeof steps)[number]

/** What a step has to do with the server's state. */
export function isDone(step: Step, progress: SetupProgress): boolean {
  switch (step) {
    case 'account': return progress.user
    case 'provider': return progress.provider
    case 'play': return progress.webdav
    case 'arrs': return progress.arrAnswers
  }
}

/** Where one begins: at what the address asks for, else at the first that is not done; past the last if all are. Without a user there is only the account. */
export function present(asked: string | undefined, progress: SetupProgress | undefined): Step | 'over' {
  if (progress === undefined) return 'account'
  if (asked === 'over') return 'over'
  return steps.find((step) => step === asked) ?? steps.find((step) => !isDone(step, progress)) ?? 'over'
}

/** What comes after a step. */
export function following(step: Step): Step | 'over' {
  return steps[steps.indexOf(step) + 1] ?? 'over'
}
