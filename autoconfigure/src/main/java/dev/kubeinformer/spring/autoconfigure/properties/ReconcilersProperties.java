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
 * Properties of reconcilers. Beside the defaults there is an entry for each id, which
 * {@link ReconcilerEntries} read. A blank value is no value: the default holds.
 *
 * @param defaults properties of all reconcilers
 */
@ConfigurationProperties(ReconcilersProperties.PREFIX)
public record ReconcilersProperties(@DefaultValue Defaults defaults) implements InitializingBean {

	static final String PREFIX = "kubernetes.reconcilers";

	/** The key that no reconciler can have. */
	static final String DEFAULTS = "defaults";

	/**
	 * Checks what the types of the properties do not say.
	 * @throws InvalidPropertyValueException if a value is out of its range
	 */
	@Override
	public void afterPropertiesSet() {
		this.defaults.check(DEFAULTS);
	}

	/**
	 * Properties of all reconcilers.
	 *
	 * @param concurrency Number of objects that are reconciled at once.
	 * @param resync Period in which every object is reconciled although nothing changed,
	 * spread over the period; zero for never.
	 * @param timeout How long a run may take. After that its requests are cancelled and
	 * its thread is interrupted.
	 * @param minInterval Least time between the starts of two runs for an object, unless
	 * it is deleted.
	 * @param leaderOnly Whether reconcilers run only while this replica leads. By default
	 * they do where kubernetes.leader.enabled is set.
	 * @param appliedDigest Whether what a reconciler applies gets an annotation with a
	 * digest of it, kubeinformer.dev/applied. Without it, each object is applied once
	 * after a start.
	 * @param formerFieldManagers Field managers by whose names the children were created
	 * or updated before. What they set and the reconciler does not apply is removed.
	 * @param ownWrites wait for what a reconciler wrote itself
	 * @param retry retries of what failed
	 */
	public record Defaults(@Nullable Integer concurrency, @Nullable Duration resync, @Nullable Duration timeout,
			@Nullable Duration minInterval, @Nullable Boolean leaderOnly, @Nullable Boolean appliedDigest,
			@Nullable List<String> formerFieldManagers, @DefaultValue OwnWrites ownWrites, @DefaultValue Retry retry) {

		/**
		 * Checks what the types of the properties do not say.
		 * @param key the key of the entry
		 * @throws InvalidPropertyValueException if a value is out of its range
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
	 * Properties of the wait for what a reconciler wrote itself.
	 *
	 * @param timeout How long an object is not reconciled at most because the caches do
	 * not show yet what the last run for it wrote.
	 */
	public record OwnWrites(@Nullable Duration timeout) {
	}

	/**
	 * Properties of the retries of failed runs, which have no end.
	 *
	 * @param delay Delay before the first retry.
	 * @param multiplier Factor by which each delay is longer than the one before.
	 * @param maxDelay Longest delay.
	 * @param jitter Part of each delay by which it is longer or shorter at random, from 0
	 * to 1.
	 * @param excludes Class names of exceptions after which there is no retry; subclasses
	 * count as well, and causes.
	 */
	public record Retry(@Nullable Duration delay, @Nullable Double multiplier, @Nullable Duration maxDelay,
			@Nullable Double jitter, @Nullable List<String> excludes) {
	}

	/**
	 * Properties of a reconciler, in addition to those that have defaults.
	 *
	 * @param namespaces Namespaces to watch, for owned and watched objects as well, '*'
	 * for all, '@current' for that of the kubeconfig's context or of the service account.
	 * @param labelSelector Label selector of the objects to reconcile.
	 * @param fieldSelector Field selector of the objects to reconcile.
	 * @param autoStartup Whether the reconciler starts with the application.
	 * @param readiness Whether the application is not ready before the caches of the
	 * reconciler are synced.
	 * @param fieldManager Field manager of what the reconciler applies. By default its
	 * id.
	 * @param finalizer Finalizer of a reconciler with a cleanup, such as
	 * 'example.com/widgets'.
	 * @param ownedVerbs RBAC verbs that the reconciler uses on what it owns, for the
	 * rules that it is said to need. By default get, list, watch, create, patch and
	 * delete.
	 * @param concurrency Number of objects that are reconciled at once.
	 * @param resync Period in which every object is reconciled although nothing changed,
	 * spread over the period; zero for never.
	 * @param timeout How long a run may take. After that its requests are cancelled and
	 * its thread is interrupted.
	 * @param minInterval Least time between the starts of two runs for an object, unless
	 * it is deleted.
	 * @param leaderOnly Whether reconcilers run only while this replica leads. By default
	 * they do where kubernetes.leader.enabled is set.
	 * @param appliedDigest Whether what a reconciler applies gets an annotation with a
	 * digest of it, kubeinformer.dev/applied. Without it, each object is applied once
	 * after a start.
	 * @param formerFieldManagers Field managers by whose names the children were created
	 * or updated before. What they set and the reconciler does not apply is removed.
	 * @param ownWrites wait for what a reconciler wrote itself
	 * @param retry retries of what failed
	 */
	public record Reconciler(@Nullable List<String> namespaces, @Nullable String labelSelector,
			@Nullable String fieldSelector, @Nullable Boolean autoStartup, @Nullable Boolean readiness,
			@Nullable String fieldManager, @Nullable String finalizer, @Nullable List<String> ownedVerbs,
			@Nullable Integer concurrency, @Nullable Duration resync, @Nullable Duration timeout,
			@Nullable Duration minInterval, @Nullable Boolean leaderOnly, @Nullable Boolean appliedDigest,
			@Nullable List<String> formerFieldManagers, @DefaultValue OwnWrites ownWrites, @DefaultValue Retry retry) {

		/**
		 * Returns the properties that have defaults.
		 * @return those of this reconciler
		 */
		Defaults common() {
			return new Defaults(this.concurrency, this.resync, this.timeout, this.minInterval, this.leaderOnly,
					this.appliedDigest, this.formerFieldManagers, this.ownWrites, this.retry);
		}

	}

}
