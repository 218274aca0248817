import 'virtual:mantine.css.js'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import './ui/base.css'

const nonce = document.querySelector<HTMLMetaElement>('meta[name=nonce]')?.content
if (nonce) setNonce(nonce)
const place = document.getElementById('root')
if (place !== null) createRoot(place).render(<StrictMode><App /></StrictMode>)
