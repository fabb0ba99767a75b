// The section of a rehearsal, which is its text report. Its load and its search have sections of their own.

function rehearsalSection(rehearsal) {
  const index = RESULTS.indexOf(rehearsal);
  const {title, verdict: [answer, ...sentences], facts, tables, note} = BADGES[index].section;
  return h('section', {id: 'run' + index, 'aria-label': title},
    headed(answer.replace(/\.$/, ''), title),
    verdictBox(rehearsal, sentences),
    factList(facts),
    tables.map(({words, rows: [header, ...rows]}, i) => table(['Collections', 'Operations', 'Layouts'][i], header,
      rows.map((row) => row.map((cell, column) => (column < words ? cell : {text: cell, value: null, path: null}))))),
    h('p', {class: 'note'}, note),
    whatWasRun(rehearsal),
    serversTables(rehearsal),
    raw(rehearsal));
}
