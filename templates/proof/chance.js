/* SHA-256 and the random numbers of Python, as the dice of a record use them. Nothing here is secret. */
"use strict";

const PRIMES = [];
for (let number = 2; PRIMES.length < 64; number++) if (PRIMES.every(prime => number % prime)) PRIMES.push(number);

/* The first 32 bits after the point, which are the constants of the standard. */
const fraction = root => Math.floor((root % 1) * 2 ** 32);
const FIRST_WORDS = PRIMES.slice(0, 8).map(prime => fraction(Math.sqrt(prime)));
const ROUND_WORDS = PRIMES.map(prime => fraction(Math.cbrt(prime)));

const rotated = (word, bits) => (word >>> bits) | (word << (32 - bits));

/* Return the SHA-256 of a text in UTF-8, as eight words of 32 bits (FIPS 180-4). */
function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const message = new Uint8Array(64 * ((bytes.length + 72) >> 6));
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer), hash = [...FIRST_WORDS], words = new Uint32Array(64);
  view.setUint32(message.length - 8, bytes.length / 2 ** 29);
  view.setUint32(message.length - 4, bytes.length * 8);
  for (let start = 0; start < message.length; start += 64) {
    for (let round = 0; round < 64; round++) {
      const old = words[round - 15], late = words[round - 2];
      words[round] = round < 16
        ? view.getUint32(start + 4 * round)
        : words[round - 16] + (rotated(old, 7) ^ rotated(old, 18) ^ (old >>> 3)) + words[round - 7]
          + (rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let round = 0; round < 64; round++) {
      const one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g))
        + ROUND_WORDS[round] + words[round];
      const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(one + two) >>> 0, a, b, c, (d + one) >>> 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => { hash[place] = (hash[place] + word) >>> 0; });
  }
  return hash;
}

const digest = text => sha256(text).map(word => word.toString(16).padStart(8, "0")).join("");

const SIZE = 624, SHIFT = 397;

/* Return random() of Python's random.Random(seed): the Mersenne Twister MT19937 of Matsumoto and Nishimura.
   The seed is given as words of 32 bits, the lowest first. */
function twister(seed) {
  const state = new Uint32Array(SIZE);
  const mixed = (place, factor) => {
    const before = state[place - 1];
    return Math.imul(before ^ (before >>> 30), factor);
  };
  state[0] = 19650218;
  for (let place = 1; place < SIZE; place++) state[place] = mixed(place, 1812433253) + place;
  let place = 1;
  const put = word => {
    state[place++] = word;
    if (place === SIZE) [state[0], place] = [state[SIZE - 1], 1];
  };
  for (let turn = 0; turn < Math.max(SIZE, seed.length); turn++) {
    const taken = turn % seed.length;
    put((state[place] ^ mixed(place, 1664525)) + seed[taken] + taken);
  }
  for (let turn = 1; turn < SIZE; turn++) put((state[place] ^ mixed(place, 1566083941)) - place);
  state[0] = 0x80000000;

  let used = SIZE;
  const draw = () => {
    if (used === SIZE) {
      used = 0;
      for (let at = 0; at < SIZE; at++) {
        const word = (state[at] & 0x80000000) | (state[(at + 1) % SIZE] & 0x7fffffff);
        state[at] = state[(at + SHIFT) % SIZE] ^ (word >>> 1) ^ (word & 1 ? 0x9908b0df : 0);
      }
    }
    let word = state[used++];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  };
  /* Two words make 53 bits. */
  return () => {
    const high = draw() >>> 5, low = draw() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  };
}

/* Return the random numbers of a name, as printkit draws them: Python leaves out the highest words that are zero. */
function stream(name) {
  const words = sha256(name).reverse();
  while (words.length > 1 && words.at(-1) === 0) words.pop();
  return twister(words);
}
