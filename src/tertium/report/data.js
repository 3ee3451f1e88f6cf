// What the page knows. The small part is read at once; segments wait in packed blocks until somebody looks.

const report = JSON.parse(document.getElementById("comparison").textContent);
const systems = report.systems;
const metrics = report.metrics;
const about = report.segments;
const metricOf = new Map(metrics.map((metric) => [metric.label, metric]));

/** The tests by a metric: scores of the systems, pairs, clusters. */
const testsOf = (label) => report.significance[metricOf.get(label).metric];
const scoreOf = (system, label) => testsOf(label).systems.find((one) => one.name === system);

// Decimals that people want to read: two for scores up to 100, four for scores up to 1.
for (const metric of metrics) {
  const known = testsOf(metric.label).systems.flatMap(({ value }) => (value === null ? [] : [Math.abs(value)]));
  metric.digits = known.length && Math.max(...known) <= 1.5 ? 4 : 2;
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
    document: block.documents ? block.documents[i] : null,
    source: block.sources ? block.sources[i] : null,
    references: block.references.map((column) => column[i]),
    hypotheses: block.hypotheses.map((column) => column[i]),
    metadata: block.metadata.map((column) => column[i]),
  };
}

function digitsOf(label) {
  return metricOf.has(label) ? metricOf.get(label).digits : 2;
}
