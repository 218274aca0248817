import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What stands where there is nothing yet: why, and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="xl" ta="center">
      <Text fw={600} size="lg">{title}</Text>
      {children}
    </Stack>
  )
}
