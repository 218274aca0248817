import { Group, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { setPageTitle } from './title'

/** The heading of a page, its actions at the right, and the title of the browser's tab. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => setPageTitle(title), [title])
  return (
    <Group justify="space-between" mb="md" mih={36} gap="sm">
      <Title order={1}>{title}</Title>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </Group>
  )
}
