import { Group, Text } from '@mantine/core'
import { IconAlertOctagon, IconCheck, IconClock, IconGauge, IconPlayerPause } from '@tabler/icons-react'
import type { Provider } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

const looks = {
  connected: { icon: IconCheck, colour: 'var(--nz-done)' },
  idle: { icon: IconPlayerPause, colour: 'var(--nz-paused)' },
  connecting: { icon: IconClock, colour: 'var(--nz-waiting)' },
  usedUp: { icon: IconGauge, colour: 'var(--nz-waiting)' },
  down: { icon: IconAlertOctagon, colour: 'var(--nz-failed)' },
} as const

/** How a provider stands: a sign and a word. */
export function State({ state }: { state: Provider['state'] }) {
  const t = useText(text)
  const { icon: Icon, colour } = looks[state]
  return (
    <Group gap={4} wrap="nowrap" data-state={state}>
      <Icon size={16} aria-hidden color={colour} />
      <Text size="sm" fw={600} c={colour}>{t.states[state]}</Text>
    </Group>
  )
}
