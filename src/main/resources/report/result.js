// Accessors for a result's contents.

const MAX_OUTAGES = 3;
const optionOf = (run, name) => {
  const value = run.run.scenario[name];
  return Array.isArray(value) ? value.join(',') : value === undefined || value === null ? '' : String(value);
};
const isOpen = (run) => optionOf(run, 'rate') !== '';
/** The target rate, or its steps. */
const targetOf = (run) => run.run.workload.rates.map(plain).join(', ');
const headline = (run) => (isOpen(run) ? 'response' : 'total');
const clientsOf = (run) => run.nodes.reduce((sum, n) => sum + n.clients, 0) || Number(optionOf(run, 'clients')) || 0;
const failures = (o) => Object.values(o.errors).reduce((sum, e) => sum + e.count, 0);
const sumOver = (run, figureOf) => Object.values(run.operations).reduce((sum, o) => sum + figureOf(o), 0);
const measured = (run) => run.intervals.filter((i) => i.phase === 'measure');
const middle = (i) => i.atSeconds + i.seconds / 2;

/** The headline latency of an interval: response time of an open loop, total time of a closed one. */
const headlineOf = (run, i) => (isOpen(run) ? i.responseMicros : i.totalMicros);

/** The causes of remarks, in one line. */
const textsOf = (remarks) => remarks.map((remark) => remark.text).join('. ');

/** A remark: its cause, its consequence and what to do. */
const sentencesOf = (remark) => remark.text + (remark.advice ? '. ' + remark.advice : '.');

/** The operations in an order that is the same before and after the end of a run, so that each keeps its color. */
const operationNames = (run) => Object.keys(run.operations).sort();

/** The operations with their weights. */
const mixOf = (run) => (optionOf(run, 'op') || Object.keys(run.operations).join(',')).replaceAll(',', ', ');

/** What was run, in one line. */
function titleOf(run) {
  const load = isOpen(run) ? 'open loop at ' + targetOf(run) + ' ops/s' : 'closed loop';
  const mode = optionOf(run, 'statement');
  return mixOf(run) + ' on ' + run.dataset.table + ': ' + count(clientsOf(run)) + ' clients, ' + load
    + (mode ? ', ' + mode + ' statements' : '');
}

/** The latency of all operations, precomputed by adding their histograms. */
function allTimes(run, kind) {
  const curves = curvesOf(run).all;
  return curves && curves[kind] ? curves[kind].latency : null;
}

const curvesOf = (run) => CURVES[RESULTS.indexOf(run)];

/** The latencies available in all runs, by which they are compared. */
const commonTimes = (runs) => (runs.every(isOpen) ? 'response' : 'total');

/** How to read the latencies of an open loop. */
const OPEN_LOOP = 'Response times count from the scheduled start of each operation and include any wait.';

/** How to read the latencies of a run. */
const noteOf = (run) => (isOpen(run) ? OPEN_LOOP : null);

/** The main figures in sentences, in the order of the other reports: load and latency, failures, outages, bottleneck. */
function verdictOf(run) {
  const ops = sumOver(run, (o) => o.opsPerSecond);
  const times = allTimes(run, headline(run));
  const late = sumOver(run, (o) => o.late);
  const words = [count(clientsOf(run)) + ' clients ran ' + rate(ops) + ' operations per second'
    + (isOpen(run) ? ' (target ' + targetOf(run) + ')' : '')
    + (times ? '; half of them took at most ' + time(times.p50) + ', 99% at most ' + time(times.p99)
      + ', the longest ' + time(times.max) + '.' : '.')
    + (run.backlog ? ' At the end, ' + count(run.backlog) + ' operations were due and had not begun.' : ''),
    failureWords(run) + (late ? ' ' + countOf(late, 'operation', 'operations') + ' took longer than the limit.' : ''),
    ...outageCosts(run).filter(Boolean)];
  words.push(...((run.serverProfile.operationWaits || {}).causes || []).map(sentencesOf));
  if (run.serverProfile.bottleneck.length) {
    words.push('Bottleneck: ' + textsOf(run.serverProfile.bottleneck) + '.');
  }
  if (run.run.partial) {
    words.push('The run ended early.');
  }
  return words;
}

function failureWords(run) {
  const parts = [['error', 'errors', failures], ['miss', 'misses', (o) => o.misses],
    ['duplicate', 'duplicates', (o) => o.duplicates], ['unfinished', 'unfinished', (o) => o.unfinished]]
    .map(([one, many, of]) => [sumOver(run, of), one, many])
    .filter(([n]) => n > 0)
    .map(([n, one, many]) => countOf(n, one, many));
  return parts.length ? 'Excluded from rates: ' + parts.join(', ') + '.' : 'No errors, no misses, no duplicates.';
}

/** Host and port of a URL. */
function hostOf(url) {
  const host = url.replace(/^jdbc:postgresql:\/\//, '').replace(/[/?].*$/, '');
  return /^%2F/i.test(host) ? decodeURIComponent(host) : host; // a directory of Unix sockets
}

const millis = (s) => s.toFixed(3) + ' s';

/** What outages cost, which remarks do not say; of many, the sum. */
function outageCosts(run) {
  if (run.outages.length <= MAX_OUTAGES) {
    return run.outages.map((o) => outageCost(o, run));
  }
  const lost = run.outages.reduce((sum, o) => sum + (o.operationsLost || 0), 0);
  return lost ? [count(run.outages.length) + ' outages: ' + lostWords(lost, run) + '.'] : [];
}

const lostWords = (lost, run) => 'about ' + count(lost)
  + ((run.run.workload.rates || []).length ? ' operations delayed or failed' : ' operations fewer than at the rate before');

/** Empty if it is unknown. */
function outageCost(o, run) {
  const cost = [...(o.operationsLost ? [lostWords(o.operationsLost, run)] : []),
  ...(o.fullRateAtSeconds === undefined || o.fullRateAtSeconds === null ? [] : ['full rate again at ' + seconds(o.fullRateAtSeconds)])];
  return cost.length ? 'Outage from ' + millis(o.fromSeconds) + ': ' + cost.join(', ') + '.' : '';
}

/** The command line to repeat the run; secrets are already masked. */
function commandOf(run) {
  const quoted = run.run.argv.map((a) => (/^[\w@%+=:,./-]+$/.test(a) ? a : "'" + a.replace(/'/g, "'\\''") + "'"));
  return ['./stress', ...quoted].join(' ');
}

/** The options that differ between the results, by name. */
function differences(runs) {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.run.scenario)))];
  return names.filter((name) => new Set(runs.map((run) => optionOf(run, name))).size > 1);
}

/** Options about the duration of the measurement, not its subject. */
const LENGTHS = ['duration', 'warmup', 'warmup-limit', 'step', 'interval', 'drain', 'seed'];
const MOST_NAMED = 3;

/** A short name for each result: the fewest options that distinguish them, or a number with some that differ. */
function labelsOf(runs) {
  const all = differences(runs);
  const names = [...all.filter((n) => !LENGTHS.includes(n)), ...all.filter((n) => LENGTHS.includes(n))].slice(0, MOST_NAMED);
  const labels = names.map((last, i) => runs.map((run) => names.slice(0, i + 1)
    .map((n) => n + '=' + (optionOf(run, n) || '–')).join(' ')));
  const apart = labels.find((of) => new Set(of).size === runs.length);
  return apart || runs.map((run, i) => ['#' + (i + 1), ...labels.slice(-1).map((of) => of[i])].join(' '));
}
