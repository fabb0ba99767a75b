// The section of a rehearsal: the answer, the collections, the operations. Its load and its search have sections of their own.

const ANSWERS = {GO: 'Go', GO_WITH_REMARKS: 'Go with remarks', NO_GO: 'No go', UNKNOWN: 'Unknown'};
const MEGABYTE = 1e6;

const megabytes = (v) => decimal(v / MEGABYTE, v && v < MEGABYTE / 10 ? 2 : 1);
const sizeCells = (o, path) => cellsOf(o, path, ['heapBytes', megabytes], ['toastBytes', megabytes], ['indexBytes', megabytes]);
const titleOfRehearsal = (r) => 'Rehearsal on ' + r.dataset.table;

function rehearsalSection(rehearsal) {
  const index = RESULTS.indexOf(rehearsal);
  return h('section', {id: 'run' + index, 'aria-label': titleOfRehearsal(rehearsal)},
    headed(ANSWERS[rehearsal.answer], titleOfRehearsal(rehearsal)),
    verdictBox(rehearsal, rehearsal.because.map(sentencesOf), sourceOfOperations(rehearsal)),
    table('Collections', ['collection', 'table', 'documents', 'rows', 'equal', 'BSON MB', 'rows MB', 'TOAST MB', 'index MB', 'missing indexes'],
      rehearsal.collections.map((c, i) => {
        const path = pointer(index, 'collections', i);
        return [c.collection, c.table, ...cellsOf(c, path, ['documents', count], ['rows', count]),
          c.difference || Object.keys(c.rejects).length ? 'no' : 'yes',
          ...cellsOf(c, path, ['bsonBytes', megabytes]), ...sizeCells(c, path),
          c.missingIndexes.map((m) => m.index).join(', ')];
      })),
    table('Operations', ['operation', 'share', 'MongoDB p50 ms', 'p50', 'MongoDB p95 ms', 'p95', 'plan', 'index that helps'],
      rehearsal.operations.map((o, i) => {
        const path = pointer(index, 'operations', i);
        const found = rehearsal.load.operations[o.operation];
        const times = (found && found.latencyMicros.total) || {};
        const timesPath = pointer(index, 'load', 'operations', o.operation, 'latencyMicros', 'total');
        return [o.operation, figure(o.share, path + '/share', percent),
          figure(o.median && o.median.millis, path + '/median/millis', count), figure(times.p50, timesPath + '/p50', time),
          figure(o.p95 && o.p95.millis, path + '/p95/millis', count), figure(times.p95, timesPath + '/p95', time),
          o.scans.join(', '), o.index.join('; ')];
      })),
    h('p', {class: 'note'}, 'TOAST holds long values, apart from their rows. Times in MongoDB are those of its profile, in whole milliseconds.'),
    rehearsal.layouts && rehearsal.layouts.layouts.length ? layoutsTable(rehearsal.layouts.layouts, pointer(index, 'layouts', 'layouts')) : null,
    rehearsal.layouts ? rehearsal.layouts.findings.map((f) => h('p', {class: 'note'}, sentencesOf(f))) : null,
    rehearsal.notes.map((note) => h('p', {class: 'note'}, note)),
    whatWasRun(rehearsal),
    serversTables(rehearsal),
    raw(rehearsal));
}

const layoutsTable = (layouts, at) => table('Layouts', ['layout', 'ops/s', 'p99', 'WAL bytes per operation', 'rows MB', 'TOAST MB', 'index MB'],
  layouts.map((l, i) => [l.name, ...cellsOf(l, at + '/' + i, ['opsPerSecond', rate], ['p99Micros', time], ['walBytesPerOperation', count]),
    ...sizeCells(l, at + '/' + i)]));

/** Where the operations come from, and the rates. */
function sourceOfOperations(rehearsal) {
  const rates = [rehearsal.observedRate == null ? null : 'in MongoDB ' + rate(rehearsal.observedRate),
    rehearsal.rate == null ? null : 'needed ' + rate(rehearsal.rate),
    rehearsal.search && rehearsal.search.rate != null ? 'at most ' + rate(rehearsal.search.rate) : null].filter(Boolean);
  return (rehearsal.guessed ? 'The operations are guesses, because the dump has no system.profile.' : 'The operations are those of the dump’s system.profile.')
    + (rates.length ? ' Operations per second: ' + rates.join(', ') + '.' : '');
}
