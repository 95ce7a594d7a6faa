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
 * Guard of what is observed against its observations: what goes wrong with one is logged
 * once for each kind, and is no failure of the work.
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
	 * @param subject whose work is observed, such as {@code handler 'pods'}
	 * @param consequence what goes on in spite of a failure, as a sentence
	 */
	ObservationGuard(ObservationRegistry registry, String subject, String consequence) {
		this.registry = registry;
		this.subject = subject;
		this.consequence = consequence;
	}

	/**
	 * Starts the observation of a call.
	 * @param <C> the type of the context
	 * @param context the context
	 * @param factory creates the observation
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
		return new ObservedCall<>(this, observation, context, attempt("start", observation::start));
	}

	/**
	 * Takes a step of an observation.
	 * @param step the name of the step
	 * @param work the step
	 * @return whether it did not fail
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

	/**
	 * Does work in the scope of an observation, as far as one can be opened.
	 * @param <R> what the work returns
	 * @param observation the observation; {@code null} if it could not be started
	 * @param work the work
	 * @return what the work returned
	 * @throws Exception what the work threw
	 */
	<R> R inScope(@Nullable Observation observation, Work<R> work) throws Exception {
		Observation.Scope before = this.registry.getCurrentObservationScope();
		Observation.Scope scope = (observation != null) ? open(observation, before) : null;
		try {
			return work.run();
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
		if (!attempt("closing of the scope", scope::close)) {
			// The thread goes on with other work.
			this.registry.setCurrentObservationScope(before);
		}
	}

	private void log(String step, Throwable failure) {
		String exception = failure.getClass().getName();
		if (this.logged.add(step + " " + exception)) {
			// Its message may quote an object.
			logger.warn("The observation of {} failed at its {}: {}. {}; further failures of this kind are not logged",
					this.subject, step, exception, this.consequence);
		}
	}

	/**
	 * Work that is observed.
	 *
	 * @param <R> what it returns
	 */
	@FunctionalInterface
	interface Work<R> {

		R run() throws Exception;

	}

}
