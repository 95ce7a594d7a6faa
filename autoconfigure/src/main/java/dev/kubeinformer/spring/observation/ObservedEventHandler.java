package dev.kubeinformer.spring.observation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.EventHandler;
import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.ResourceEvent;

/**
 * An {@link EventHandler} whose calls are observed. What goes wrong with an observation
 * is logged and is no failure of the handler, whose events would be repeated.
 *
 * @param <T> the model class
 */
final class ObservedEventHandler<T extends KubernetesObject> implements EventHandler<T> {

	private static final Logger logger = LoggerFactory.getLogger(ObservedEventHandler.class);

	private static final InformerHandlerObservationConvention DEFAULT = new DefaultInformerHandlerObservationConvention();

	private final EventHandler<T> handler;

	private final String id;

	private final InformerSpec<T> spec;

	private final ObservationRegistry registry;

	private final @Nullable InformerHandlerObservationConvention convention;

	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	ObservedEventHandler(EventHandler<T> handler, String id, InformerSpec<T> spec, ObservationRegistry registry,
			@Nullable InformerHandlerObservationConvention convention) {
		this.handler = handler;
		this.id = id;
		this.spec = spec;
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public void handle(ResourceEvent<T> event) throws Exception {
		InformerHandlerObservationContext context = new InformerHandlerObservationContext(this.spec.id(), this.id,
				this.spec.type().name(), event);
		Observation observation = create(context);
		if (observation == null) {
			this.handler.handle(event);
			return;
		}
		boolean started = guarded("start", observation::start);
		try {
			handleInScope(started ? observation : null, event);
			context.succeeded();
		}
		catch (Throwable ex) {
			context.failed(ex.getClass());
			guarded("error", () -> observation.error(new HandlerFailure(ex)));
			throw ex;
		}
		finally {
			// Also if only some started: what they began would never end.
			guarded("stop", observation::stop);
		}
	}

	private @Nullable Observation create(InformerHandlerObservationContext context) {
		try {
			return InformerHandlerObservation.HANDLER.observation(this.convention, DEFAULT, () -> context,
					this.registry);
		}
		catch (Throwable ex) {
			log("creation", ex);
			return null;
		}
	}

	private void handleInScope(@Nullable Observation observation, ResourceEvent<T> event) throws Exception {
		Observation.Scope before = this.registry.getCurrentObservationScope();
		Observation.Scope scope = (observation != null) ? open(observation, before) : null;
		try {
			this.handler.handle(event);
		}
		finally {
			if (scope != null) {
				close(scope, before);
			}
		}
	}

	private Observation.@Nullable Scope open(Observation observation, Observation.@Nullable Scope before) {
		try {
			return observation.openScope();
		}
		catch (Throwable ex) {
			log("opening of the scope", ex);
			Observation.Scope opened = this.registry.getCurrentObservationScope();
			if (opened != null && opened != before) {
				close(opened, before);
			}
			return null;
		}
	}

	private void close(Observation.Scope scope, Observation.@Nullable Scope before) {
		if (!guarded("closing of the scope", scope::close)) {
			// The thread goes on with other events.
			this.registry.setCurrentObservationScope(before);
		}
	}

	private boolean guarded(String step, Runnable work) {
		try {
			work.run();
			return true;
		}
		catch (Throwable ex) {
			log(step, ex);
			return false;
		}
	}

	private void log(String step, Throwable failure) {
		String exception = failure.getClass().getName();
		if (this.logged.add(step + " " + exception)) {
			// Its message may quote an object.
			logger.warn("The observation of handler '{}' failed at its {}: {}. Events are handled all the same; "
					+ "further failures of this kind are not logged", this.id, step, exception);
		}
	}

}
