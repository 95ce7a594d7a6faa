package dev.kubeinformer.spring.observation;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.handler.HandlerDecorator;

/**
 * A {@link HandlerDecorator} that observes each event.
 */
public final class ObservedHandlers implements HandlerDecorator {

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<? extends @Nullable InformerHandlerObservationConvention> convention;

	private final BooleanSupplier multipleClusters;

	/**
	 * Creates the decorator. No supplier is asked before the first handler is there.
	 * @param registry gives the registry
	 * @param convention gives the names and tags; {@code null} for the default
	 * @param multipleClusters whether observations name the cluster
	 */
	public ObservedHandlers(Supplier<ObservationRegistry> registry,
			Supplier<? extends @Nullable InformerHandlerObservationConvention> convention,
			BooleanSupplier multipleClusters) {
		this.registry = registry;
		this.convention = convention;
		this.multipleClusters = multipleClusters;
	}

	@Override
	public <T extends KubernetesObject> EventHandler<T> decorate(EventHandler<T> handler, String id,
			InformerSpec<T> spec) {
		ObservationRegistry current = this.registry.get();
		return current.isNoop() ? handler
				: new ObservedEventHandler<>(handler, id, spec, current, this.convention.get(), this.multipleClusters);
	}

}
