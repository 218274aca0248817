import { IconUpload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { piece } from '~/api/chunks/piece'
import { useText } from '~/ui/text/catalogue'
import classes from './add.module.css'
import { filesOf } from './read'
import { text } from './text'
import { Tray } from './Tray'
import { plain } from './upload'
import { useAdd } from './useAdd'

const AddDialog = piece(() => import('./AddDialog'))

/** Takes what is dropped or pasted anywhere on the page, and the dialog at `?add=1`, with a link from another page at `&link=`. Lives in the shell, for those who may add. */
export function AddHost(): ReactNode {
  const t = useText(text)
  const navigate = useNavigate()
  const { add: asked, link } = useSearch({ strict: false })
  const add = useAdd()
  const [options, setOptions] = useState(plain)
  const [over, setOver] = useState(false)
  // The shell stands above the page that reads the address as texts: here a number is a number.
  const open = String(asked) === '1'

  const drop = useEffectEvent(async (transfer: DataTransfer) => {
    const dropped = transfer.getData('text/uri-list') || transfer.getData('text/plain')
    const files = await filesOf(transfer)
    if (files.length > 0) add.addFiles(files, open ? options : plain)
    else void add.addText(dropped, open ? options : plain)
  })
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const target = event.target as HTMLElement
    if (event.clipboardData === null || target.closest('input, textarea, [contenteditable]') !== null) return
    const files = [...event.clipboardData.files]
    if (files.length > 0) add.addFiles(files, open ? options : plain)
    else if (add.addText(event.clipboardData.getData('text/plain'), open ? options : plain) === null) return
    event.preventDefault()
  })

  useEffect(() => {
    // Entering a child comes before leaving its parent: the depth says when the pointer has left the window.
    let depth = 0
    const carries = (event: DragEvent) => event.dataTransfer !== null && (event.dataTransfer.types.includes('Files') || event.dataTransfer.types.includes('text/uri-list'))
    const enter = (event: DragEvent) => {
      if (!carries(event)) return
      depth++
      setOver(true)
    }
    const leave = () => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const allow = (event: DragEvent) => { if (carries(event)) event.preventDefault() }
    const end = (event: DragEvent) => {
      depth = 0
      setOver(false)
      if (!carries(event) || event.dataTransfer === null) return
      event.preventDefault()
      void drop(event.dataTransfer)
    }
    const pasted = (event: ClipboardEvent) => paste(event)
    document.addEventListener('dragenter', enter)
    document.addEventListener('dragleave', leave)
    document.addEventListener('dragover', allow)
    document.addEventListener('drop', end)
    document.addEventListener('paste', pasted)
    return () => {
      document.removeEventListener('dragenter', enter)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('dragover', allow)
      document.removeEventListener('drop', end)
      document.removeEventListener('paste', pasted)
    }
  }, [])

  const close = () => void navigate({ to: '.', search: (now) => ({ ...now, add: undefined, link: undefined }), replace: true })
  return (
    <>
      {over && <div className={classes.over} aria-hidden><div className={classes.overBox}><IconUpload size={40} /><strong>{t.drop}</strong><span>{t.dropText}</span></div></div>}
      {open && <Suspense><AddDialog add={add} link={link ?? ''} options={options} onOptions={setOptions} onClose={close} /></Suspense>}
      {!open && <Tray list={add.list} onClear={add.clear} onAgain={add.again} />}
    </>
  )
}
