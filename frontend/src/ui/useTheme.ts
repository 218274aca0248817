import { mergeThemeOverrides, type MantineThemeOverride } from '@mantine/core'
import { useMemo } from 'react'
import { defineText, useText } from './text/catalogue'
import { theme } from './theme'

const text = defineText({ close: 'Close' }, { close: 'Schließen' })

/** The look, with a name in the page's language for each cross that has none of its own, such as those of notifications. */
export function useTheme(): MantineThemeOverride {
  const { close } = useText(text)
  return useMemo(() => mergeThemeOverrides(theme, {
    components: {
      CloseButton: { defaultProps: { 'aria-label': close } },
      // Else an element that is no item has the focus first, which has no place in a menu (WAI-ARIA).
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    },
  }), [close])
}
