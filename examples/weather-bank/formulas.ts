/**
 * The formulas that calculation items rest on, in SI units unless a name says otherwise. Charts are drawn
 * by them, and the test computes every such item's answer anew.
 */

export const gravity = 9.80665
export const gasConstantDry = 287.05
export const stefanBoltzmann = 5.670374e-8
export const earthRotation = 7.2921e-5
/** R/cp of dry air. */
export const kappa = 0.2857
const heatOfVaporisation = 2.5e6
const heatCapacity = 1005
const vapourRatio = 0.622

const radians = (degrees: number) => degrees * Math.PI / 180

/** hPa over water, from °C. @see Bolton 1980, doi:10.1175/1520-0493(1980)108<1046:TCOEPT>2.0.CO;2, eq. 10 */
export function saturationPressure (celsius: number): number {
  return 6.112 * Math.exp(17.67 * celsius / (celsius + 243.5))
}

/** °C, the inverse of `saturationPressure`. */
export function dewPointOf (vapourPressure: number): number {
  const logarithm = Math.log(vapourPressure / 6.112)
  return 243.5 * logarithm / (17.67 - logarithm)
}

/** kg/kg at saturation. */
export function mixingRatio (celsius: number, hPa: number): number {
  const pressure = saturationPressure(celsius)
  return vapourRatio * pressure / (hPa - pressure)
}

/** Kelvin of air lifted dry from one pressure to another. */
export function liftedDry (kelvin: number, { from, to }: { from: number, to: number }): number {
  return kelvin * (to / from) ** kappa
}

/** K/hPa along a saturated adiabat. */
export function moistSlope (kelvin: number, hPa: number): number {
  const ratio = mixingRatio(kelvin - 273.15, hPa)
  const top = gasConstantDry * kelvin + heatOfVaporisation * ratio
  const bottom = heatCapacity + heatOfVaporisation ** 2 * ratio * vapourRatio / (gasConstantDry * kelvin ** 2)
  return top / bottom / hPa
}

/** Temperature and pressure of the lifting condensation level. @see Bolton 1980, eq. 15 */
export function condensationLevel (celsius: number, dewPoint: number, hPa: number) {
  const [temperature, dew] = [celsius + 273.15, dewPoint + 273.15]
  const kelvin = 1 / (1 / (dew - 56) + Math.log(temperature / dew) / 800) + 56
  return { kelvin, hPa: hPa * (kelvin / temperature) ** (1 / kappa) }
}

type Given = Record<string, number>

/** By name; each takes what its item gives and returns the answer in the item's unit. */
export const formulas = {
  /** s⁻¹ */
  coriolis: ({ latitude }: Given) => 2 * earthRotation * Math.sin(radians(latitude!)),
  /** m/s; gradient in hPa over km. */
  geostrophicWind: ({ hPa, km, density, coriolis }: Given) =>
    hPa! * 100 / (km! * 1000) / (density! * coriolis!),
  rossbyNumber: ({ speed, km, coriolis }: Given) => speed! / (coriolis! * km! * 1000),
  /** s⁻¹, from the wind on the four sides of a square. */
  relativeVorticity: ({ vEast, vWest, uNorth, uSouth, km }: Given) =>
    (vEast! - vWest! - (uNorth! - uSouth!)) / (km! * 1000),
  /** m */
  thickness: ({ meanVirtualKelvin, bottom, top }: Given) =>
    gasConstantDry * meanVirtualKelvin! / gravity * Math.log(bottom! / top!),
  /** km: the wave that stands still against the mean flow. */
  stationaryWavelength: ({ speed, beta }: Given) => 2 * Math.PI * Math.sqrt(speed! / beta!) / 1000,
  /** m/s */
  bulkShear: ({ uLow, vLow, uHigh, vHigh }: Given) => Math.hypot(uHigh! - uLow!, vHigh! - vLow!),
  /** m: 125 m for each degree between temperature and dew point. */
  condensationHeight: ({ temperature, dewPoint }: Given) => 125 * (temperature! - dewPoint!),
  /** hPa */
  condensationPressure: ({ temperature, dewPoint, hPa }: Given) =>
    condensationLevel(temperature!, dewPoint!, hPa!).hPa,
  /** K */
  potentialTemperature: ({ kelvin, hPa }: Given) => kelvin! * (1000 / hPa!) ** kappa,
  /** W/m² of a black body */
  radiantExitance: ({ kelvin }: Given) => stefanBoltzmann * kelvin! ** 4,
  /** µm */
  peakWavelength: ({ kelvin }: Given) => 2898 / kelvin!,
  /** K: the temperature at which a planet sends out what it takes up. */
  equilibriumTemperature: ({ solarConstant, albedo }: Given) =>
    (solarConstant! * (1 - albedo!) / (4 * stefanBoltzmann)) ** 0.25,
  /** % */
  relativeHumidity: ({ vapourPressure, saturation }: Given) => 100 * vapourPressure! / saturation!,
  /** Times as much scattering of the shorter wave. */
  rayleighRatio: ({ short, long }: Given) => (long! / short!) ** 4,
  /** s */
  timeStepMax: ({ km, speed }: Given) => km! * 1000 / speed!,
  brierScore: ({ probability, happened }: Given) => (probability! - happened!) ** 2,
  criticalSuccessIndex: ({ hits, misses, falseAlarms }: Given) => hits! / (hits! + misses! + falseAlarms!),
  /** Bergeron: the fall in 24 h against 24 hPa, taken to 60° of latitude. */
  bergeron: ({ fall, latitude }: Given) => fall! / 24 * Math.sin(radians(60)) / Math.sin(radians(latitude!)),
  /** mm in a gauge of this diameter. */
  rainDepth: ({ millilitres, diameterCm }: Given) => millilitres! / (Math.PI * (diameterCm! / 2) ** 2) * 10,
  reflectivity: ({ z }: Given) => 10 * Math.log10(z!),
  /** Minutes until an echo that went on as before is at the radar. */
  echoArrival: ({ km, movedKm, minutes }: Given) => km! / movedKm! * minutes!
}

export type FormulaName = keyof typeof formulas
