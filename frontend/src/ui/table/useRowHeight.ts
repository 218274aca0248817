import { useMediaQuery } from '@mantine/hooks'

/** Pixels of the titles above the rows. */
export const HeadHeight = 32

/** How lists are drawn here: rows of 36 px, of 48 px for fingers, of 64 px on narrow screens, where they take three lines and have no titles. */
export function useRowHeight(): { height: number; narrow: boolean } {
  const narrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
  const coarse = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false })
  return { height: narrow ? 64 : coarse ? 48 : 36, narrow }
}
