package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Current informers, handlers and reconcilers of all clusters.
 *
 * @param clusters the clusters
 * @param handlers the handlers
 * @param reconcilers the reconcilers
 */
record ClusterContents(ClusterRuntimes clusters, InformerHandlers handlers, Reconcilers reconcilers) {

	Stream<Content<Informer<?>>> informers() {
		return contents(Informers::all).map(ClusterContents::<Informer<?>>widened);
	}

	private static <T> Content<T> widened(Content<? extends T> content) {
		return new Content<>(content.cluster(), content.value());
	}

	Stream<Content<InformerHandlerContainer>> allHandlers() {
		return contents((informers) -> this.handlers.of(informers));
	}

	Stream<Content<ReconcilerContainer>> allReconcilers() {
		return contents((informers) -> this.reconcilers.of(informers));
	}

	private <T> Stream<Content<T>> contents(Function<Informers, ? extends Iterable<? extends T>> reader) {
		boolean multiple = this.clusters.isMultiple();
		Stream.Builder<Content<T>> contents = Stream.builder();
		for (ClusterRuntime cluster : this.clusters.all()) {
			reader.apply(cluster.informers())
				.forEach((value) -> contents.add(new Content<>(multiple ? cluster.name() : null, value)));
		}
		return contents.build();
	}

	Optional<Content<Informer<?>>> informer(String id) {
		return informers().filter((informer) -> informer.value().id().equals(id)).findFirst();
	}

	Optional<Content<InformerHandlerContainer>> handler(String id) {
		return allHandlers().filter((handler) -> handler.value().id().equals(id)).findFirst();
	}

	Optional<Content<ReconcilerContainer>> reconciler(String id) {
		return allReconcilers().filter((reconciler) -> reconciler.value().id().equals(id)).findFirst();
	}

	List<String> handlerIds() {
		return allHandlers().map((handler) -> handler.value().id()).sorted().toList();
	}

	List<String> reconcilerIds() {
		return allReconcilers().map((reconciler) -> reconciler.value().id()).sorted().toList();
	}

	/**
	 * Component in a cluster.
	 *
	 * @param <T> the type of the component
	 * @param cluster the name of the cluster; {@code null} if there is only the default cluster
	 * @param value the component
	 */
	record Content<T>(@Nullable String cluster, T value) {

	}

}
