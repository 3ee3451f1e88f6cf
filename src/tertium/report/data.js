"use strict";
// What the page knows. The small part is read at once; segments wait in packed blocks until somebody looks.

const report = JSON.parse(document.getElementById("comparison").textContent);
const systems = report.systems;
const metrics = report.metrics;
const about = report.segments;
const metricOf = new Map(metrics.map((metric) => [metric.label, metric]));

function bytesOf(identity) {
  const text = document.getElementById(identity).textContent;
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function unpacked(identity) {
  const stream = new Blob([bytesOf(identity)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream);
}

/** Calls a function once for each key and remembers what it promised. */
function remembered(make) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key);
  };
}

const numbersIn = remembered(async (identity) => new Float64Array(await unpacked(identity).arrayBuffer()));
const codesIn = remembered(async (identity) => new Int32Array(await unpacked(identity).arrayBuffer()));

/** Texts by segment. `now` answers from memory or not at all; `load` brings a block into memory. */
const texts = {
  blocks: [],
  loading: new Map(),
  number: (segment) => Math.floor(segment / about.block),
  now(segment) {
    const block = this.blocks[this.number(segment)];
    return block ? recordOf(block, segment % about.block) : null;
  },
  load(number) {
    if (!this.loading.has(number)) {
      this.loading.set(
        number,
        unpacked(`texts-${number}`)
          .json()
          .then((block) => (this.blocks[number] = block)),
      );
    }
    return this.loading.get(number);
  },
  async of(segment) {
    await this.load(this.number(segment));
    return this.now(segment);
  },
};

function recordOf(block, i) {
  return {
    id: block.ids ? block.ids[i] : null,
    document: block.documents ? block.documents[i] : null,
    source: block.sources ? block.sources[i] : null,
    references: block.references.map((column) => column[i]),
    hypotheses: block.hypotheses.map((column) => column[i]),
    metadata: block.metadata.map((column) => column[i]),
  };
}

const MINUS = "\u2212";

/** A number as people read it: fixed decimals and a true minus sign. */
function written(value, digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return "undefined";
  return value.toFixed(digits).replace(/^-(?=.*[1-9])/, MINUS).replace(/^-/, "");
}

function signed(value, digits) {
  const text = written(value, digits);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

function digitsOf(label) {
  return metricOf.has(label) ? metricOf.get(label).digits : 2;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function pValue(p) {
  if (p === null || p === undefined) return "no p-value";
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
}

/** Numbers of any kind: whole ones as they are, others with a few decimals. */
function plain(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return String(value).replace("-", MINUS);
  return written(value, Math.abs(value) < 1 ? 4 : 2);
}
