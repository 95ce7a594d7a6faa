package dev.kubeinformer.spring.observation;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.spring.handler.HandlerDecorator;

/**
 * Observes each delivery of an event to a handler, including the logging of the handler's
 * failure. A failure of the observation is only logged. Otherwise the delivery would
 * fail, and the event would be delivered again.
 */
public final class ObservedHandlers implements HandlerDecorator {

	private static final InformerHandlerObservationConvention DEFAULT = new DefaultInformerHandlerObservationConvention();

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<? extends @Nullable InformerHandlerObservationConvention> convention;

	private final BooleanSupplier multipleClusters;

	private final BooleanSupplier objectNames;

	/**
	 * Creates the decorator with spans that do not have names of objects.
	 * @param registry the supplier of the registry
	 * @param convention the supplier of the convention, or of {@code null} for the
	 * default
	 * @param multipleClusters whether observations have the name of the cluster
	 */
	public ObservedHandlers(Supplier<ObservationRegistry> registry,
			Supplier<? extends @Nullable InformerHandlerObservationConvention> convention,
			BooleanSupplier multipleClusters) {
		this(registry, convention, multipleClusters, () -> false);
	}

	/**
	 * Creates the decorator. The suppliers are not called before the first handler
	 * exists.
	 * @param registry the supplier of the registry
	 * @param convention the supplier of the convention, or of {@code null} for the
	 * default
	 * @param multipleClusters whether observations have the name of the cluster
	 * @param objectNames whether spans have namespace and name of the object
	 */
	public ObservedHandlers(Supplier<ObservationRegistry> registry,
			Supplier<? extends @Nullable InformerHandlerObservationConvention> convention,
			BooleanSupplier multipleClusters, BooleanSupplier objectNames) {
		this.registry = registry;
		this.convention = convention;
		this.multipleClusters = multipleClusters;
		this.objectNames = objectNames;
	}

	/**
	 * Returns the handler itself: {@link #observer(String, InformerSpec)} observes it.
	 */
	@Override
	public <T extends KubernetesObject> EventHandler<T> decorate(EventHandler<T> handler, String id,
			InformerSpec<T> spec) {
		return handler;
	}

	@Override
	public @Nullable DeliveryObserver observer(String id, InformerSpec<?> spec) {
		ObservationRegistry current = this.registry.get();
		if (current.isNoop()) {
			return null;
		}
		InformerHandlerObservationConvention named = this.convention.get();
		ObservationGuard guard = new ObservationGuard(current, "handler '%s'".formatted(id),
				"Events are still handled");
		boolean objects = this.objectNames.getAsBoolean();
		return (event) -> {
			InformerHandlerObservationContext context = new InformerHandlerObservationContext(spec.id(),
					ClusterScopedId.within(event.cluster(), id).id(), spec.type().name(), event,
					this.multipleClusters.getAsBoolean() ? event.cluster() : null, objects);
			ObservedCall<InformerHandlerObservationContext> call = guard.start(context,
					() -> InformerHandlerObservation.HANDLER.observation(named, DEFAULT, () -> context, current));
			return (call != null) ? new ObservedDelivery(call) : null;
		};
	}

	/**
	 * Delivery with its observation.
	 *
	 * @param call the observed call
	 */
	private record ObservedDelivery(
			ObservedCall<InformerHandlerObservationContext> call) implements DeliveryObserver.Scope {

		@Override
		public void handled(@Nullable Throwable failure) {
			if (failure == null) {
				this.call.context().succeeded();
			}
			else {
				this.call.context().failed(failure);
				this.call.failed(failure);
			}
		}

		@Override
		public void close() {
			this.call.close();
		}

	}

}
