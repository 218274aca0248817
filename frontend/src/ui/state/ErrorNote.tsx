import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useText } from '../text/catalogue'
import { text } from './text'

type Props = { error: Error; retry?: () => void; children?: ReactNode }

/** What went wrong, in the server's words, and the way out. */
export function ErrorNote({ error, retry, children }: Props) {
  const t = useText(text)
  return (
    <Alert color="red" variant="light" icon={<IconAlertOctagon aria-hidden />} role="alert">
      <Text>{error.message}</Text>
      <Group mt="xs" gap="xs">
        {retry !== undefined && <Button size="compact-sm" variant="default" onClick={retry}>{t.retry}</Button>}
        {children}
      </Group>
    </Alert>
  )
}
