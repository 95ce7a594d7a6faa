package dev.kubeinformer.test.internal.watch;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.fault.Held;
import dev.kubeinformer.test.internal.fault.ResponseFault;
import dev.kubeinformer.test.internal.fault.WatchDelays;
import dev.kubeinformer.test.internal.fault.WatchFault;
import dev.kubeinformer.test.internal.fault.WatchLag;
import dev.kubeinformer.test.internal.http.Connections;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.http.Timers;
import dev.kubeinformer.test.internal.render.ObjectRenderer;
import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.request.Query;
import dev.kubeinformer.test.internal.request.Representation;
import dev.kubeinformer.test.internal.request.Signal;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.selector.Selector;
import dev.kubeinformer.test.internal.selector.ShardGate;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.RevisionLog;

/**
 * Serves the watch verb, and knows the open watches.
 */
public final class WatchEndpoint {

	private static final Duration PROBE_PERIOD = Duration.ofMillis(100);

	private static final Duration BOOKMARK_BEFORE_END = Duration.ofSeconds(2);

	private final RevisionLog log;

	private final ResourceTypes types;

	private final ObjectRenderer renderer;

	private final ShardGate shards;

	private final Duration bookmarkInterval;

	private final long lagLimit;

	private final WatchDelays lags;

	private final Signal signal;

	private final Map<ServedWatch, Open> streams = new ConcurrentHashMap<>();

	private final Set<ServedWatch> bookmarked = ConcurrentHashMap.newKeySet();

	public WatchEndpoint(RevisionLog log, ResourceTypes types, ObjectRenderer renderer, ShardGate shards,
			Duration bookmarkInterval, long lagLimit, WatchDelays lags, Signal signal) {
		this.log = log;
		this.types = types;
		this.renderer = renderer;
		this.shards = shards;
		this.bookmarkInterval = bookmarkInterval;
		this.lagLimit = lagLimit;
		this.lags = lags;
		this.signal = signal;
	}

	public List<ApiRequest> open() {
		return this.streams.values().stream().map(Open::request).toList();
	}

	/**
	 * Cuts every open watch.
	 */
	public void cutAll() {
		List.copyOf(this.streams.keySet())
			.forEach((stream) -> stream.abort(new IllegalStateException("The server cuts")));
	}

	// Ends the watches of a resource in an orderly way.
	public void end(GroupResource resource) {
		this.streams.forEach((stream, open) -> {
			if (open.resource().equals(resource)) {
				stream.timeOut();
			}
		});
	}

	/**
	 * Sends a bookmark to every open watch that allows bookmarks.
	 */
	public void sendBookmarks() {
		this.bookmarked.forEach(ServedWatch::requestBookmark);
	}

	public void watch(Exchange exchange, ResourceDefinition type, String namespace) {
		Query query = exchange.query();
		query.checkWatch();
		if ("websocket".equalsIgnoreCase(exchange.header(HttpHeader.UPGRADE))) {
			// Same as proxies without WebSocket support: the client falls back to HTTP.
			exchange.send(200, Exchange.JSON, new byte[0]);
			return;
		}
		if (exchange.representation().form() == Representation.Form.METADATA_LIST) {
			// Events cannot have this form. As in kube-apiserver, the watch ends at its
			// first event.
			exchange.send(200, Exchange.JSON, new byte[0]);
			return;
		}
		Duration timeout = query.timeout();
		Selector selector = this.shards.ofWatch(type, namespace, query);
		boolean bookmarks = query.flag("allowWatchBookmarks");
		long after = query.resourceVersion(false);
		boolean streamingList = query.flag("sendInitialEvents");
		boolean legacyInitial = after == 0 && query.text("sendInitialEvents").isEmpty();
		RevisionLog.WatchStart start;
		try {
			ResponseFault.AsOf asOf = exchange.interference(ResponseFault.AsOf.class);
			start = (asOf != null) ? past(type, namespace, asOf.revision(), streamingList || legacyInitial)
					: start(type, namespace, after, streamingList, legacyInitial);
		}
		catch (RequestFailure ex) {
			// kube-apiserver accepts the watch and reports the error in its first event.
			exchange.send(200, Exchange.JSON, this.renderer.error(ex));
			return;
		}
		boolean marker = bookmarks && (streamingList || legacyInitial);
		WatchFeed feed = new WatchFeed(this.log, this.renderer.in(exchange.representation(), exchange.query()), type,
				selector, start, marker, this.lagLimit, new WatchFault(exchange), this.lags.of(exchange.recorded()));
		open(exchange, type, feed, (bookmarks) ? this.bookmarkInterval : null, timeout);
	}

	private RevisionLog.WatchStart start(ResourceDefinition type, String namespace, long after, boolean streamingList,
			boolean legacyInitial) {
		if (!streamingList && !legacyInitial && after > 0) {
			return this.log.watchAfter(type.resource(), after);
		}
		RevisionLog.WatchStart now = this.log.watchNow(type.resource(), namespace);
		if (after > now.revision()) {
			throw Statuses.tooLargeResourceVersion(after, now.revision());
		}
		return (streamingList || legacyInitial) ? now
				: new RevisionLog.WatchStart(List.of(), now.position(), now.revision());
	}

	private RevisionLog.WatchStart past(ResourceDefinition type, String namespace, long revision, boolean initial) {
		RevisionLog.WatchStart start = this.log.watchAfter(type.resource(), revision);
		RevisionLog.Snapshot past = this.log.listAt(type.resource(), namespace, revision);
		return (initial && past != null) ? new RevisionLog.WatchStart(past.objects(), start.position(), revision)
				: start;
	}

	private void open(Exchange exchange, ResourceDefinition type, WatchFeed feed, @Nullable Duration bookmarkPeriod,
			@Nullable Duration timeout) {
		Executor executor = exchange.request().getComponents().getExecutor();
		Scheduler scheduler = exchange.request().getComponents().getScheduler();
		Timers timers = new Timers(scheduler);
		OpenWatch open = new OpenWatch(bookmarkPeriod != null);
		ServedWatch stream = new ServedWatch(exchange, feed, executor, timers, () -> {
			timers.close();
			open.end();
		});
		open.begin(exchange, type.resource(), stream, feed.lag());
		if (!this.types.isServed(type)) {
			// The watches of the resource may have been ended before this watch was
			// registered.
			stream.timeOut();
		}
		exchange.request().addFailureListener(stream::abort);
		if (bookmarkPeriod != null) {
			timers.every(bookmarkPeriod, stream::requestBookmark);
		}
		if (timeout != null) {
			timers.after(timeout, stream::timeOut);
			if (bookmarkPeriod != null) {
				timers.after(beforeEnd(timeout), stream::requestBookmark);
			}
		}
		if (Connections.isHttp1(exchange.request())) {
			timers.every(PROBE_PERIOD, stream::probe);
		}
		stream.iterate();
	}

	private static Duration beforeEnd(Duration timeout) {
		Duration shortly = timeout.minus(BOOKMARK_BEFORE_END);
		return (shortly.isNegative() || shortly.isZero()) ? timeout.dividedBy(2) : shortly;
	}

	/**
	 * Open watch.
	 *
	 * @param request its request
	 * @param resource the watched resource
	 */
	private record Open(ApiRequest request, GroupResource resource) {

	}

	/**
	 * Registration of a stream. It registers the stream with the storage, which wakes the
	 * stream at a change, and with this endpoint.
	 */
	private final class OpenWatch {

		private final boolean bookmarks;

		private @Nullable Runnable end;

		OpenWatch(boolean bookmarks) {
			this.bookmarks = bookmarks;
		}

		synchronized void begin(Exchange exchange, GroupResource resource, ServedWatch stream, WatchLag lag) {
			Runnable wake = stream::wake;
			ResponseFault.Body fault = exchange.interference(ResponseFault.Body.class);
			Held held = stream::wake;
			WatchEndpoint.this.streams.put(stream, new Open(exchange.recorded().withStatus(200), resource));
			if (this.bookmarks) {
				WatchEndpoint.this.bookmarked.add(stream);
			}
			WatchEndpoint.this.log.addListener(resource, wake);
			lag.open(wake);
			if (fault != null) {
				fault.rule().hold(held);
			}
			this.end = () -> {
				WatchEndpoint.this.log.removeListener(resource, wake);
				lag.close();
				WatchEndpoint.this.bookmarked.remove(stream);
				WatchEndpoint.this.streams.remove(stream);
				if (fault != null) {
					fault.rule().release(held);
				}
				WatchEndpoint.this.signal.give();
			};
			WatchEndpoint.this.signal.give();
		}

		synchronized void end() {
			if (this.end != null) {
				this.end.run();
			}
		}

	}

}
