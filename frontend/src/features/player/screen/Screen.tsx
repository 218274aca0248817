import { Loader } from '@mantine/core'
import { IconMusic, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState, type PointerEvent } from 'react'
import { subtitleAddress } from '~/api/files'
import type { FileDetails } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { ControlBar } from '../bar/ControlBar'
import { useKeys } from '../keys/useKeys'
import { FailureNote } from '../notes/FailureNote'
import { KeysHelp } from '../notes/KeysHelp'
import { Said } from '../notes/Said'
import { Stats } from '../notes/Stats'
import { UpNext } from '../notes/UpNext'
import { text } from '../text'
import classes from './screen.module.css'
import { useControls } from './useControls'
import { useFull } from './useFull'
import { useIdle } from './useIdle'
import { useMediaSession } from './useMediaSession'
import { useSource } from './useSource'
import { useSubtitles } from './useSubtitles'
import { useVideoState } from './useVideoState'

/** The picture with everything on it. One file for its life: the page gives each file a screen of its own. */
export function Screen({ file }: { file: FileDetails }) {
  const t = useText(text)
  const navigate = useNavigate()
  const stageRef = useRef<HTMLDivElement>(null)
  const videoRef = useRef<HTMLVideoElement>(null)
  const state = useVideoState(videoRef)
  const source = useSource(file.id, videoRef)
  const [stay, setStay] = useState(false)
  const { idle, stir } = useIdle()
  const sound = file.contentType?.startsWith('audio/') === true
  const hidden = idle && !state.paused && !sound
  const subtitles = useSubtitles(videoRef, file.subtitles, !hidden)
  const nextId = file.next?.id
  const previousId = file.previous?.id
  const go = useCallback((id: string) => void navigate({ to: '/play/$id', params: { id }, replace: true }), [navigate])
  const next = useCallback(() => { if (nextId !== undefined) go(nextId) }, [go, nextId])
  const previous = useCallback(() => { if (previousId !== undefined) go(previousId) }, [go, previousId])
  const onNext = nextId === undefined ? null : next
  const onPrevious = previousId === undefined ? null : previous
  const controls = useControls(videoRef, stageRef, subtitles, { next: onNext, previous: onPrevious })
  const full = useFull(stageRef)
  useKeys(controls.run)
  useMediaSession(file.name, file.path.split('/').at(-2) ?? '', state, { toggle: controls.toggle, skip: controls.skip, seek: controls.seek, next: onNext, previous: onPrevious })

  const { resumed, forget } = source
  useEffect(() => {
    if (resumed === null) return undefined
    const timer = setTimeout(forget, 8000)
    return () => clearTimeout(timer)
  }, [resumed, forget])
  // The first touch brings the controls back, the next one pauses.
  const woke = useRef(false)
  const touch = ({ pointerType }: PointerEvent) => {
    woke.current = hidden && pointerType === 'touch'
    stir()
  }
  const click = () => {
    if (!woke.current) controls.toggle()
    woke.current = false
  }
  return (
    <>
      {source.failure !== null && <FailureNote file={file} failure={source.failure} onAgain={source.again} />}
      {/* Movements only bring the controls back. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div ref={stageRef} className={classes.stage} data-sound={sound || undefined} data-idle={hidden || undefined} onPointerMove={stir} onPointerDown={touch} onFocus={stir} onKeyDown={stir}>
        {/* Subtitles stand beside the film only where there are any. The click is a comfort: the button below does the same. */}
        {/* eslint-disable-next-line jsx-a11y/media-has-caption */}
        <video ref={videoRef} className={classes.video} playsInline preload="auto" aria-label={file.name} onClick={click} onDoubleClick={() => controls.run({ do: 'fullscreen' })}>
          {file.subtitles.map((one) => <track key={one.id} id={`subtitle-${one.id}`} kind="subtitles" src={subtitleAddress(one.id)} label={one.name} srcLang={one.language ?? 'und'} />)}
        </video>
        {sound && <IconMusic className={classes.music} size={64} stroke={1} aria-hidden />}
        {state.waiting && !state.paused && <Loader className={classes.waiting} color="white" role="status" aria-label={t.waiting} />}
        {state.paused && state.ready && !state.ended && source.failure === null && <button type="button" className={classes.big} tabIndex={-1} aria-hidden onClick={controls.toggle}><IconPlayerPlayFilled size={40} aria-hidden /></button>}
        {controls.overlay && <Stats id={file.id} state={state} />}
        <Said said={controls.said} resumed={resumed} onRestart={source.restart} />
        {state.ended && file.next !== null && !stay && <UpNext next={file.next} counts={controls.autoplay} onPlay={next} onCancel={() => setStay(true)} />}
        <ControlBar file={file} state={state} controls={controls} subtitles={subtitles} full={full} hidden={hidden} onNext={onNext} onPrevious={onPrevious} />
        <KeysHelp opened={controls.help} onClose={() => controls.setHelp(false)} />
      </div>
    </>
  )
}
