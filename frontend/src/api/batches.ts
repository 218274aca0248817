import type { ActionAnswer } from './types'

/** Most ids that the server takes in one call. */
export const MostIds = 1_000

/** The ids in parts that the server takes, in their order; one empty part if there are none. */
export function batches(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.max(1, Math.ceil(ids.length / MostIds)) }, (_, at) => ids.slice(at * MostIds, (at + 1) * MostIds))
}

/** Several answers as one. */
export function sum(answers: readonly ActionAnswer[]): ActionAnswer {
  return { done: answers.reduce((done, answer) => done + answer.done, 0), refused: answers.flatMap(({ refused }) => refused) }
}

/** Asks for as many ids as there are, part after part. */
export async function inBatches(ids: readonly string[], ask: (part: string[]) => Promise<ActionAnswer>): Promise<ActionAnswer> {
  const answers: ActionAnswer[] = []
  for (const part of batches(ids)) answers.push(await ask(part))
  return sum(answers)
}
