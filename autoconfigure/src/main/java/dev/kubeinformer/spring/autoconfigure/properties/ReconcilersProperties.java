package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Properties of reconcilers. Beside the defaults there is an entry for each id, which
 * {@link ReconcilerEntries} read. A blank value is no value: the default holds.
 */
@ConfigurationProperties(ReconcilersProperties.PREFIX)
public class ReconcilersProperties implements InitializingBean {

	static final String PREFIX = "kubernetes.reconcilers";

	/** The key that no reconciler can have. */
	static final String DEFAULTS = "defaults";

	private final Defaults defaults = new Defaults();

	public Defaults getDefaults() {
		return this.defaults;
	}

	/**
	 * Checks what the types of the properties do not say.
	 * @throws InvalidPropertyValueException if a value is out of its range
	 */
	@Override
	public void afterPropertiesSet() {
		check(DEFAULTS, this.defaults);
	}

	/**
	 * Checks what the types of the properties of an entry do not say.
	 * @param key the key of the entry
	 * @param entry the entry
	 * @throws InvalidPropertyValueException if a value is out of its range
	 */
	static void check(String key, Defaults entry) {
		PropertyRanges ranges = new PropertyRanges(ReconcilerEntries.name(key, ""));
		ranges.atLeast("concurrency", entry.getConcurrency(), 1);
		ranges.zeroOrMore("resync", entry.getResync());
		ranges.moreThanZero("timeout", entry.getTimeout());
		ranges.zeroOrMore("min-interval", entry.getMinInterval());
		ranges.moreThanZero("own-writes.timeout", entry.getOwnWrites().getTimeout());
		Retry retry = entry.getRetry();
		ranges.moreThanZero("retry.delay", retry.getDelay());
		ranges.atLeast("retry.multiplier", retry.getMultiplier(), 1);
		ranges.moreThanZero("retry.max-delay", retry.getMaxDelay());
		ranges.part("retry.jitter", retry.getJitter());
	}

	/**
	 * Properties of all reconcilers.
	 */
	public static class Defaults {

		/**
		 * Number of objects that are reconciled at once.
		 */
		private @Nullable Integer concurrency;

		/**
		 * Period in which every object is reconciled although nothing changed, spread
		 * over the period; zero for never.
		 */
		private @Nullable Duration resync;

		/**
		 * How long a run may take. After that its requests are cancelled and its thread
		 * is interrupted.
		 */
		private @Nullable Duration timeout;

		/**
		 * Least time between the starts of two runs for an object, unless it is deleted.
		 */
		private @Nullable Duration minInterval;

		/**
		 * Whether reconcilers run only while this replica leads. By default they do where
		 * kubernetes.leader.enabled is set.
		 */
		private @Nullable Boolean leaderOnly;

		private final OwnWrites ownWrites = new OwnWrites();

		private final Retry retry = new Retry();

		public @Nullable Integer getConcurrency() {
			return this.concurrency;
		}

		public void setConcurrency(@Nullable Integer concurrency) {
			this.concurrency = concurrency;
		}

		public @Nullable Duration getResync() {
			return this.resync;
		}

		public void setResync(@Nullable Duration resync) {
			this.resync = resync;
		}

		public @Nullable Duration getTimeout() {
			return this.timeout;
		}

		public void setTimeout(@Nullable Duration timeout) {
			this.timeout = timeout;
		}

		public @Nullable Duration getMinInterval() {
			return this.minInterval;
		}

		public void setMinInterval(@Nullable Duration minInterval) {
			this.minInterval = minInterval;
		}

		public @Nullable Boolean getLeaderOnly() {
			return this.leaderOnly;
		}

		public void setLeaderOnly(@Nullable Boolean leaderOnly) {
			this.leaderOnly = leaderOnly;
		}

		public OwnWrites getOwnWrites() {
			return this.ownWrites;
		}

		public Retry getRetry() {
			return this.retry;
		}

	}

	/**
	 * Properties of the wait for what a reconciler wrote itself.
	 */
	public static class OwnWrites {

		/**
		 * How long an object is not reconciled at most because the caches do not show yet
		 * what the last run for it wrote.
		 */
		private @Nullable Duration timeout;

		public @Nullable Duration getTimeout() {
			return this.timeout;
		}

		public void setTimeout(@Nullable Duration timeout) {
			this.timeout = timeout;
		}

	}

	/**
	 * Properties of the retries of failed runs, which have no end.
	 */
	public static class Retry {

		/**
		 * Delay before the first retry.
		 */
		private @Nullable Duration delay;

		/**
		 * Factor by which each delay is longer than the one before.
		 */
		private @Nullable Double multiplier;

		/**
		 * Longest delay.
		 */
		private @Nullable Duration maxDelay;

		/**
		 * Part of each delay by which it is longer or shorter at random, from 0 to 1.
		 */
		private @Nullable Double jitter;

		/**
		 * Class names of exceptions after which there is no retry; subclasses count as
		 * well, and causes.
		 */
		private @Nullable List<String> excludes;

		public @Nullable Duration getDelay() {
			return this.delay;
		}

		public void setDelay(@Nullable Duration delay) {
			this.delay = delay;
		}

		public @Nullable Double getMultiplier() {
			return this.multiplier;
		}

		public void setMultiplier(@Nullable Double multiplier) {
			this.multiplier = multiplier;
		}

		public @Nullable Duration getMaxDelay() {
			return this.maxDelay;
		}

		public void setMaxDelay(@Nullable Duration maxDelay) {
			this.maxDelay = maxDelay;
		}

		public @Nullable Double getJitter() {
			return this.jitter;
		}

		public void setJitter(@Nullable Double jitter) {
			this.jitter = jitter;
		}

		public @Nullable List<String> getExcludes() {
			return this.excludes;
		}

		public void setExcludes(@Nullable List<String> excludes) {
			this.excludes = excludes;
		}

	}

	/**
	 * Properties of a reconciler, in addition to those that have defaults.
	 */
	public static class Reconciler extends Defaults {

		/**
		 * Namespaces to watch, for owned and watched objects as well, '*' for all,
		 * '@current' for that of the kubeconfig's context or of the service account.
		 */
		private @Nullable List<String> namespaces;

		/**
		 * Label selector of the objects to reconcile.
		 */
		private @Nullable String labelSelector;

		/**
		 * Field selector of the objects to reconcile.
		 */
		private @Nullable String fieldSelector;

		/**
		 * Whether the reconciler starts with the application.
		 */
		private @Nullable Boolean autoStartup;

		/**
		 * Whether the application is not ready before the caches of the reconciler are
		 * synced.
		 */
		private @Nullable Boolean readiness;

		/**
		 * Field manager of what the reconciler applies. By default its id.
		 */
		private @Nullable String fieldManager;

		/**
		 * Finalizer of a reconciler with a cleanup, such as 'example.com/widgets'.
		 */
		private @Nullable String finalizer;

		/**
		 * RBAC verbs that the reconciler uses on what it owns, for the rules that it is
		 * said to need. By default get, list, watch, create, patch and delete.
		 */
		private @Nullable List<String> ownedVerbs;

		public @Nullable List<String> getNamespaces() {
			return this.namespaces;
		}

		public void setNamespaces(@Nullable List<String> namespaces) {
			this.namespaces = namespaces;
		}

		public @Nullable String getLabelSelector() {
			return this.labelSelector;
		}

		public void setLabelSelector(@Nullable String labelSelector) {
			this.labelSelector = labelSelector;
		}

		public @Nullable String getFieldSelector() {
			return this.fieldSelector;
		}

		public void setFieldSelector(@Nullable String fieldSelector) {
			this.fieldSelector = fieldSelector;
		}

		public @Nullable Boolean getAutoStartup() {
			return this.autoStartup;
		}

		public void setAutoStartup(@Nullable Boolean autoStartup) {
			this.autoStartup = autoStartup;
		}

		public @Nullable Boolean getReadiness() {
			return this.readiness;
		}

		public void setReadiness(@Nullable Boolean readiness) {
			this.readiness = readiness;
		}

		public @Nullable String getFieldManager() {
			return this.fieldManager;
		}

		public void setFieldManager(@Nullable String fieldManager) {
			this.fieldManager = fieldManager;
		}

		public @Nullable String getFinalizer() {
			return this.finalizer;
		}

		public void setFinalizer(@Nullable String finalizer) {
			this.finalizer = finalizer;
		}

		public @Nullable List<String> getOwnedVerbs() {
			return this.ownedVerbs;
		}

		public void setOwnedVerbs(@Nullable List<String> ownedVerbs) {
			this.ownedVerbs = ownedVerbs;
		}

	}

}
