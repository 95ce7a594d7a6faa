package dev.kubeinformer.sample.page;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.sample.page.FlowLog.LastList;
import dev.kubeinformer.sample.page.FlowLog.Received;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * State of all informers, handlers and reconcilers at one moment.
 *
 * @param informers the informers
 * @param handlers the handlers
 * @param reconcilers the reconcilers
 * @param leader the leader election; {@code null} if it is disabled
 */
record PageState(List<InformerRow> informers, List<HandlerRow> handlers, List<ReconcilerRow> reconcilers,
		@Nullable LeaderRow leader) {

	static PageState of(InformerClusters clusters, InformerHandlerRegistry handlers, ReconcilerRegistry reconcilers,
			@Nullable LeaderElector elector, FlowLog flows) {
		return new PageState(informers(clusters).map((informer) -> InformerRow.of(informer, flows)).toList(),
				handlers.all().stream().map(HandlerRow::of).toList(),
				reconcilers.all().stream().map(ReconcilerRow::of).toList(),
				(elector != null) ? LeaderRow.of(elector.status()) : null);
	}

	static Stream<? extends Informer<?>> informers(InformerClusters clusters) {
		return Stream.concat(Stream.of(InformerClusters.DEFAULT), clusters.names().stream())
			.flatMap((name) -> clusters.get(name).all().stream());
	}

	/**
	 * Row of an informer.
	 */
	record InformerRow(String id, String cluster, Set<String> namespaces, String state, Instant since, int cacheSize,
			String resourceVersion, long lists, LastList lastList, Received received, @Nullable Instant lastEventAt,
			@Nullable String error) {

		static InformerRow of(Informer<?> informer, FlowLog flows) {
			InformerStatus status = informer.status();
			return new InformerRow(informer.id(), informer.cluster(), informer.namespaces(), status.state().name(),
					status.since(), status.cache().size(), status.cache().resourceVersion(), status.lists().total(),
					flows.lastList(informer.id()), flows.received(informer.id()), status.watch().lastEventAt(),
					(status.lastError() != null) ? describe(status.lastError()) : null);
		}

		/**
		 * Returns the class of an error, and not its message, in which a server may quote
		 * an object.
		 */
		private static String describe(InformerError error) {
			String status = (error.httpStatus() != null) ? "HTTP " + error.httpStatus() : "";
			return "%s: %s %s".formatted(error.verb(), status, error.reason()).replaceAll(" +", " ").strip();
		}

	}

	/**
	 * Row of a handler.
	 */
	record HandlerRow(String id, String informer, String state, int pendingInitial, int queueSize, int retrying,
			long processed, long failed, long exhausted, @Nullable Instant busySince) {

		static HandlerRow of(InformerHandlerContainer handler) {
			HandlerStatus status = handler.status();
			return new HandlerRow(handler.id(), informer(handler), state(handler, status),
					status.sync().pendingInitial(), status.queue().size(), status.queue().waitingForRetry(),
					status.deliveries().processed(), status.deliveries().failed(), status.deliveries().exhausted(),
					(status.handling() != null) ? status.handling().since() : null);
		}

		// Returns the id of the informer, with the cluster unless it is the default one.
		private static String informer(InformerHandlerContainer handler) {
			String id = handler.spec().id();
			return handler.cluster().equals(InformerClusters.DEFAULT) ? id : handler.cluster() + "." + id;
		}

		/**
		 * Returns the total number of events in its queue.
		 */
		long queued() {
			return this.queueSize + this.processed + this.exhausted;
		}

		private static String state(InformerHandlerContainer handler, HandlerStatus status) {
			if (!handler.isRunning()) {
				return "STOPPED";
			}
			if (status.paused()) {
				return "PAUSED";
			}
			return status.sync().synced() ? "SYNCED" : "SYNCING";
		}

	}

	/**
	 * Row of a reconciler.
	 */
	record ReconcilerRow(String id, List<String> informers, List<String> resources, String state, int queueSize,
			int parked, int delayed, long runs, long failed, List<FailingRow> failing) {

		static ReconcilerRow of(ReconcilerContainer reconciler) {
			ReconcilerStatus status = reconciler.status();
			return new ReconcilerRow(reconciler.id(),
					status.sources().stream().map(ReconcilerSource::informer).distinct().toList(),
					status.sources().stream().map(ReconcilerSource::resource).distinct().toList(),
					status.state().name(), status.queue().ready().values().stream().mapToInt(Integer::intValue).sum(),
					status.queue().parked(), status.queue().delayed(), status.runs().total(), status.runs().failed(),
					status.failing().stream().map(FailingRow::of).toList());
		}

	}

	/**
	 * Row of the leader election. The page computes the remaining time of a term, because
	 * this time changes continuously.
	 */
	record LeaderRow(String lease, String state, Instant since, @Nullable String holder, boolean own,
			@Nullable Long term, @Nullable Instant validUntil, long renewals) {

		static LeaderRow of(LeaderStatus status) {
			Leadership.Term term = status.term();
			return new LeaderRow(status.namespace() + "/" + status.name(), status.state().name(), status.since(),
					status.holder(), status.identity().equals(status.holder()), (term != null) ? term.number() : null,
					(term != null) ? term.validUntil() : null, status.renewals());
		}

	}

	/**
	 * Row of a failing key.
	 */
	record FailingRow(String key, int attempts, @Nullable Instant nextAttempt, String exception) {

		static FailingRow of(FailingKey failing) {
			return new FailingRow(failing.key().toString(), failing.attempts(), failing.nextAttempt(),
					failing.exceptionClass().substring(failing.exceptionClass().lastIndexOf('.') + 1));
		}

	}

}
