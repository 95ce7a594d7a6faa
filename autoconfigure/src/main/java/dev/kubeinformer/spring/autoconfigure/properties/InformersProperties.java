package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;
import dev.kubeinformer.spring.settings.ResourceShardKey;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ShardKey;

/**
 * Properties of informers and handlers. A blank value counts as not set, so the default
 * applies.
 *
 * @param enabled Whether informers and handlers are active. If false, nothing connects,
 * injected listers stay empty, and optional injection points get none.
 * @param autoStartup Whether informers connect when the application starts. If false,
 * they connect when Informers.start() is called.
 * @param namespaces Namespaces to watch, '*' for all, '@current' for the namespace of the
 * kubeconfig's context or of the service account. Ignored for cluster-scoped resources.
 * By default all.
 * @param resync Period in which every cached object is delivered to handlers again; zero
 * for no resync.
 * @param concurrency Maximum number of objects whose events a handler processes
 * concurrently.
 * @param queueCapacity Number of pending events of a handler above which events of the
 * same object are merged.
 * @param waitForCaches Whether delivery to a handler waits until its own cache and the
 * caches of all listers and informers that are injected into it, or into beans that it
 * depends on, have been filled.
 * @param concurrentLists Maximum number of lists that the informers of a cluster read
 * concurrently, at the start and when they list again. A list that takes longer than ten
 * seconds no longer counts, up to four times the number in total.
 * @param retry retries of failed events
 * @param startup start of the application
 * @param shutdown stop of the application
 * @param watch lists and watches
 * @param observations observations of handlers and reconcilers
 * @param health health of informers
 * @param training training run
 * @param shard distribution of objects over the replicas
 * @param resources Overrides for a resource, by its plural and group, such as pods or
 * "[deployments.apps]".
 * @param handlers Overrides for a handler, by its id.
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
	 * Checks the ranges of the properties.
	 * @throws InvalidPropertyValueException if a value is out of range
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
		ranges.zeroOrMore("startup.late-timeout", this.startup.lateTimeout());
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
	 * Properties of the retries of failed events.
	 *
	 * @param maxRetries Number of attempts after the first; zero for no retries.
	 * @param delay Delay before the first retry.
	 * @param multiplier Factor between consecutive delays.
	 * @param maxDelay Longest delay.
	 * @param jitter Random jitter added to the first delay; later delays can also be
	 * shorter, and their jitter grows with the delay. Spreads retries of events that
	 * failed together.
	 * @param excludes Class names of exceptions that are not retried. An exception is
	 * also excluded if it is a subclass of one of them, or has one as a cause.
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
	 * @param waitForSync Whether the start waits until all informers are synced, before
	 * the web server starts. Readiness waits in any case.
	 * @param timeout Time after which a start that waits for informers fails.
	 * @param lateTimeout Time that the reads of a lister or informer wait for the first
	 * sync if it was injected after the start, and that runners wait for the caches that
	 * they read; zero for no wait. Afterwards the reads fail, and runners begin. All
	 * reads of a cache share this time, which begins with the first one.
	 */
	public record Startup(@DefaultValue("false") Boolean waitForSync, @DefaultValue("60s") Duration timeout,
			@DefaultValue("10s") Duration lateTimeout) {

	}

	/**
	 * Properties of the shutdown.
	 *
	 * @param drainTimeout Time limit on stop for pending events of handlers and for
	 * running reconcilers. Should be shorter than
	 * spring.lifecycle.timeout-per-shutdown-phase.
	 */
	public record Shutdown(@DefaultValue("20s") Duration drainTimeout) {
	}

	/**
	 * Properties of the observations of handlers and reconcilers.
	 *
	 * @param enabled Whether each delivery to a handler, each run of a reconciler and
	 * each of its writes is observed with a timer and a span.
	 * @param objectNames Whether spans have the namespace and the name of the object.
	 */
	public record Observations(@DefaultValue("true") Boolean enabled, @DefaultValue("false") Boolean objectNames) {
	}

	/**
	 * Properties of a training run, which creates an archive of the JVM for later starts.
	 *
	 * @param enabled Whether the application ends with exit code 0 as soon as all
	 * handlers and reconcilers are synced and have processed live changes, and all other
	 * informers are synced and watched.
	 * @param timeout Time limit for the training after the application is ready. After it
	 * the application ends with exit code 1 and logs what was missing.
	 */
	public record Training(@DefaultValue("false") Boolean enabled, @DefaultValue("2m") Duration timeout) {
	}

	/**
	 * Properties of lists and watches.
	 *
	 * @param list Way to read full states: with lists, which are compressed on the wire,
	 * or with streaming lists (for "auto", if the API server supports them).
	 * @param syncDeadline Time without progress of a streaming list after which the
	 * informer lists in pages instead.
	 * @param pageSize Maximum number of objects in one response to a list. By default,
	 * and for 0, 500 if the API server can page consistently, otherwise no limit.
	 * Streaming lists have no pages.
	 * @param idleTimeout Time without any event or bookmark after which a watch is opened
	 * again.
	 * @param verifyEvery Period for comparing caches with a full list, which finds
	 * differences that watches do not show, for example after a restore of the API server
	 * from a backup; 0 to never compare.
	 */
	public record Watch(@DefaultValue("paged") ListMode list, @DefaultValue("60s") Duration syncDeadline,
			@Nullable Integer pageSize, @DefaultValue("150s") Duration idleTimeout,
			@DefaultValue("0s") Duration verifyEvery) {
	}

	/**
	 * Properties of the health of informers.
	 *
	 * @param readiness Whether readiness waits until informers, handlers and reconcilers
	 * are synced.
	 * @param staleAfter Time without a working watch after which the health of a synced
	 * informer, and readiness, change to DOWN. By default they never do.
	 */
	public record Health(@DefaultValue("true") Boolean readiness, @Nullable Duration staleAfter) {
	}

	/**
	 * Properties of the distribution of objects over the replicas. They are checked when
	 * informers are created.
	 *
	 * @param mode Source of the shards of this replica. With 'none' the other properties
	 * have no effect.
	 * @param key Key that selects the shard or slot of an object. It has no default.
	 * @param index Index of this replica, from 0, for the mode 'static'. In a
	 * StatefulSet, use the label apps.kubernetes.io/pod-index of the pod.
	 * @param total Number of shards for the mode 'static', which is the number of
	 * replicas and the same for all of them.
	 * @param slots Number of slots that move between the replicas in the mode 'leases',
	 * from 1 to 1024. All replicas have the same number, and it cannot change while one
	 * of them runs.
	 * @param group Name of the group of replicas that share the slots in the mode
	 * 'leases', the same for all of them. By default the value of
	 * spring.application.name.
	 * @param identity Name of this replica for other replicas, such as its address for
	 * requests. By default the name of the pod or host.
	 * @param cluster Name of the cluster with the Leases of the replicas; 'default' for
	 * the cluster of kubernetes.client.
	 * @param leaseNamespace Namespace of the Leases of the replicas; '@current' for the
	 * namespace of the kubeconfig's context or of the service account.
	 * @param leaseDuration Time after which other replicas take the slots of a replica
	 * whose Lease does not change. At least 2s more than the renew deadline.
	 * @param renewDeadline Time for which a replica keeps its slots after it sent the
	 * last successful renewal. At least 3 times the retry period.
	 * @param retryPeriod Period in which a replica renews its Lease.
	 * @param settleTime Time that replicas wait for more replicas to join before slots
	 * move to those that have joined.
	 * @param syncTimeout Longest time that a replica waits for caches of all objects
	 * before it joins the group.
	 * @param unheldAfter Time without a holder after which health reports a slot.
	 */
	public record Shard(@DefaultValue("static") Mode mode, @Nullable ShardKey key, @Nullable Integer index,
			@Nullable Integer total, @DefaultValue("64") Integer slots, @Nullable String group,
			@Nullable String identity, @DefaultValue("default") String cluster,
			@DefaultValue("@current") String leaseNamespace, @DefaultValue("15s") Duration leaseDuration,
			@DefaultValue("10s") Duration renewDeadline, @DefaultValue("2s") Duration retryPeriod,
			@DefaultValue("1s") Duration settleTime, @DefaultValue("60s") Duration syncTimeout,
			@DefaultValue("30s") Duration unheldAfter) {

		public Shard {
			cluster = StringUtils.hasText(cluster) ? cluster.strip() : "default";
			leaseNamespace = StringUtils.hasText(leaseNamespace) ? leaseNamespace.strip() : "@current";
		}

		/**
		 * Source of the shards of a replica.
		 */
		public enum Mode {

			/** Each replica has the shard of its index. */
			STATIC,

			/** Slots move between the replicas, which announce themselves by Leases. */
			LEASES,

			/** Each replica has all objects; the other properties have no effect. */
			NONE

		}

	}

	/**
	 * Properties of a resource, for both handlers and listers.
	 *
	 * @param keepManagedFields Whether metadata.managedFields of the objects are kept in
	 * memory. They name the owner of each field, and are often half of an object's size.
	 * @param shareEqualParts Whether equal parts of different objects, such as the
	 * containers of two pods of one deployment, may be one instance in memory. True by
	 * default; only has an effect if objects are received as protobuf.
	 * @param readiness Whether readiness waits for the handlers of the resource, and for
	 * informers on it that only listers use. Reconcilers have a separate property.
	 * @param resync Period in which every cached object is delivered to handlers of the
	 * resource again; zero for no resync.
	 * @param labelSelector Label selector of the objects to watch.
	 * @param shardKey Shard key of the resource if kubernetes.informers.shard is set;
	 * 'none' for all objects on each replica. By default the key of
	 * kubernetes.informers.shard, but 'none' for cluster-scoped resources if that key is
	 * 'namespace'.
	 * @param pageSize Maximum number of objects in one response to a list of the
	 * resource. By default, and for 0, the value of kubernetes.informers.watch.page-size.
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
	 * @param resync Period in which every cached object is delivered to the handler
	 * again; zero for no resync.
	 * @param namespaces Namespaces to watch, '*' for all, '@current' for the namespace of
	 * the kubeconfig's context or of the service account.
	 * @param labelSelector Label selector of the objects to watch.
	 * @param fieldSelector Field selector of the objects to watch.
	 * @param sharded Whether the handler receives only objects of this replica's shard or
	 * slots, if kubernetes.informers.shard is set. True by default.
	 * @param concurrency Maximum number of objects whose events the handler processes
	 * concurrently.
	 * @param queueCapacity Number of pending events above which events of the same object
	 * are merged.
	 * @param autoStartup Whether the handler starts with the application.
	 * @param readiness Whether readiness waits until the handler is synced.
	 * @param waitForCaches Whether delivery waits until the caches that the handler reads
	 * have been filled.
	 * @param leaderOnly Whether the handler receives events only while this replica
	 * leads.
	 * @param allowAsync Whether methods of the handler may be asynchronous (@Async), so
	 * that their events count as handled before they run.
	 * @param errorHandler Name of the InformerErrorHandler bean that receives exhausted
	 * events.
	 * @param retry retries of failed events
	 */
	public record Handler(@Nullable Duration resync, @Nullable List<String> namespaces, @Nullable String labelSelector,
			@Nullable String fieldSelector, @Nullable Boolean sharded, @Nullable Integer concurrency,
			@Nullable Integer queueCapacity, @Nullable Boolean autoStartup, @Nullable Boolean readiness,
			@Nullable Boolean waitForCaches, @Nullable Boolean leaderOnly, @Nullable Boolean allowAsync,
			@Nullable String errorHandler, @DefaultValue Retry retry) {
	}

}
