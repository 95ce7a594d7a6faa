package dev.kubeinformer.spring.observation;

import java.util.function.BooleanSupplier;

import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.cluster.LocalId;

/**
 * An {@link EventHandler} whose calls are observed. What goes wrong with an observation
 * is logged and is no failure of the handler, whose events would be repeated.
 *
 * @param <T> the model class
 */
final class ObservedEventHandler<T extends KubernetesObject> implements EventHandler<T> {

	private static final InformerHandlerObservationConvention DEFAULT = new DefaultInformerHandlerObservationConvention();

	private final EventHandler<T> handler;

	private final String id;

	private final InformerSpec<T> spec;

	private final ObservationRegistry registry;

	private final @Nullable InformerHandlerObservationConvention convention;

	private final BooleanSupplier multipleClusters;

	private final ObservationGuard guard;

	ObservedEventHandler(EventHandler<T> handler, String id, InformerSpec<T> spec, ObservationRegistry registry,
			@Nullable InformerHandlerObservationConvention convention, BooleanSupplier multipleClusters) {
		this.handler = handler;
		this.id = id;
		this.spec = spec;
		this.registry = registry;
		this.convention = convention;
		this.multipleClusters = multipleClusters;
		this.guard = new ObservationGuard(registry, "handler '%s'".formatted(id), "Events are handled all the same");
	}

	@Override
	public void handle(ResourceEvent<T> event) throws Exception {
		InformerHandlerObservationContext context = new InformerHandlerObservationContext(this.spec.id(),
				LocalId.within(event.cluster(), this.id).id(), this.spec.type().name(), event,
				this.multipleClusters.getAsBoolean() ? event.cluster() : null);
		Observation observation = this.guard.create(() -> InformerHandlerObservation.HANDLER
			.observation(this.convention, DEFAULT, () -> context, this.registry));
		if (observation == null) {
			this.handler.handle(event);
			return;
		}
		boolean started = this.guard.attempt("start", observation::start);
		try {
			this.guard.inScope(started ? observation : null, () -> {
				this.handler.handle(event);
				return event;
			});
			context.succeeded();
		}
		catch (Throwable ex) {
			context.failed(ex.getClass());
			this.guard.attempt("error", () -> observation.error(new HandlerFailure(ex)));
			throw ex;
		}
		finally {
			// Also if only some started: what they began would never end.
			this.guard.attempt("stop", observation::stop);
		}
	}

}
