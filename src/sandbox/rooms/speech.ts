/** Hertz: what WebRTC carries, so that nothing has to be converted. */
export const SAMPLE_RATE = 48_000;

/** 20 ms, as WebRTC sends them. */
const FRAME_SAMPLES = SAMPLE_RATE / 50;

/** Some fifteen characters a second, as people talk. */
const MS_A_CHARACTER = 65;
const SHORTEST_MS = 800;
const LONGEST_MS = 20_000;

/** A quarter of full scale: loud enough to be measured, and no shock in headphones. */
const PEAK = 8_000;

/** Syllables a second. */
const SYLLABLES = 4;

/** The pitch goes up and down around this with the words; hertz. */
const PITCH = 180;
const PITCH_RANGE = 60;

/**
 * What the agent's voice says of a text, frame by frame: a hum that swells with each syllable and lasts as long as the
 * words would. Nobody understands it; that it arrives, how loud and how long, can be measured. The same text sounds
 * the same.
 */
export function* spoken(text: string): Generator<Int16Array, void, undefined> {
  const lengthMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, text.length * MS_A_CHARACTER));
  const samples = Math.ceil((lengthMs / 1_000) * SAMPLE_RATE);
  let phase = 0;
  for (let from = 0; from < samples; from += FRAME_SAMPLES) {
    const frame = new Int16Array(FRAME_SAMPLES);
    const letter = text.charCodeAt(Math.floor((from / samples) * text.length)) % 16;
    for (let at = 0; at < FRAME_SAMPLES; at += 1) {
      phase += (2 * Math.PI * (PITCH + (PITCH_RANGE * letter) / 16)) / SAMPLE_RATE;
      const swell = Math.abs(Math.sin((Math.PI * SYLLABLES * (from + at)) / SAMPLE_RATE));
      frame[at] = Math.round(PEAK * swell * (0.7 * Math.sin(phase) + 0.3 * Math.sin(3 * phase)));
    }
    yield frame;
  }
}
