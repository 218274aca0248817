import { CloseButton, Group, Text } from '@mantine/core'
import type { LogLine } from '~/api/types'
import { CopyButton } from '~/ui/CopyButton'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { Level } from './Level'
import classes from './Logs.module.css'
import { text } from './text'

/** The whole of one line. */
export function LineDetail({ line, onClose }: { line: LogLine; onClose: () => void }) {
  const t = useText(text)
  const format = useFormat()
  return (
    <section className={`surface ${classes.detail}`} aria-label={t.chosen}>
      <Group justify="space-between">
        <Group gap="sm"><Level level={line.level} /><time dateTime={line.time}>{format.dateTime(line.time)}</time><span className="mono">{line.category}</span></Group>
        <Group gap="xs"><CopyButton label={t.copy} value={[line.time, line.level, line.category, line.message, line.detail ?? ''].join('\n').trim()} /><CloseButton aria-label={t.close} onClick={onClose} /></Group>
      </Group>
      <Text mt="xs" style={{ overflowWrap: 'anywhere' }}>{line.message}</Text>
      {line.detail !== null && <pre className="mono">{line.detail}</pre>}
    </section>
  )
}
