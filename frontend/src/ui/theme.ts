import { createTheme, defaultVariantColorsResolver, type CSSVariablesResolver, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core'

// 6 carries white text at 5.0:1 in light, 4 carries #06202D at 7.5:1 in dark (WCAG 2.2 formula).
const accent: MantineColorsTuple = ['#e9f5fb', '#d3e8f3', '#a5cfe5', '#74b9d9', '#5bb8e0', '#2d8ab4', '#0b6e99', '#095f85', '#074f6f', '#04384f']

// Surfaces, borders and texts of components in dark: of the same blue grey as the roles below.
const dark: MantineColorsTuple = ['#e6ebf0', '#c9d1d9', '#a7b3bf', '#94a1ad', '#4a5866', '#2b3642', '#202a34', '#171e26', '#0f1419', '#0b0f13']

/** Mantine looks at the light scheme alone for what stands on a filled button: these variables tell it for both. */
const resolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  const name = input.color ?? input.theme.primaryColor
  return input.variant === 'filled' && (name === 'accent' || name === 'red') ? { ...colors, color: `var(--nz-on-${name})` } : colors
}

/** The look: system fonts, small radii, an accent of our own because Mantine's blue fails contrast in light. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 4 },
  variantColorResolver: resolver,
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { accent, dark },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.34', sm: '1.39', md: '1.43', lg: '1.5', xl: '1.4' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } } },
  radius: { sm: '4px', md: '8px' },
  defaultRadius: 'sm',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  breakpoints: { xs: '30em', sm: '40em', md: '64em', lg: '75em', xl: '90em' },
  focusRing: 'auto',
  cursorType: 'pointer',
  // Without a colour it writes in white on whatever the accent is.
  components: { Chip: { defaultProps: { color: 'accent' } } },
  respectReducedMotion: true,
})

/** Colours by role. Ratios were computed against background, surface and sunken: text ≥ 14:1, secondary ≥ 6.5:1, borders of controls ≥ 3:1, states ≥ 4.7:1 on their tint. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f7f8fa', '--mantine-color-text': '#16202b', '--mantine-color-dimmed': '#4a5764', '--mantine-color-placeholder': '#5b6874',
    '--mantine-color-default-border': '#7d8894', '--mantine-color-anchor': '#0b6e99', '--mantine-color-error': '#b3261e', '--mantine-color-default': '#ffffff',
    '--nz-surface': '#ffffff', '--nz-sunken': '#eef1f4', '--nz-hairline': '#d5dbe1',
    '--nz-streaming': '#0b6e99', '--nz-importing': '#5b4bc4', '--nz-waiting': '#8a5a00', '--nz-failed': '#b3261e', '--nz-repaired': '#0f766e', '--nz-done': '#1f7a3a', '--nz-paused': '#55606b',
    '--nz-tint': '10%', '--nz-on-accent': '#ffffff', '--nz-on-red': '#ffffff', '--mantine-color-red-filled': '#b3261e', '--mantine-color-red-filled-hover': '#96201a',
    '--mantine-color-red-light': 'color-mix(in srgb, #b3261e 10%, #ffffff)', '--mantine-color-red-light-hover': 'color-mix(in srgb, #b3261e 10%, #ffffff)', '--mantine-color-red-light-color': '#b3261e',
    '--mantine-color-yellow-light': 'color-mix(in srgb, #8a5a00 10%, #ffffff)', '--mantine-color-yellow-light-hover': 'color-mix(in srgb, #8a5a00 10%, #ffffff)', '--mantine-color-yellow-light-color': '#8a5a00',
    '--nz-line-0': '#0b6e99', '--nz-line-1': '#c2571a', '--nz-line-2': '#5b4bc4', '--nz-line-3': '#0f766e', '--nz-line-4': '#a8327a', '--nz-line-5': '#7a6a00',
  },
  dark: {
    '--mantine-color-body': '#0f1419', '--mantine-color-text': '#e6ebf0', '--mantine-color-dimmed': '#a7b3bf', '--mantine-color-placeholder': '#94a1ad',
    '--mantine-color-default-border': '#6b7885', '--mantine-color-anchor': '#5bb8e0', '--mantine-color-error': '#ff8a80', '--mantine-color-default': '#171e26', '--mantine-color-default-hover': '#202a34',
    '--nz-surface': '#171e26', '--nz-sunken': '#0b0f13', '--nz-hairline': '#2b3642',
    '--nz-streaming': '#5bb8e0', '--nz-importing': '#a79cf5', '--nz-waiting': '#e0ae4a', '--nz-failed': '#ff8a80', '--nz-repaired': '#4fd1c0', '--nz-done': '#6fcf8a', '--nz-paused': '#9aa6b2',
    '--nz-tint': '16%', '--nz-on-accent': '#06202d', '--nz-on-red': '#2b0705', '--mantine-color-red-filled': '#ff8a80', '--mantine-color-red-filled-hover': '#ffa39b',
    '--mantine-color-red-light': 'color-mix(in srgb, #ff8a80 16%, #171e26)', '--mantine-color-red-light-hover': 'color-mix(in srgb, #ff8a80 24%, #171e26)', '--mantine-color-red-light-color': '#ff8a80',
    '--mantine-color-yellow-light': 'color-mix(in srgb, #e0ae4a 16%, #171e26)', '--mantine-color-yellow-light-hover': 'color-mix(in srgb, #e0ae4a 24%, #171e26)', '--mantine-color-yellow-light-color': '#e0ae4a',
    '--nz-line-0': '#5bb8e0', '--nz-line-1': '#f0a06a', '--nz-line-2': '#a79cf5', '--nz-line-3': '#4fd1c0', '--nz-line-4': '#f08cc0', '--nz-line-5': '#d6c24a',
  },
})
