package dev.kubeinformer.spring.observation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Protects observed work, such as the call of a handler, from failures of its
 * observation, for example in a tracer. Such a failure does not make the work fail. Each
 * kind of failure is logged once.
 */
final class ObservationGuard {

	private static final Logger logger = LoggerFactory.getLogger(ObservationGuard.class);

	private final ObservationRegistry registry;

	private final String subject;

	private final String consequence;

	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the guard.
	 * @param registry the registry of the observations
	 * @param subject the observed component, such as {@code handler 'pods'}
	 * @param consequence the sentence that says which work continues after a failure,
	 * such as {@code Events are still handled}
	 */
	ObservationGuard(ObservationRegistry registry, String subject, String consequence) {
		this.registry = registry;
		this.subject = subject;
		this.consequence = consequence;
	}

	/**
	 * Starts the observation of a call and opens its scope for the calling thread.
	 * @param <C> the type of the context
	 * @param context the context
	 * @param factory the factory of the observation
	 * @return the call; {@code null} if the observation cannot be created
	 */
	<C extends Observation.Context> @Nullable ObservedCall<C> start(C context, Supplier<Observation> factory) {
		Observation observation;
		try {
			observation = factory.get();
		}
		catch (Throwable ex) {
			log("creation", ex);
			return null;
		}
		boolean started = attempt("start", observation::start);
		return new ObservedCall<>(this, observation, context, started ? open(observation) : null);
	}

	/**
	 * Runs a step of an observation.
	 * @param step the name of the step
	 * @param work the step
	 * @return {@code true} if the step succeeded
	 */
	boolean attempt(String step, Runnable work) {
		try {
			work.run();
			return true;
		}
		catch (Throwable ex) {
			log(step, ex);
			return false;
		}
	}

	private @Nullable OpenScope open(Observation observation) {
		Observation.Scope before = this.registry.getCurrentObservationScope();
		try {
			return new OpenScope(observation.openScope(), before);
		}
		catch (Throwable ex) {
			log("opening of the scope", ex);
			Observation.Scope opened = this.registry.getCurrentObservationScope();
			if (opened != null && opened != before) {
				close(new OpenScope(opened, before));
			}
			return null;
		}
	}

	/**
	 * Closes a scope.
	 * @param open the scope
	 */
	void close(OpenScope open) {
		if (!attempt("closing of the scope", open.scope()::close)) {
			// Restore the scope, because the thread continues with other work.
			this.registry.setCurrentObservationScope(open.before());
		}
	}

	private void log(String step, Throwable failure) {
		String exception = failure.getClass().getName();
		if (this.logged.add(step + " " + exception)) {
			// Do not log the message, because it may quote an object.
			logger.warn("The observation of {} failed at its {}: {}. {}; further failures of this kind are not logged",
					this.subject, step, exception, this.consequence);
		}
	}

	/**
	 * Scope of an observation.
	 *
	 * @param scope the scope
	 * @param before the scope that the thread had before; {@code null} for none
	 */
	record OpenScope(Observation.Scope scope, Observation.@Nullable Scope before) {

	}

}
