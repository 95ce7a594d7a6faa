package dev.kubeinformer.spring.autoconfigure.health;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlers;

/**
 * Readiness of the handlers, reconcilers and informers of one cluster, by id.
 *
 * @param cluster the cluster
 * @param handlers the handlers of all clusters
 * @param reconcilers the readiness of reconcilers
 * @param statusMapper the rules that map the state of an informer to a health status
 */
record ClusterReadiness(ClusterRuntime cluster, InformerHandlers handlers, ReconcilerReadiness reconcilers,
		InformerStatusMapper statusMapper) {

	boolean knows(String name) {
		return find(name) != null;
	}

	/**
	 * Returns the component that currently has an id. A different component may have the
	 * same id later.
	 * @param name the id
	 * @return the handler, reconciler or informer; {@code null} if there is none
	 */
	@Nullable Object find(String name) {
		InformerHandlerContainer handler = handler(name);
		if (handler != null) {
			return handler;
		}
		ReconcilerContainer reconciler = reconciler(name);
		return (reconciler != null) ? reconciler : informer(name).orElse(null);
	}

	/**
	 * Returns whether the configuration includes a component and its cluster in
	 * readiness.
	 * @param name the id
	 * @return {@code true} if the component is included
	 */
	boolean isAskedFor(String name) {
		if (!this.cluster.readiness()) {
			return false;
		}
		InformerHandlerContainer handler = handler(name);
		if (handler != null) {
			return handler.isAutoStartup() && handler.isReadiness();
		}
		ReconcilerContainer reconciler = reconciler(name);
		if (reconciler != null) {
			return this.reconcilers.isAskedFor(reconciler);
		}
		return informer(name).map(this.cluster::isInReadiness).orElse(true);
	}

	boolean wasReady(String name) {
		InformerHandlerContainer handler = handler(name);
		ReconcilerContainer reconciler = reconciler(name);
		if (handler == null && reconciler != null) {
			return this.reconcilers.wasReady(this.cluster.informers(), reconciler);
		}
		// A standby must become ready, too: a leader-only handler is ready when its cache
		// is synced.
		boolean synced = handler == null || handler.isLeaderOnly() || handler.wasSynced();
		return synced && informer(name).map(Informer::status)
			.map((status) -> status.sync().everSynced() && status.watch().everWatched())
			.orElse(handler != null && handler.wasSynced());
	}

	boolean isTooStale(String name) {
		ReconcilerContainer reconciler = reconciler(name);
		if (handler(name) == null && reconciler != null) {
			return this.reconcilers.isTooStale(this.cluster.informers(), reconciler);
		}
		return informer(name).map(Informer::status).filter(this.statusMapper::isTooStale).isPresent();
	}

	private Optional<Informer<?>> informer(String name) {
		InformerHandlerContainer handler = handler(name);
		return this.cluster.informers()
			.all()
			.stream()
			.filter((informer) -> (handler != null) ? informer.spec().equals(handler.spec())
					: informer.id().equals(name))
			.findFirst();
	}

	private @Nullable InformerHandlerContainer handler(String name) {
		return this.handlers.of(this.cluster.informers())
			.stream()
			.filter((handler) -> handler.id().equals(name))
			.findFirst()
			.orElse(null);
	}

	private @Nullable ReconcilerContainer reconciler(String name) {
		return this.reconcilers.find(this.cluster.informers(), name);
	}

}
