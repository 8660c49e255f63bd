/** How large the benches are; smaller ones are for a look whether they run. */
export interface Sizes {
  /** Of a prediction and a reference. */
  pairs: number
  seed: number
}
