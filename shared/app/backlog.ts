/**
 * Connections that stand and are not yet taken. Node's 511 are gone within a moment when a thousand callers
 * come at once, and the next ones are reset or wait seconds; the system may have a lower limit
 * (net.core.somaxconn, 4096 by default).
 */
export const backlog = 4_096
