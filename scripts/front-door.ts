/** One address for services that run as processes of their own: routes, Swagger UI, dead letters. */
import { serveUntilTold } from '../shared/app/serve.ts'
import { startFrontDoor } from './front-door/start.ts'

await serveUntilTold(async () => await startFrontDoor(process.env))
