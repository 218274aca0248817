import { List } from '@mantine/core'
import { Notice } from '../state/Notice'
import { useText } from '../text/catalogue'
import type { SettingFault } from './setting'
import { text } from './text'

/** How many values are wrong, and those faults that stand beside no field. Nothing while all is right. */
export function Faults({ faults, count }: { faults: readonly SettingFault[]; count: number }) {
  const t = useText(text)
  if (count === 0) return null
  return (
    <Notice kind="failed" title={t.faults(count)}>
      {faults.length > 0 && <List size="sm">{faults.map((fault) => <List.Item key={`${fault.path} ${fault.message}`}><span className="mono">{fault.path}</span> {fault.message}</List.Item>)}</List>}
    </Notice>
  )
}
