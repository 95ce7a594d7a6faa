package dev.kubeinformer.spring.observation;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.spring.handler.HandlerDecorator;

/**
 * {@link HandlerDecorator} that observes each event. A failure of an observation is
 * logged and does not fail the handler, because events would be repeated.
 */
public final class ObservedHandlers implements HandlerDecorator {

	private static final InformerHandlerObservationConvention DEFAULT = new DefaultInformerHandlerObservationConvention();

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<? extends @Nullable InformerHandlerObservationConvention> convention;

	private final BooleanSupplier multipleClusters;

	/**
	 * Creates the decorator. The suppliers are not called before the first handler
	 * exists.
	 * @param registry the supplier of the registry
	 * @param convention the supplier of the convention, or of {@code null} for the
	 * default
	 * @param multipleClusters whether observations have the name of the cluster
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
		if (current.isNoop()) {
			return handler;
		}
		InformerHandlerObservationConvention named = this.convention.get();
		ObservationGuard guard = new ObservationGuard(current, "handler '%s'".formatted(id),
				"Events are still handled");
		return (event) -> {
			InformerHandlerObservationContext context = new InformerHandlerObservationContext(spec.id(),
					ClusterScopedId.within(event.cluster(), id).id(), spec.type().name(), event,
					this.multipleClusters.getAsBoolean() ? event.cluster() : null);
			ObservedCall<InformerHandlerObservationContext> call = guard.start(context,
					() -> InformerHandlerObservation.HANDLER.observation(named, DEFAULT, () -> context, current));
			if (call == null) {
				handler.handle(event);
			}
			else {
				handle(handler, event, call);
			}
		};
	}

	private static <T extends KubernetesObject> void handle(EventHandler<T> handler, ResourceEvent<T> event,
			ObservedCall<InformerHandlerObservationContext> call) throws Exception {
		try {
			call.inScope(() -> {
				handler.handle(event);
				return event;
			});
			call.context().succeeded();
		}
		catch (Throwable ex) {
			call.context().failed(ex);
			call.failed(ex);
			throw ex;
		}
		finally {
			call.stop();
		}
	}

}
