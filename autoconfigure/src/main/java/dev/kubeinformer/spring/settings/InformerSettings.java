package dev.kubeinformer.spring.settings;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What one place (an entry of the configuration, or an annotation) says about an informer
 * or handler. {@code null} where it says nothing.
 *
 * @param namespaces the namespaces as written: {@code *} and {@code @current} are allowed
 * @param labelSelector the label selector
 * @param fieldSelector the field selector
 * @param resync the resync period of handlers
 * @param concurrency the number of workers of a handler
 * @param queueCapacity the number of pending events after which a handler's events are
 * merged
 * @param autoStartup whether a handler starts with the application
 * @param readiness whether readiness waits for a handler, or for an informer that only
 * listers use
 * @param waitForCaches whether events are delivered to a handler only when the caches
 * that it reads are filled
 * @param errorHandler the name of the bean that is told of events that are given up
 * @param keepManagedFields whether {@code metadata.managedFields} are kept in memory
 * @param shareEqualParts whether equal parts of objects may be one instance in memory
 * @param retry how events that a handler failed on are tried again
 */
public record InformerSettings(@Nullable List<String> namespaces, @Nullable String labelSelector,
		@Nullable String fieldSelector, @Nullable Duration resync, @Nullable Integer concurrency,
		@Nullable Integer queueCapacity, @Nullable Boolean autoStartup, @Nullable Boolean readiness,
		@Nullable Boolean waitForCaches, @Nullable String errorHandler, @Nullable Boolean keepManagedFields,
		@Nullable Boolean shareEqualParts, RetrySettings retry) {

	private static final InformerSettings NONE = new InformerSettings(null, null, null, null, null, null, null, null,
			null, null, null, null, RetrySettings.none());

	/**
	 * Settings that say nothing.
	 * @return empty settings
	 */
	public static InformerSettings none() {
		return NONE;
	}

	/**
	 * Settings about what is cached.
	 * @param namespaces the namespaces
	 * @param labelSelector the label selector
	 * @param fieldSelector the field selector
	 * @return the settings
	 */
	public static InformerSettings source(@Nullable List<String> namespaces, @Nullable String labelSelector,
			@Nullable String fieldSelector) {
		return new InformerSettings(namespaces, labelSelector, fieldSelector, null, null, null, null, null, null, null,
				null, null, RetrySettings.none());
	}

	/**
	 * Adds what another place says about the things that these settings leave open.
	 * @param other the settings with less precedence
	 * @return the combination
	 */
	public InformerSettings orElse(InformerSettings other) {
		return new InformerSettings(first(this.namespaces, other.namespaces),
				first(this.labelSelector, other.labelSelector), first(this.fieldSelector, other.fieldSelector),
				first(this.resync, other.resync), first(this.concurrency, other.concurrency),
				first(this.queueCapacity, other.queueCapacity), first(this.autoStartup, other.autoStartup),
				first(this.readiness, other.readiness), first(this.waitForCaches, other.waitForCaches),
				first(this.errorHandler, other.errorHandler), first(this.keepManagedFields, other.keepManagedFields),
				first(this.shareEqualParts, other.shareEqualParts), this.retry.orElse(other.retry));
	}

	static <V> @Nullable V first(@Nullable V value, @Nullable V fallback) {
		return (value != null) ? value : fallback;
	}

}
