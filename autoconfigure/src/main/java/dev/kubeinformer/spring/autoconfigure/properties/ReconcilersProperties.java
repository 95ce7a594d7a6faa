package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Properties of reconcilers. {@link ReconcilerEntries} reads the entries of single
 * reconcilers, which are siblings of the defaults. A blank value counts as not set, so
 * the default applies.
 *
 * @param defaults properties of all reconcilers
 */
@ConfigurationProperties(ReconcilersProperties.PREFIX)
public record ReconcilersProperties(@DefaultValue Defaults defaults) implements InitializingBean {

	static final String PREFIX = "kubernetes.reconcilers";

	/** Reserved key, which cannot be the id of a reconciler. */
	static final String DEFAULTS = "defaults";

	/**
	 * Checks the ranges of the properties.
	 * @throws InvalidPropertyValueException if a value is out of range
	 */
	@Override
	public void afterPropertiesSet() {
		this.defaults.check(DEFAULTS);
	}

	/**
	 * Properties of all reconcilers.
	 *
	 * @param concurrency Maximum number of objects that are reconciled concurrently.
	 * @param resync Period in which every object is reconciled even without a change,
	 * spread over the period; zero for no resync.
	 * @param timeout Time limit of a run. After it, requests of the run are cancelled and
	 * its thread is interrupted.
	 * @param minInterval Shortest interval between the starts of two runs for an object,
	 * unless it is deleted.
	 * @param leaderOnly Whether reconcilers run only while this replica leads. True by
	 * default if kubernetes.leader.enabled is set.
	 * @param appliedDigest Whether applied objects get the annotation
	 * kubeinformer.dev/applied with a digest of what was applied. Without it, each object
	 * is applied once after a start.
	 * @param formerFieldManagers Names of field managers that created or updated the
	 * children before. Their fields that the reconciler does not apply are removed.
	 * @param ownWrites a reconciler's writes that the caches do not contain yet
	 * @param retry retries of failed runs
	 */
	public record Defaults(@Nullable Integer concurrency, @Nullable Duration resync, @Nullable Duration timeout,
			@Nullable Duration minInterval, @Nullable Boolean leaderOnly, @Nullable Boolean appliedDigest,
			@Nullable List<String> formerFieldManagers, @DefaultValue OwnWrites ownWrites, @DefaultValue Retry retry) {

		/**
		 * Checks the ranges of the properties.
		 * @param key the key of the entry
		 * @throws InvalidPropertyValueException if a value is out of range
		 */
		void check(String key) {
			PropertyRanges ranges = new PropertyRanges(PropertyRanges.entry(PREFIX, key));
			ranges.atLeast("concurrency", this.concurrency, 1);
			ranges.zeroOrMore("resync", this.resync);
			ranges.moreThanZero("timeout", this.timeout);
			ranges.zeroOrMore("min-interval", this.minInterval);
			ranges.moreThanZero("own-writes.timeout", this.ownWrites.timeout());
			ranges.moreThanZero("retry.delay", this.retry.delay());
			ranges.atLeast("retry.multiplier", this.retry.multiplier(), 1);
			ranges.moreThanZero("retry.max-delay", this.retry.maxDelay());
			ranges.part("retry.jitter", this.retry.jitter());
		}

	}

	/**
	 * Properties of a reconciler's own writes that the caches do not show yet.
	 *
	 * @param timeout Time in which the caches must show a write before health reports it.
	 * Until they do, runs get the response of the API server. Where that is not possible,
	 * the object waits, for that long at most.
	 */
	public record OwnWrites(@Nullable Duration timeout) {
	}

	/**
	 * Properties of the retries of failed runs, whose number is not limited.
	 *
	 * @param delay Delay before the first retry.
	 * @param multiplier Factor between consecutive delays.
	 * @param maxDelay Longest delay.
	 * @param jitter Random fraction by which each delay is longer or shorter, from 0 to
	 * 1.
	 * @param excludes Class names of exceptions that are not retried. Their subclasses
	 * and causes of an exception match, too.
	 */
	public record Retry(@Nullable Duration delay, @Nullable Double multiplier, @Nullable Duration maxDelay,
			@Nullable Double jitter, @Nullable List<String> excludes) {
	}

	/**
	 * Properties of a reconciler, in addition to those that have defaults.
	 *
	 * @param namespaces Namespaces to watch, also for owned and watched objects, '*' for
	 * all, '@current' for the namespace of the kubeconfig's context or of the service
	 * account.
	 * @param labelSelector Label selector of the objects to reconcile.
	 * @param fieldSelector Field selector of the objects to reconcile.
	 * @param autoStartup Whether the reconciler starts with the application.
	 * @param readiness Whether readiness waits until the caches of the reconciler are
	 * synced.
	 * @param fieldManager Field manager of the reconciler's server-side apply. By default
	 * its id.
	 * @param finalizer Finalizer of a reconciler with a cleanup, such as
	 * 'example.com/widgets'.
	 * @param ownedVerbs RBAC verbs that the reconciler uses on owned objects, for the
	 * rules in its required roles. By default get, list, watch, create, patch and delete.
	 * @param concurrency Maximum number of objects that are reconciled concurrently.
	 * @param resync Period in which every object is reconciled even without a change,
	 * spread over the period; zero for no resync.
	 * @param timeout Time limit of a run. After it, requests of the run are cancelled and
	 * its thread is interrupted.
	 * @param minInterval Shortest interval between the starts of two runs for an object,
	 * unless it is deleted.
	 * @param leaderOnly Whether the reconciler runs only while this replica leads. True
	 * by default if kubernetes.leader.enabled is set.
	 * @param appliedDigest Whether applied objects get the annotation
	 * kubeinformer.dev/applied with a digest of what was applied. Without it, each object
	 * is applied once after a start.
	 * @param formerFieldManagers Names of field managers that created or updated the
	 * children before. Their fields that the reconciler does not apply are removed.
	 * @param ownWrites the reconciler's writes that the caches do not contain yet
	 * @param retry retries of failed runs
	 */
	public record Reconciler(@Nullable List<String> namespaces, @Nullable String labelSelector,
			@Nullable String fieldSelector, @Nullable Boolean autoStartup, @Nullable Boolean readiness,
			@Nullable String fieldManager, @Nullable String finalizer, @Nullable List<String> ownedVerbs,
			@Nullable Integer concurrency, @Nullable Duration resync, @Nullable Duration timeout,
			@Nullable Duration minInterval, @Nullable Boolean leaderOnly, @Nullable Boolean appliedDigest,
			@Nullable List<String> formerFieldManagers, @DefaultValue OwnWrites ownWrites, @DefaultValue Retry retry) {

		/**
		 * Returns the properties that have defaults.
		 * @return the properties of this reconciler
		 */
		Defaults common() {
			return new Defaults(this.concurrency, this.resync, this.timeout, this.minInterval, this.leaderOnly,
					this.appliedDigest, this.formerFieldManagers, this.ownWrites, this.retry);
		}

	}

}
