package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;
import dev.kubeinformer.spring.settings.ResourceShardKey;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ShardKey;

/**
 * Properties of informers and handlers. A blank value is no value: the default holds.
 *
 * @param enabled Whether informers and handlers are active. If not, nothing connects, and
 * injected listers stay empty.
 * @param autoStartup Whether informers connect when the application starts. If not, they
 * do when Informers.start() is called.
 * @param namespaces Namespaces to watch, '*' for all, '@current' for that of the
 * kubeconfig's context or of the service account. Ignored for resources without
 * namespace. By default all.
 * @param resync Period in which handlers get every cached object again; zero for never.
 * @param concurrency Number of events, of different objects, that a handler handles at
 * once.
 * @param queueCapacity Number of pending events of a handler after which events of the
 * same object are merged.
 * @param waitForCaches Whether a handler gets no event before its own cache and those of
 * all listers and informers that are injected into it, or into beans that it depends on,
 * have been filled.
 * @param concurrentLists Number of lists that the informers of a cluster read at once, at
 * the start and when they list again. A list that takes longer than ten seconds lets the
 * next one begin, up to four times the number at once.
 * @param retry retries of events that a handler failed on
 * @param startup start of the application
 * @param shutdown stop of the application
 * @param watch lists and watches
 * @param observations observations of handlers and reconcilers
 * @param health health of informers
 * @param training training run
 * @param shard shard of this replica
 * @param resources What differs for a resource, by its plural and group, such as pods or
 * "[deployments.apps]".
 * @param handlers What differs for a handler, by its id.
 */
@ConfigurationProperties(InformersProperties.PREFIX)
public record InformersProperties(@DefaultValue("true") Boolean enabled, @DefaultValue("true") Boolean autoStartup,
		@Nullable List<String> namespaces, @DefaultValue("0s") Duration resync, @DefaultValue("1") Integer concurrency,
		@DefaultValue("10000") Integer queueCapacity, @DefaultValue("true") Boolean waitForCaches,
		@DefaultValue("8") Integer concurrentLists, @DefaultValue Retry retry, @DefaultValue Startup startup,
		@DefaultValue Shutdown shutdown, @DefaultValue Watch watch, @DefaultValue Observations observations,
		@DefaultValue Health health, @DefaultValue Training training, @DefaultValue Shard shard,
		@DefaultValue Map<String, Resource> resources,
		@DefaultValue Map<String, Handler> handlers) implements InitializingBean {

	static final String PREFIX = "kubernetes.informers";

	/**
	 * Checks what the types of the properties do not say.
	 * @throws InvalidPropertyValueException if a value is out of its range
	 */
	@Override
	public void afterPropertiesSet() {
		PropertyRanges ranges = new PropertyRanges(PREFIX);
		ranges.zeroOrMore("resync", this.resync);
		ranges.atLeast("concurrency", this.concurrency, 1);
		ranges.atLeast("queue-capacity", this.queueCapacity, 1);
		ranges.atLeast("concurrent-lists", this.concurrentLists, 1);
		this.retry.check(ranges, "retry");
		ranges.zeroOrMore("startup.timeout", this.startup.timeout());
		ranges.zeroOrMore("shutdown.drain-timeout", this.shutdown.drainTimeout());
		ranges.atLeast("watch.page-size", this.watch.pageSize(), 0);
		ranges.moreThanZero("watch.idle-timeout", this.watch.idleTimeout());
		ranges.zeroOrMore("watch.verify-every", this.watch.verifyEvery());
		ranges.moreThanZero("health.stale-after", this.health.staleAfter());
		ranges.moreThanZero("training.timeout", this.training.timeout());
		ranges.moreThanZero("watch.sync-deadline", this.watch.syncDeadline());
		this.resources.forEach((key, resource) -> resource.check(ranges, PropertyRanges.entry("resources", key)));
		this.handlers.forEach((key, handler) -> {
			String entry = PropertyRanges.entry("handlers", key);
			ranges.zeroOrMore(entry + ".resync", handler.resync());
			ranges.atLeast(entry + ".concurrency", handler.concurrency(), 1);
			ranges.atLeast(entry + ".queue-capacity", handler.queueCapacity(), 1);
			handler.retry().check(ranges, entry + ".retry");
		});
	}

	/**
	 * Properties of the retries of events that a handler failed on.
	 *
	 * @param maxRetries Number of attempts after the first; zero to give a failed event
	 * up at once.
	 * @param delay Delay before the first retry.
	 * @param multiplier Factor by which each delay is longer than the one before.
	 * @param maxDelay Longest delay.
	 * @param jitter How much the first delay may be longer at random; later ones may be
	 * shorter as well, by as much more as they are longer. Spreads the retries of what
	 * failed together.
	 * @param excludes Class names of exceptions after which there is no retry; subclasses
	 * count as well, and causes.
	 */
	public record Retry(@Nullable Integer maxRetries, @Nullable Duration delay, @Nullable Double multiplier,
			@Nullable Duration maxDelay, @Nullable Duration jitter, @Nullable List<String> excludes) {

		void check(PropertyRanges ranges, String group) {
			ranges.atLeast(group + ".max-retries", this.maxRetries, 0);
			ranges.zeroOrMore(group + ".delay", this.delay);
			ranges.atLeast(group + ".multiplier", this.multiplier, 1);
			ranges.moreThanZero(group + ".max-delay", this.maxDelay);
			ranges.zeroOrMore(group + ".jitter", this.jitter);
		}

	}

	/**
	 * Properties of the start.
	 *
	 * @param waitForSync Whether the start waits until every informer holds its first
	 * full state, before the web server starts. Readiness waits in any case.
	 * @param timeout How long the start waits for informers before it fails.
	 */
	public record Startup(@DefaultValue("false") Boolean waitForSync, @DefaultValue("60s") Duration timeout) {
	}

	/**
	 * Properties of the end.
	 *
	 * @param drainTimeout How long handlers may still handle pending events, and
	 * reconcilers end their runs, when they are stopped. Should be shorter than
	 * spring.lifecycle.timeout-per-shutdown-phase.
	 */
	public record Shutdown(@DefaultValue("20s") Duration drainTimeout) {
	}

	/**
	 * Observations of handlers and reconcilers.
	 *
	 * @param enabled Whether each event that is handed to a handler, and each run of a
	 * reconciler, is observed, for a timer and a span.
	 */
	public record Observations(@DefaultValue("true") Boolean enabled) {
	}

	/**
	 * Properties of a training run, which makes an archive of the JVM for later starts.
	 *
	 * @param enabled Whether the application ends, with exit code 0, as soon as every
	 * handler and reconciler is synced and has had live changes, and every other informer
	 * is synced and watched.
	 * @param timeout How long that may take after the application is ready. Then it ends
	 * with exit code 1 and says what was missing.
	 */
	public record Training(@DefaultValue("false") Boolean enabled, @DefaultValue("2m") Duration timeout) {
	}

	/**
	 * Properties of lists and watches.
	 *
	 * @param list How full states are asked for: by lists, which are compressed on the
	 * wire, or by streaming lists (with "auto" where the API server has them).
	 * @param syncDeadline How long a streaming list may bring nothing new before the API
	 * server is asked for pages instead.
	 * @param pageSize Number of objects that one answer to a list holds at most. By
	 * default 500 where the API server can page without giving up consistency, else no
	 * limit; 0 for that default. Streaming lists have no pages.
	 * @param idleTimeout How long a watch may be silent, bookmarks included, before it is
	 * opened again.
	 * @param verifyEvery After how long caches are compared with a full list, which finds
	 * damage that watches do not show, such as that of an API server restored from a
	 * backup; 0 for never.
	 */
	public record Watch(@DefaultValue("paged") ListMode list, @DefaultValue("60s") Duration syncDeadline,
			@Nullable Integer pageSize, @DefaultValue("150s") Duration idleTimeout,
			@DefaultValue("0s") Duration verifyEvery) {
	}

	/**
	 * Properties of what health says about informers.
	 *
	 * @param readiness Whether the application is not ready before informers, handlers
	 * and reconcilers are synced.
	 * @param staleAfter How long an informer that was synced may be without a working
	 * watch before its health, and readiness, turn to DOWN. By default they never do.
	 */
	public record Health(@DefaultValue("true") Boolean readiness, @Nullable Duration staleAfter) {
	}

	/**
	 * Properties of the shard of this replica. They are checked when informers are made.
	 *
	 * @param key By what the objects are shared among replicas. It has no default.
	 * @param index Index of this replica, from 0. In a StatefulSet it is the label
	 * apps.kubernetes.io/pod-index of the pod.
	 * @param total Number of replicas that share the objects, the same for all of them.
	 */
	public record Shard(@Nullable ShardKey key, @Nullable Integer index, @Nullable Integer total) {
	}

	/**
	 * Properties of a resource, for handlers and listers alike.
	 *
	 * @param keepManagedFields Whether metadata.managedFields of the objects are kept in
	 * memory. They say who set which field, and are often half of an object's size.
	 * @param shareEqualParts Whether equal parts of different objects, such as the
	 * containers of two pods of one deployment, may be one instance in memory. By default
	 * they may; has an effect only where objects come as protobuf.
	 * @param readiness Whether the application is not ready before the handlers of the
	 * resource, and informers on it that only listers use, are synced. Reconcilers have a
	 * property of their own.
	 * @param resync Period in which handlers of the resource get every cached object
	 * again; zero for never.
	 * @param labelSelector Label selector of the objects to watch.
	 * @param shardKey By what the objects of the resource are shared among replicas,
	 * where kubernetes.informers.shard is set; 'none' for all of them on each replica. By
	 * default the key there, and 'none' for resources without namespace if that is
	 * 'namespace'.
	 * @param pageSize Number of objects that one answer to a list of the resource holds
	 * at most. By default, and with 0, that of kubernetes.informers.watch.page-size.
	 */
	public record Resource(@Nullable Boolean keepManagedFields, @Nullable Boolean shareEqualParts,
			@Nullable Boolean readiness, @Nullable Duration resync, @Nullable String labelSelector,
			@Nullable ResourceShardKey shardKey, @Nullable Integer pageSize) {

		void check(PropertyRanges ranges, String entry) {
			ranges.zeroOrMore(entry + ".resync", this.resync);
			ranges.atLeast(entry + ".page-size", this.pageSize, 0);
		}

	}

	/**
	 * Properties of a handler.
	 *
	 * @param resync Period in which the handler gets every cached object again; zero for
	 * never.
	 * @param namespaces Namespaces to watch, '*' for all, '@current' for that of the
	 * kubeconfig's context or of the service account.
	 * @param labelSelector Label selector of the objects to watch.
	 * @param fieldSelector Field selector of the objects to watch.
	 * @param sharded Whether, where kubernetes.informers.shard is set, the handler
	 * handles only the objects of the shard of this replica. By default it does.
	 * @param concurrency Number of events, of different objects, that the handler handles
	 * at once.
	 * @param queueCapacity Number of pending events after which events of the same object
	 * are merged.
	 * @param autoStartup Whether the handler starts with the application.
	 * @param readiness Whether the application is not ready before the handler is synced.
	 * @param waitForCaches Whether the handler gets no event before the caches that it
	 * reads have been filled.
	 * @param leaderOnly Whether events are delivered only while this replica leads.
	 * @param errorHandler Name of the InformerErrorHandler bean that gets the events that
	 * are given up.
	 * @param retry retries of events that a handler failed on
	 */
	public record Handler(@Nullable Duration resync, @Nullable List<String> namespaces, @Nullable String labelSelector,
			@Nullable String fieldSelector, @Nullable Boolean sharded, @Nullable Integer concurrency,
			@Nullable Integer queueCapacity, @Nullable Boolean autoStartup, @Nullable Boolean readiness,
			@Nullable Boolean waitForCaches, @Nullable Boolean leaderOnly, @Nullable String errorHandler,
			@DefaultValue Retry retry) {
	}

}
