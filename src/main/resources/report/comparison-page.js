// The section of a comparison.

const titleOfComparison = (c) => 'Comparison' + ofComparison(c) + ' on ' + c.dataset.table + ': ' + c.variants.map((v) => v.name).join(', ');

/** The workload, or the operation if all variants share it. */
function ofComparison(c) {
  const asked = c.run.scenario;
  const op = c.variants.some((v) => v.options.op) ? [] : asked.op || [];
  const what = asked.workload || [].concat(op).join(',');
  return what ? ' of ' + what : '';
}

function comparisonSection(comparison) {
  const index = RESULTS.indexOf(comparison);
  const id = 'run' + index + '-';
  const curves = CURVES[index];
  return h('section', {id: 'run' + index, 'aria-label': titleOfComparison(comparison)},
    headed(headlineOfComparison(comparison), titleOfComparison(comparison)),
    effectLines(comparison),
    verdictBox(comparison, comparison.verdict),
    h('div', {class: 'charts'},
      forestCharts(comparison, id),
      variantRates(comparison, id),
      roundsChart(comparison, id),
      curvesChart(id, 'Percentiles', comparison.variants.filter((v) => curves[v.name])
        .map((v) => ({name: v.name, points: curves[v.name].points}))),
      blocksChart(comparison, id)),
    whatWasRun(comparison),
    variantsTable(comparison),
    h('h3', {}, 'Every figure'),
    table('Ratios', ['effect', 'ratio', 'change', 'from', 'to', 'rounds', 'verdict'], effectRows(comparison)),
    operationsOfVariants(comparison),
    factsTable(comparison),
    bottlenecksTable(comparison),
    ...tablesOfMachines(machinesOfComparison(comparison), 'as medians over the blocks'),
    serversTables(comparison),
    raw(comparison));
}

function variantsTable(comparison) {
  return table('Variants', ['variant', 'options', 'blocks', 'ops/s'], comparison.variants.map((v, i) => [
    v.name + (v.name === comparison.baseline ? ' (baseline)' : ''),
    Object.entries(v.options).map(([name, value]) => name + '=' + value).join(', ') || 'as by default',
    figure(v.blocks, pointer(RESULTS.indexOf(comparison), 'variants', i, 'blocks'), count),
    figure(v.opsPerSecond, pointer(RESULTS.indexOf(comparison), 'variants', i, 'opsPerSecond'), rate)]));
}

function operationsOfVariants(comparison) {
  return table('Operations of all blocks', ['variant: operation', 'ok', 'misses', 'duplicates', 'errors', ...TIMES.map((t) => t[1])],
    comparison.variants.flatMap((v, i) => Object.entries(v.operations).map(([name, o]) => {
      const path = pointer(RESULTS.indexOf(comparison), 'variants', i, 'operations', name);
      const kind = o.latencyMicros.response ? 'response' : 'total';
      return [v.name + ': ' + name, ...['ok', 'misses', 'duplicates'].map((c) => figure(o[c], path + '/' + c, count)),
        figure(failures(o), '', count), ...timeCells(o.latencyMicros[kind], path + '/latencyMicros/' + kind)];
    })));
}

/** What may explain a difference. */
function factsTable(comparison) {
  const names = [...new Set(comparison.variants.flatMap((v) => Object.keys(v.facts)))];
  return names.length ? table('What else differed', ['figure', ...comparison.variants.map((v) => v.name)],
    names.map((name) => [name, ...comparison.variants.map((v, i) => figure(v.facts[name],
      pointer(RESULTS.indexOf(comparison), 'variants', i, 'facts', name), plain))]))
    : null;
}

const serversTables = (finding) => finding.servers.map((s) => words('Settings of ' + s.url + ', ' + s.version
  + ': changed or requested', serverWords(s)));
