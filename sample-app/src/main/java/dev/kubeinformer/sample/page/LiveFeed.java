package dev.kubeinformer.sample.page;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.sample.page.PageState.InformerRow;
import dev.kubeinformer.sample.page.PageState.LeaderRow;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Feed of the page: the state of all informers, handlers and reconcilers after each
 * change, and the delivered events. It is thread-safe and does not block.
 */
@Component
public class LiveFeed {

	private static final int REMEMBERED = 100;

	private final InformerClusters clusters;

	private final InformerHandlerRegistry handlers;

	private final ReconcilerRegistry reconcilers;

	private final ObjectProvider<LeaderElector> elector;

	private final FlowLog flows;

	private final LiveClients clients;

	private final Deque<Row> rows = new ArrayDeque<>();

	/**
	 * Last id of a row. The first id is the current time, so that ids keep growing after
	 * a restart of the application.
	 */
	private long lastId = System.currentTimeMillis();

	private PageState state = new PageState(List.of(), List.of(), List.of(), null);

	LiveFeed(InformerClusters clusters, InformerHandlerRegistry handlers, ReconcilerRegistry reconcilers,
			ObjectProvider<LeaderElector> elector, FlowLog flows, LiveClients clients) {
		this.clusters = clusters;
		this.handlers = handlers;
		this.reconcilers = reconcilers;
		this.elector = elector;
		this.flows = flows;
		this.clients = clients;
	}

	/**
	 * Shows an event that was delivered to a handler.
	 * @param handler the id of the handler
	 * @param event the event
	 * @param note a short text
	 */
	public void show(String handler, ResourceEvent<?> event, String note) {
		add(handler, event.type().name(), key(event.object().getMetadata()), note, event.resync());
	}

	/**
	 * Shows an event that was delivered to a handler of the official client.
	 * @param handler the id of the handler
	 * @param type the type of the event
	 * @param object its object
	 */
	public void show(String handler, ResourceEvent.Type type, KubernetesObject object) {
		add(handler, type.name(), key(object.getMetadata()), "", false);
	}

	/**
	 * Shows the outcome of a reconciler's run or of an event on which a handler failed.
	 * @param source the id of the reconciler or handler
	 * @param outcome the outcome
	 * @param key the key of the object
	 * @param note a short text
	 */
	public void show(String source, String outcome, String key, String note) {
		add(source, outcome, key, note, false);
	}

	private static String key(V1ObjectMeta metadata) {
		return (metadata.getNamespace() != null) ? metadata.getNamespace() + "/" + metadata.getName()
				: String.valueOf(metadata.getName());
	}

	private synchronized void add(String source, String type, String object, String note, boolean resync) {
		Row row = new Row(++this.lastId, Instant.now(), source, type, object, note, resync);
		this.rows.addLast(row);
		if (this.rows.size() > REMEMBERED) {
			this.rows.removeFirst();
		}
		this.clients.send(row.toMessage());
	}

	@Scheduled(fixedDelayString = "${sample.page.period:250ms}")
	void look() {
		PageState now = PageState.of(this.clusters, this.handlers, this.reconcilers, this.elector.getIfAvailable(),
				this.flows);
		this.flows.look(now.handlers());
		List<Flow> flows = this.flows.take();
		synchronized (this) {
			if (!now.equals(this.state)) {
				showTransitions(this.state, now);
				this.state = now;
				this.clients.send(stateMessage());
			}
			if (!flows.isEmpty()) {
				this.clients.send(new Message("flows", null, flows));
			}
		}
	}

	private void showTransitions(PageState before, PageState after) {
		Map<String, String> old = before.informers()
			.stream()
			.collect(Collectors.toMap(InformerRow::id, InformerRow::state));
		for (InformerRow informer : after.informers()) {
			String state = old.get(informer.id());
			if (state != null && !state.equals(informer.state())) {
				boolean failed = informer.error() != null && !informer.state().equals("LIVE");
				add("informer", informer.state(), informer.id(),
						"was " + state + (failed ? ": " + informer.error() : ""), false);
			}
		}
		LeaderRow was = before.leader();
		LeaderRow is = after.leader();
		if (was != null && is != null && !was.state().equals(is.state())) {
			add("leader", is.state(), is.lease(), "was " + was.state(), false);
		}
	}

	private Message stateMessage() {
		return new Message("state", null, new Now(Instant.now(), this.state));
	}

	/**
	 * Opens the feed of one page: the state, the recent rows, and from then on every
	 * change.
	 * @param lastId the last row that the page has; 0 for none
	 * @return the emitter of the response
	 */
	synchronized SseEmitter open(long lastId) {
		List<Message> first = new ArrayList<>();
		first.add(stateMessage());
		this.rows.stream().filter((row) -> row.id() > lastId).map(Row::toMessage).forEach(first::add);
		return this.clients.add(first);
	}

	/**
	 * Row of the page.
	 */
	record Row(long id, Instant at, String source, String type, String object, String note, boolean resync) {

		Message toMessage() {
			return new Message("row", String.valueOf(this.id), this);
		}

	}

	/**
	 * State with the server's time, because the clock of a browser may differ.
	 */
	record Now(Instant now, PageState state) {

	}

}
