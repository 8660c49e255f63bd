/** How large the benches are; smaller ones are for a look whether they run. */
export interface Sizes {
  /** Of the job whose slots are watched. */
  papers: number
  slots: number
  latencyMs: number
  kills: number
  seed: number
  /** Papers queued whose memory is watched. */
  queue: number
}
