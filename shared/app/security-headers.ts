/** What browsers are told with every answer: the headers of helmet, for pages that hold Swagger UI. */
import helmet from 'helmet'

/** Put together once; for each request helmet would do so anew, which costs as much as routing it. */
export function securityHeaders (): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader (name: string, value: string) { headers[name.toLowerCase()] = value },
    removeHeader () {}
  }
  const set = helmet({
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    strictTransportSecurity: false
  })
  set({} as never, response as never, cause => { if (cause !== undefined) throw cause })
  return Object.freeze(headers)
}
