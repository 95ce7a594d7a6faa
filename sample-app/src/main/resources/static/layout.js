// Where everything is in the picture: API servers at the left, caches in the middle, handlers and reconcilers at
// the right. On a narrow screen the same is closer together.

const WIDE = 760;
const TOP = 34;

function sizes(width) {
  if (width >= WIDE) {
    const consumer = Math.round(width * 0.2);
    return { wide: true, width, row: 66, box: 48, server: 104, cacheX: Math.round(width * 0.4), cache: Math.round(width * 0.17),
      cells: 10, cell: 9, consumer, consumerX: width - consumer, radius: 10 };
  }
  const consumer = Math.round(width * 0.31);
  return { wide: false, width, row: 64, box: 48, server: 26, cacheX: Math.round(width * 0.2), cache: Math.round(width * 0.27),
    cells: 5, cell: 7, consumer, consumerX: width - consumer, radius: 8 };
}

/** Who gets the events of an informer. */
const consumersOf = (informer, { handlers, reconcilers }) => [
  ...handlers.filter((handler) => handler.informer === informer.id),
  ...reconcilers.filter((reconciler) => reconciler.informers.includes(informer.id)),
];

/** Informers in an order in which few lines cross: by cluster, then by who takes their events. */
function ordered(state) {
  const rank = (informer) => {
    const handlers = state.handlers.filter((handler) => handler.informer === informer.id).length;
    return handlers ? -handlers : 100;
  };
  return [...state.informers].sort((one, other) => one.cluster.localeCompare(other.cluster) || rank(one) - rank(other)
    || one.id.localeCompare(other.id));
}

/** Handlers and reconcilers, those of a cluster together. */
function allConsumers(informers, state) {
  const clusters = [...new Set(informers.map((informer) => informer.cluster))].map((cluster) =>
    informers.filter((informer) => informer.cluster === cluster));
  return [...new Set(clusters.flatMap((own) => [
    ...own.flatMap((informer) => consumersOf(informer, { ...state, reconcilers: [] })),
    ...own.flatMap((informer) => consumersOf(informer, { ...state, handlers: [] })),
  ]))];
}

/** The middles of rows that want to be somewhere and may not overlap. */
function spread(wanted) {
  let next = 0;
  return wanted.map((row) => {
    const at = Math.max(next, row);
    next = at + 1;
    return at;
  });
}

export function layOut(state, width) {
  const size = sizes(width);
  const informers = ordered(state);
  const consumers = allConsumers(informers, state);
  const rows = new Map(consumers.map((consumer, i) => [consumer.id, i]));
  const middle = (informer) => {
    const own = consumersOf(informer, state).map((consumer) => rows.get(consumer.id));
    return own.length ? own.reduce((sum, row) => sum + row, 0) / own.length : 0;
  };
  const cacheRows = spread(informers.map(middle));
  const cacheRow = new Map(informers.map((informer, i) => [informer.id, cacheRows[i]]));
  const wanted = consumers.map((consumer) => {
    const sources = (consumer.informers ?? []).map((id) => cacheRow.get(id)).filter((row) => row !== undefined);
    return sources.length ? sources.reduce((sum, row) => sum + row, 0) / sources.length : rows.get(consumer.id);
  });
  spread(wanted).forEach((row, i) => rows.set(consumers[i].id, row));
  const y = (row) => TOP + row * size.row + size.box / 2 + 4;
  const caches = new Map(informers.map((informer, i) => [informer.id,
    { x: size.cacheX, y: y(cacheRows[i]), width: size.cache, cluster: informer.cluster }]));
  const queueWidth = size.cells * (size.cell + 1);
  const ends = new Map(consumers.map((consumer) => [consumer.id, { x: size.consumerX, y: y(rows.get(consumer.id)),
    width: size.consumer, queueX: size.consumerX - queueWidth - (size.wide ? 26 : 8), queueWidth }]));
  const links = informers.flatMap((informer) => consumersOf(informer, state).map((consumer) => ({
    from: informer.id, to: consumer.id,
    path: curve(caches.get(informer.id).x + size.cache, caches.get(informer.id).y, ends.get(consumer.id).queueX,
      ends.get(consumer.id).y) })));
  const bottom = Math.max(0, ...[...caches.values(), ...ends.values()].map((box) => box.y));
  return { ...size, caches, ends, links, servers: servers(caches, size), height: bottom + size.box / 2 + 6 };
}

function curve(x1, y1, x2, y2) {
  const half = (x1 + x2) / 2;
  return `M${x1} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}`;
}

function servers(caches, { box }) {
  const clusters = [...new Set([...caches.values()].map((cache) => cache.cluster))];
  return clusters.map((cluster) => {
    const ys = [...caches.values()].filter((cache) => cache.cluster === cluster).map((cache) => cache.y);
    const top = Math.min(...ys) - box / 2;
    return { cluster, top, height: Math.max(...ys) + box / 2 - top };
  });
}
