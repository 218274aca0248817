import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Web, type Answer } from './web'

type Grant = { redirect: string; challenge: string; nonce: string }

/**
 * An OpenID Connect provider on loopback that asks nobody for a password and checks what a real one checks: the client and its secret, PKCE, the address to go back to, and
 * that a code is used once. Its identity tokens are signed.
 */
export class OidcProvider {
  readonly client = { id: 'nzbdav', secret: randomBytes(16).toString('hex') }
  /** What it was asked for last by a browser. */
  asked: URLSearchParams | null = null
  /** What it says of whoever signs in. */
  claims: Record<string, unknown> = { sub: '4711', preferred_username: 'carla', groups: ['films'] }
  /** Whoever wants to sign in is sent back without a code. */
  refuses = false
  private readonly codes = new Map<string, Grant>()
  private readonly tokens = new Set<string>()
  private readonly key = generateKeyPairSync('rsa', { modulusLength: 2048 })
  private web: Web | null = null
  private constructor() {}

  static async start(): Promise<OidcProvider> {
    const provider = new OidcProvider()
    provider.web = await Web.start((request, url, body) => provider.answer(request.method ?? '', url, request.headers.authorization ?? '', body))
    return provider
  }

  /** What it calls itself. */
  get issuer(): string {
    return `${this.web?.url ?? ''}/realm`
  }

  /** Settings, by path, that make it the one of a server. */
  settings(): Record<string, string> {
    return { 'Access:Oidc:Authority': this.issuer, 'Access:Oidc:ClientId': this.client.id, 'Access:Oidc:ClientSecret': this.client.secret, 'Access:Oidc:AllowedGroups': 'films' }
  }

  async stop(): Promise<void> {
    await this.web?.stop()
  }

  private answer(method: string, url: URL, authorization: string, body: string): Answer {
    switch (`${method} ${url.pathname}`) {
      case 'GET /realm/.well-known/openid-configuration':
        return { json: { issuer: this.issuer, authorization_endpoint: `${this.issuer}/authorize`, token_endpoint: `${this.issuer}/token`, userinfo_endpoint: `${this.issuer}/userinfo`, jwks_uri: `${this.issuer}/keys` } }
      case 'GET /realm/keys': return { json: { keys: [{ ...this.key.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] } }
      case 'GET /realm/authorize': return this.authorize(url.searchParams)
      case 'POST /realm/token': return this.token(authorization, new URLSearchParams(body))
      case 'GET /realm/userinfo': return this.tokens.has(authorization.replace(/^Bearer /, '')) ? { json: this.claims } : { status: 401 }
      default: return { status: 404 }
    }
  }

  private authorize(query: URLSearchParams): Answer {
    this.asked = query
    const redirect = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== this.client.id || query.get('response_type') !== 'code' || query.get('code_challenge_method') !== 'S256') return { status: 400, text: 'not a request of this client' }
    const back = new URL(redirect)
    back.searchParams.set('state', query.get('state') ?? '')
    if (this.refuses) {
      back.searchParams.set('error', 'access_denied')
    } else {
      const code = randomBytes(16).toString('hex')
      this.codes.set(code, { redirect, challenge: query.get('code_challenge') ?? '', nonce: query.get('nonce') ?? '' })
      back.searchParams.set('code', code)
    }
    return { status: 302, headers: { Location: back.href } }
  }

  private token(authorization: string, form: URLSearchParams): Answer {
    const basic = Buffer.from(`${encodeURIComponent(this.client.id)}:${encodeURIComponent(this.client.secret)}`).toString('base64')
    if (authorization !== `Basic ${basic}`) return { status: 401, json: { error: 'invalid_client' } }
    const code = form.get('code') ?? ''
    const grant = this.codes.get(code)
    this.codes.delete(code)
    const challenge = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url')
    if (form.get('grant_type') !== 'authorization_code' || grant?.redirect !== form.get('redirect_uri') || grant.challenge !== challenge) return { status: 400, json: { error: 'invalid_grant' } }
    const token = randomBytes(16).toString('hex')
    this.tokens.add(token)
    return { json: { access_token: token, token_type: 'Bearer', expires_in: 60, id_token: this.identity(grant.nonce) } }
  }

  private identity(nonce: string): string {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: this.issuer, aud: this.client.id, sub: '4711', nonce, iat: now, exp: now + 300 }
    const text = `${part({ alg: 'RS256', typ: 'JWT', kid: 'one' })}.${part(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), this.key.privateKey).toString('base64url')}`
  }
}
