package dev.kubeinformer.sample.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.stereotype.Component;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.sample.page.Flow.Stage;
import dev.kubeinformer.sample.page.PageState.HandlerRow;
import dev.kubeinformer.spring.autoconfigure.cluster.InformerCustomizer;
import dev.kubeinformer.types.HandlingOutcome;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * Listener that counts the items of each stage. It keeps one number for each stage,
 * however many events there are, and the last list of each informer.
 */
@Component
class FlowLog implements InformerListener, ReconcilerListener, InformerCustomizer {

	private final Map<Step, Long> counts = new LinkedHashMap<>();

	private final Map<String, Received> received = new HashMap<>();

	private final Map<String, LastList> lists = new HashMap<>();

	private final Map<String, FromCache> fromCache = new HashMap<>();

	@Override
	public void customize(Informers.Builder builder) {
		builder.listener(this);
	}

	@Override
	public synchronized void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
		this.lists.put(informer.id(), new LastList(reason.name(), objects, Instant.now()));
		add(Stage.LISTED, informer.id(), "", reason.name(), Math.max(1, objects));
	}

	@Override
	public synchronized void eventReceived(Informer<?> informer, WatchEventType type) {
		boolean news = type != WatchEventType.BOOKMARK && type != WatchEventType.ERROR;
		this.received.merge(informer.id(), new Received(news ? 1 : 0, (type == WatchEventType.BOOKMARK) ? 1 : 0),
				Received::plus);
		add(Stage.RECEIVED, informer.id(), "", type.name(), 1);
	}

	@Override
	public synchronized void handled(Informer<?> informer, HandlerRegistration handler, HandledEvent event) {
		boolean failed = event.outcome() != HandlingOutcome.HANDLED;
		add(Stage.HANDLED, informer.id(), handler.id(), failed ? event.outcome().name() : event.type().name(), 1);
	}

	@Override
	public synchronized void ran(ReconcilerContainer reconciler, ReconcileRun run) {
		add(Stage.RAN, "", reconciler.id(), run.outcome().name(), 1);
	}

	@Override
	public synchronized void informerRemoved(Informer<?> informer) {
		this.received.remove(informer.id());
		this.lists.remove(informer.id());
	}

	private void add(Stage stage, String from, String to, String type, long count) {
		this.counts.merge(new Step(stage, from, to, type), count, Long::sum);
	}

	synchronized Received received(String informer) {
		return this.received.getOrDefault(informer, Received.NOTHING);
	}

	synchronized LastList lastList(String informer) {
		return this.lists.getOrDefault(informer, LastList.NONE);
	}

	/**
	 * Counts the events from caches: events in the queues that the API server did not
	 * send.
	 * @param handlers the current handlers
	 */
	synchronized void look(List<HandlerRow> handlers) {
		this.fromCache.keySet().retainAll(handlers.stream().map(HandlerRow::id).toList());
		for (HandlerRow handler : handlers) {
			long surplus = this.fromCache.computeIfAbsent(handler.id(), (id) -> new FromCache())
				.look(handler.queued(), received(handler.informer()).events());
			if (surplus > 0) {
				add(Stage.QUEUED, handler.informer(), handler.id(), "CACHED", surplus);
			}
		}
	}

	/**
	 * Returns the counts of items by stage, and resets them.
	 * @return the stages that counted items since the last call
	 */
	synchronized List<Flow> take() {
		List<Flow> flows = new ArrayList<>();
		this.counts
			.forEach((step, count) -> flows.add(new Flow(step.stage(), step.from(), step.to(), step.type(), count)));
		this.counts.clear();
		return flows;
	}

	private record Step(Stage stage, String from, String to, String type) {

	}

	/**
	 * Events that the API server sent on the watches of an informer.
	 *
	 * @param events the number of changes
	 * @param bookmarks the number of bookmarks
	 */
	record Received(long events, long bookmarks) {

		static final Received NOTHING = new Received(0, 0);

		Received plus(Received other) {
			return new Received(this.events + other.events, this.bookmarks + other.bookmarks);
		}

	}

	/**
	 * Last full list of an informer.
	 *
	 * @param reason the reason of the list; empty before the first
	 * @param objects the number of objects in it
	 * @param at the time at which it was stored
	 */
	record LastList(String reason, int objects, Instant at) {

		static final LastList NONE = new LastList("", 0, Instant.EPOCH);

	}

}
