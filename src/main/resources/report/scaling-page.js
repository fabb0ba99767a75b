// The section of a thread scaling.

function scalingSection(scaling) {
  const index = RESULTS.indexOf(scaling);
  const id = 'run' + index + '-';
  return h('section', {id: 'run' + index, 'aria-label': titleOfScaling(scaling)},
    headed(headlineOfScaling(scaling), titleOfScaling(scaling)),
    verdictBox(scaling, scaling.verdict),
    BADGES[index].state === 'not_valid' ? null : pointTiles(scaling),
    h('div', {class: 'charts'}, scalingChart(scaling, id), scalingLatencyChart(scaling, id)),
    whatWasRun(scaling),
    h('h3', {}, 'Every figure'),
    table('Steps', ['clients', 'seconds', 'ops/s', 'from', 'to', ...TIMES.map((t) => t[1]), 'errors'],
      stepRows(scaling, (s, path) => [
        ...cellsOf(s, path, ['seconds', decimals(1)], ['opsPerSecond', rate], ['low', rate], ['high', rate]),
        ...timeCells(s.latencyMicros, path + '/latencyMicros'), figure(s.errors, path + '/errors', count)])),
    ratiosTable(scaling),
    repeatsTable(scaling),
    coefficientsTable(scaling),
    serversTables(scaling),
    raw(scaling));
}

function pointTiles(scaling) {
  const points = ['knee', 'peak'].filter((name) => scaling[name]);
  const tiles = [...kneeTiles(scaling), ...points.flatMap((name) => {
    const path = pointer(RESULTS.indexOf(scaling), name);
    return [
      tile(name + ': clients', scaling[name].clients, path + '/clients', count),
      tile(name + ': ops/s', scaling[name].opsPerSecond, path + '/opsPerSecond', rate),
      tile(name + ': p99', scaling[name].p99Micros, path + '/p99Micros', time)];
  })];
  return tiles.length ? h('div', {class: 'tiles three'}, tiles) : null;
}

/** Where the knee may be while it is not determined. */
function kneeTiles(scaling) {
  const search = scaling.kneeSearch;
  const path = pointer(RESULTS.indexOf(scaling), 'kneeSearch');
  return !search || scaling.knee ? [] : [
    tile('knee: not determined', null, null, count),
    tile('at least, clients', search.fromClients, path + '/fromClients', count),
    tile('at most, clients', search.toClients, path + '/toClients', count)];
}

/** The evidence for the knee: repeated steps, relative to the best. */
function ratiosTable(scaling) {
  const search = scaling.kneeSearch;
  const enough = (r) => (r.enough == null ? 'not decided' : r.enough ? 'yes' : 'no');
  return search && search.ratios.length ? table(
    'Share of the throughput of ' + countOf(search.bestClients, 'client', 'clients') + ', over rounds that measured both',
    ['clients', 'rounds', 'share', 'from', 'to', 'at least ' + percent(search.nearShare)],
    search.ratios.map((r, i) => {
      const path = pointer(RESULTS.indexOf(scaling), 'kneeSearch', 'ratios', i);
      return [count(r.clients), ...cellsOf(r, path, ['rounds', count], ['ratio', percent], ['low', percent], ['high', percent]), enough(r)];
    })) : null;
}

function repeatsTable(scaling) {
  const repeats = repeatsOf(scaling);
  return repeats.length ? table('Steps that were measured again', ['clients', 'seconds', 'ops/s', 'p99', 'errors'],
    repeats.map((r, i) => {
      const path = pointer(RESULTS.indexOf(scaling), 'kneeSearch', 'repeats', i);
      return [count(r.clients),
        ...cellsOf(r, path, ['seconds', decimals(1)], ['opsPerSecond', rate], ['p99Micros', time], ['errors', count])];
    })) : null;
}

function coefficientsTable(scaling) {
  if (!scaling.fit) {
    return h('p', {class: 'note'}, 'The steps do not bear a fitted curve.');
  }
  const rows = [['lambda', 'one client alone, ops/s', 1], ['sigma', 'contention', 6], ['kappa', 'coherency', 8]];
  const path = pointer(RESULTS.indexOf(scaling), 'fit');
  return table('Coefficients of the fitted curve', ['coefficient', 'meaning', 'value', 'from', 'to'],
    rows.map(([name, meaning, decimals]) => [name, meaning, ...['value', 'low', 'high'].map((part) => figure(
      scaling.fit[name][part], path + '/' + name + '/' + part, (v) => decimal(v, decimals)))]));
}
