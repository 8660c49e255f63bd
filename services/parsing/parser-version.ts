/**
 * The version of everything here that makes documents: raised whenever the same bytes may give another
 * one. A paper that is sent again is then parsed again, beside what was made of it before.
 */
export const parserVersion = '5'
