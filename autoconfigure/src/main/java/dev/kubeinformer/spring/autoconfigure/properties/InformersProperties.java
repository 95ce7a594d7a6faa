package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;
import dev.kubeinformer.spring.settings.ResourceShardKey;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ShardKey;

/**
 * Properties of informers and handlers. A blank value is no value: the default holds.
 */
@ConfigurationProperties(InformersProperties.PREFIX)
public class InformersProperties implements InitializingBean {

	static final String PREFIX = "kubernetes.informers";

	/**
	 * Whether informers and handlers are active. If not, nothing connects, and injected
	 * listers stay empty.
	 */
	private boolean enabled = true;

	/**
	 * Whether informers connect when the application starts. If not, they do when
	 * Informers.start() is called.
	 */
	private boolean autoStartup = true;

	/**
	 * Namespaces to watch, '*' for all, '@current' for that of the kubeconfig's context
	 * or of the service account. Ignored for resources without namespace. By default all.
	 */
	private @Nullable List<String> namespaces;

	/**
	 * Period in which handlers get every cached object again; zero for never.
	 */
	private Duration resync = Duration.ZERO;

	/**
	 * Number of events, of different objects, that a handler handles at once.
	 */
	private int concurrency = 1;

	/**
	 * Number of pending events of a handler after which events of the same object are
	 * merged.
	 */
	private int queueCapacity = 10000;

	/**
	 * Whether a handler gets no event before its own cache and those of all listers and
	 * informers that are injected into it, or into beans that it depends on, have been
	 * filled.
	 */
	private boolean waitForCaches = true;

	/**
	 * Number of lists that the informers of a cluster read at once, at the start and when
	 * they list again. A list that takes longer than ten seconds lets the next one begin,
	 * up to four times the number at once.
	 */
	private int concurrentLists = 8;

	private final Retry retry = new Retry();

	private final Startup startup = new Startup();

	private final Shutdown shutdown = new Shutdown();

	private final Watch watch = new Watch();

	private final Observations observations = new Observations();

	private final Health health = new Health();

	private final Training training = new Training();

	private final Shard shard = new Shard();

	/**
	 * What differs for a resource, by its plural and group, such as pods or
	 * "[deployments.apps]".
	 */
	private Map<String, Resource> resources = new LinkedHashMap<>();

	/**
	 * What differs for a handler, by its id.
	 */
	private Map<String, Handler> handlers = new LinkedHashMap<>();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(@Nullable Boolean enabled) {
		if (enabled != null) {
			this.enabled = enabled;
		}
	}

	public boolean isAutoStartup() {
		return this.autoStartup;
	}

	public void setAutoStartup(@Nullable Boolean autoStartup) {
		if (autoStartup != null) {
			this.autoStartup = autoStartup;
		}
	}

	public @Nullable List<String> getNamespaces() {
		return this.namespaces;
	}

	public void setNamespaces(@Nullable List<String> namespaces) {
		this.namespaces = namespaces;
	}

	public Duration getResync() {
		return this.resync;
	}

	public void setResync(Duration resync) {
		this.resync = resync;
	}

	public int getConcurrency() {
		return this.concurrency;
	}

	public void setConcurrency(@Nullable Integer concurrency) {
		if (concurrency != null) {
			this.concurrency = concurrency;
		}
	}

	public int getQueueCapacity() {
		return this.queueCapacity;
	}

	public void setQueueCapacity(@Nullable Integer queueCapacity) {
		if (queueCapacity != null) {
			this.queueCapacity = queueCapacity;
		}
	}

	public boolean isWaitForCaches() {
		return this.waitForCaches;
	}

	public void setWaitForCaches(@Nullable Boolean waitForCaches) {
		if (waitForCaches != null) {
			this.waitForCaches = waitForCaches;
		}
	}

	public int getConcurrentLists() {
		return this.concurrentLists;
	}

	public void setConcurrentLists(@Nullable Integer concurrentLists) {
		if (concurrentLists != null) {
			this.concurrentLists = concurrentLists;
		}
	}

	public Retry getRetry() {
		return this.retry;
	}

	public Startup getStartup() {
		return this.startup;
	}

	public Shutdown getShutdown() {
		return this.shutdown;
	}

	public Watch getWatch() {
		return this.watch;
	}

	public Observations getObservations() {
		return this.observations;
	}

	public Health getHealth() {
		return this.health;
	}

	public Training getTraining() {
		return this.training;
	}

	public Shard getShard() {
		return this.shard;
	}

	public Map<String, Resource> getResources() {
		return this.resources;
	}

	public void setResources(Map<String, Resource> resources) {
		this.resources = resources;
	}

	public Map<String, Handler> getHandlers() {
		return this.handlers;
	}

	public void setHandlers(Map<String, Handler> handlers) {
		this.handlers = handlers;
	}

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
		checkRetry(ranges, "retry", this.retry);
		ranges.zeroOrMore("startup.timeout", this.startup.getTimeout());
		ranges.zeroOrMore("shutdown.drain-timeout", this.shutdown.getDrainTimeout());
		ranges.atLeast("watch.page-size", this.watch.getPageSize(), 0);
		ranges.moreThanZero("watch.idle-timeout", this.watch.getIdleTimeout());
		ranges.zeroOrMore("watch.verify-every", this.watch.getVerifyEvery());
		ranges.moreThanZero("health.stale-after", this.health.getStaleAfter());
		ranges.moreThanZero("training.timeout", this.training.getTimeout());
		ranges.moreThanZero("watch.sync-deadline", this.watch.getSyncDeadline());
		this.resources.forEach((key, resource) -> {
			ranges.zeroOrMore(name("resources", key, "resync"), resource.getResync());
			ranges.atLeast(name("resources", key, "page-size"), resource.getPageSize(), 0);
		});
		this.handlers.forEach((key, handler) -> {
			ranges.zeroOrMore(name("handlers", key, "resync"), handler.getResync());
			ranges.atLeast(name("handlers", key, "concurrency"), handler.getConcurrency(), 1);
			ranges.atLeast(name("handlers", key, "queue-capacity"), handler.getQueueCapacity(), 1);
			checkRetry(ranges, name("handlers", key, "retry"), handler.getRetry());
		});
	}

	private static void checkRetry(PropertyRanges ranges, String key, Retry retry) {
		ranges.atLeast(key + ".max-retries", retry.getMaxRetries(), 0);
		ranges.zeroOrMore(key + ".delay", retry.getDelay());
		ranges.atLeast(key + ".multiplier", retry.getMultiplier(), 1);
		ranges.moreThanZero(key + ".max-delay", retry.getMaxDelay());
		ranges.zeroOrMore(key + ".jitter", retry.getJitter());
	}

	private static String name(String map, String key, String property) {
		return PropertyPaths.entry(map, key) + "." + property;
	}

	/**
	 * Properties of the retries of events that a handler failed on.
	 */
	public static class Retry {

		/**
		 * Number of attempts after the first; zero to give a failed event up at once.
		 */
		private @Nullable Integer maxRetries;

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
		 * How much the first delay may be longer at random; later ones may be shorter as
		 * well, by as much more as they are longer. Spreads the retries of what failed
		 * together.
		 */
		private @Nullable Duration jitter;

		/**
		 * Class names of exceptions after which there is no retry; subclasses count as
		 * well, and causes.
		 */
		private @Nullable List<String> excludes;

		public @Nullable Integer getMaxRetries() {
			return this.maxRetries;
		}

		public void setMaxRetries(@Nullable Integer maxRetries) {
			this.maxRetries = maxRetries;
		}

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

		public @Nullable Duration getJitter() {
			return this.jitter;
		}

		public void setJitter(@Nullable Duration jitter) {
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
	 * Properties of the start.
	 */
	public static class Startup {

		/**
		 * Whether the start waits until every informer holds its first full state, before
		 * the web server starts. Readiness waits in any case.
		 */
		private boolean waitForSync;

		/**
		 * How long the start waits for informers before it fails.
		 */
		private Duration timeout = Duration.ofSeconds(60);

		public boolean isWaitForSync() {
			return this.waitForSync;
		}

		public void setWaitForSync(@Nullable Boolean waitForSync) {
			if (waitForSync != null) {
				this.waitForSync = waitForSync;
			}
		}

		public Duration getTimeout() {
			return this.timeout;
		}

		public void setTimeout(Duration timeout) {
			this.timeout = timeout;
		}

	}

	/**
	 * Properties of the end.
	 */
	public static class Shutdown {

		/**
		 * How long handlers may still handle pending events, and reconcilers end their
		 * runs, when they are stopped. Should be shorter than
		 * spring.lifecycle.timeout-per-shutdown-phase.
		 */
		private Duration drainTimeout = Duration.ofSeconds(20);

		public Duration getDrainTimeout() {
			return this.drainTimeout;
		}

		public void setDrainTimeout(Duration drainTimeout) {
			this.drainTimeout = drainTimeout;
		}

	}

	/**
	 * Observations of handlers and reconcilers.
	 */
	public static class Observations {

		/**
		 * Whether each event that is handed to a handler, and each run of a reconciler,
		 * is observed, for a timer and a span.
		 */
		private boolean enabled = true;

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(@Nullable Boolean enabled) {
			if (enabled != null) {
				this.enabled = enabled;
			}
		}

	}

	/**
	 * Properties of a training run, which makes an archive of the JVM for later starts.
	 */
	public static class Training {

		/**
		 * Whether the application ends, with exit code 0, as soon as every handler and
		 * reconciler is synced and has had live changes, and every other informer is
		 * synced and watched.
		 */
		private boolean enabled;

		/**
		 * How long that may take after the application is ready. Then it ends with exit
		 * code 1 and says what was missing.
		 */
		private Duration timeout = Duration.ofMinutes(2);

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(@Nullable Boolean enabled) {
			if (enabled != null) {
				this.enabled = enabled;
			}
		}

		public Duration getTimeout() {
			return this.timeout;
		}

		public void setTimeout(Duration timeout) {
			this.timeout = timeout;
		}

	}

	/**
	 * Properties of lists and watches.
	 */
	public static class Watch {

		/**
		 * How full states are asked for: by lists, which are compressed on the wire, or
		 * by streaming lists (with "auto" where the API server has them).
		 */
		private ListMode list = ListMode.PAGED;

		/**
		 * How long a streaming list may bring nothing new before the API server is asked
		 * for pages instead.
		 */
		private Duration syncDeadline = Duration.ofSeconds(60);

		/**
		 * Number of objects that one answer to a list holds at most. By default 500 where
		 * the API server can page without giving up consistency, else no limit; 0 for
		 * that default. Streaming lists have no pages.
		 */
		private @Nullable Integer pageSize;

		/**
		 * How long a watch may be silent, bookmarks included, before it is opened again.
		 */
		private Duration idleTimeout = Duration.ofSeconds(150);

		/**
		 * After how long caches are compared with a full list, which finds damage that
		 * watches do not show, such as that of an API server restored from a backup; 0
		 * for never.
		 */
		private Duration verifyEvery = Duration.ZERO;

		public ListMode getList() {
			return this.list;
		}

		public void setList(ListMode list) {
			this.list = list;
		}

		public Duration getSyncDeadline() {
			return this.syncDeadline;
		}

		public void setSyncDeadline(Duration syncDeadline) {
			this.syncDeadline = syncDeadline;
		}

		public @Nullable Integer getPageSize() {
			return this.pageSize;
		}

		public void setPageSize(@Nullable Integer pageSize) {
			this.pageSize = pageSize;
		}

		public Duration getVerifyEvery() {
			return this.verifyEvery;
		}

		public void setVerifyEvery(Duration verifyEvery) {
			this.verifyEvery = verifyEvery;
		}

		public Duration getIdleTimeout() {
			return this.idleTimeout;
		}

		public void setIdleTimeout(Duration idleTimeout) {
			this.idleTimeout = idleTimeout;
		}

	}

	/**
	 * Properties of what health says about informers.
	 */
	public static class Health {

		/**
		 * Whether the application is not ready before informers, handlers and reconcilers
		 * are synced.
		 */
		private boolean readiness = true;

		/**
		 * How long an informer that was synced may be without a working watch before its
		 * health, and readiness, turn to DOWN. By default they never do.
		 */
		private @Nullable Duration staleAfter;

		public boolean isReadiness() {
			return this.readiness;
		}

		public void setReadiness(@Nullable Boolean readiness) {
			if (readiness != null) {
				this.readiness = readiness;
			}
		}

		public @Nullable Duration getStaleAfter() {
			return this.staleAfter;
		}

		public void setStaleAfter(@Nullable Duration staleAfter) {
			this.staleAfter = staleAfter;
		}

	}

	/**
	 * Properties of the shard of this replica. They are checked when informers are made.
	 */
	public static class Shard {

		/**
		 * By what the objects are shared among replicas. It has no default.
		 */
		private @Nullable ShardKey key;

		/**
		 * Index of this replica, from 0. In a StatefulSet it is the label
		 * apps.kubernetes.io/pod-index of the pod.
		 */
		private @Nullable Integer index;

		/**
		 * Number of replicas that share the objects, the same for all of them.
		 */
		private @Nullable Integer total;

		public @Nullable ShardKey getKey() {
			return this.key;
		}

		public void setKey(@Nullable ShardKey key) {
			this.key = key;
		}

		public @Nullable Integer getIndex() {
			return this.index;
		}

		public void setIndex(@Nullable Integer index) {
			this.index = index;
		}

		public @Nullable Integer getTotal() {
			return this.total;
		}

		public void setTotal(@Nullable Integer total) {
			this.total = total;
		}

	}

	/**
	 * Properties of a resource, for handlers and listers alike.
	 */
	public static class Resource {

		/**
		 * Whether metadata.managedFields of the objects are kept in memory. They say who
		 * set which field, and are often half of an object's size.
		 */
		private @Nullable Boolean keepManagedFields;

		/**
		 * Whether equal parts of different objects, such as the containers of two pods of
		 * one deployment, may be one instance in memory. By default they may; has an
		 * effect only where objects come as protobuf.
		 */
		private @Nullable Boolean shareEqualParts;

		/**
		 * Whether the application is not ready before the handlers of the resource, and
		 * informers on it that only listers use, are synced. Reconcilers have a property
		 * of their own.
		 */
		private @Nullable Boolean readiness;

		/**
		 * Period in which handlers of the resource get every cached object again; zero
		 * for never.
		 */
		private @Nullable Duration resync;

		/**
		 * Label selector of the objects to watch.
		 */
		private @Nullable String labelSelector;

		/**
		 * By what the objects of the resource are shared among replicas, where
		 * kubernetes.informers.shard is set; 'none' for all of them on each replica. By
		 * default the key there, and 'none' for resources without namespace if that is
		 * 'namespace'.
		 */
		private @Nullable ResourceShardKey shardKey;

		/**
		 * Number of objects that one answer to a list of the resource holds at most. By
		 * default, and with 0, that of kubernetes.informers.watch.page-size.
		 */
		private @Nullable Integer pageSize;

		public @Nullable ResourceShardKey getShardKey() {
			return this.shardKey;
		}

		public void setShardKey(@Nullable ResourceShardKey shardKey) {
			this.shardKey = shardKey;
		}

		public @Nullable Integer getPageSize() {
			return this.pageSize;
		}

		public void setPageSize(@Nullable Integer pageSize) {
			this.pageSize = pageSize;
		}

		public @Nullable Boolean getKeepManagedFields() {
			return this.keepManagedFields;
		}

		public void setKeepManagedFields(@Nullable Boolean keepManagedFields) {
			this.keepManagedFields = keepManagedFields;
		}

		public @Nullable Boolean getShareEqualParts() {
			return this.shareEqualParts;
		}

		public void setShareEqualParts(@Nullable Boolean shareEqualParts) {
			this.shareEqualParts = shareEqualParts;
		}

		public @Nullable Boolean getReadiness() {
			return this.readiness;
		}

		public void setReadiness(@Nullable Boolean readiness) {
			this.readiness = readiness;
		}

		public @Nullable Duration getResync() {
			return this.resync;
		}

		public void setResync(@Nullable Duration resync) {
			this.resync = resync;
		}

		public @Nullable String getLabelSelector() {
			return this.labelSelector;
		}

		public void setLabelSelector(@Nullable String labelSelector) {
			this.labelSelector = labelSelector;
		}

	}

	/**
	 * Properties of a handler.
	 */
	public static class Handler {

		/**
		 * Period in which the handler gets every cached object again; zero for never.
		 */
		private @Nullable Duration resync;

		/**
		 * Namespaces to watch, '*' for all, '@current' for that of the kubeconfig's
		 * context or of the service account.
		 */
		private @Nullable List<String> namespaces;

		/**
		 * Label selector of the objects to watch.
		 */
		private @Nullable String labelSelector;

		/**
		 * Field selector of the objects to watch.
		 */
		private @Nullable String fieldSelector;

		/**
		 * Whether, where kubernetes.informers.shard is set, the handler handles only the
		 * objects of the shard of this replica. By default it does.
		 */
		private @Nullable Boolean sharded;

		/**
		 * Number of events, of different objects, that the handler handles at once.
		 */
		private @Nullable Integer concurrency;

		/**
		 * Number of pending events after which events of the same object are merged.
		 */
		private @Nullable Integer queueCapacity;

		/**
		 * Whether the handler starts with the application.
		 */
		private @Nullable Boolean autoStartup;

		/**
		 * Whether the application is not ready before the handler is synced.
		 */
		private @Nullable Boolean readiness;

		/**
		 * Whether the handler gets no event before the caches that it reads have been
		 * filled.
		 */
		private @Nullable Boolean waitForCaches;

		/**
		 * Whether events are delivered only while this replica leads.
		 */
		private @Nullable Boolean leaderOnly;

		/**
		 * Name of the InformerErrorHandler bean that gets the events that are given up.
		 */
		private @Nullable String errorHandler;

		private final Retry retry = new Retry();

		public @Nullable Duration getResync() {
			return this.resync;
		}

		public void setResync(@Nullable Duration resync) {
			this.resync = resync;
		}

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

		public @Nullable Boolean getSharded() {
			return this.sharded;
		}

		public void setSharded(@Nullable Boolean sharded) {
			this.sharded = sharded;
		}

		public @Nullable Integer getConcurrency() {
			return this.concurrency;
		}

		public void setConcurrency(@Nullable Integer concurrency) {
			this.concurrency = concurrency;
		}

		public @Nullable Integer getQueueCapacity() {
			return this.queueCapacity;
		}

		public void setQueueCapacity(@Nullable Integer queueCapacity) {
			this.queueCapacity = queueCapacity;
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

		public @Nullable Boolean getWaitForCaches() {
			return this.waitForCaches;
		}

		public void setWaitForCaches(@Nullable Boolean waitForCaches) {
			this.waitForCaches = waitForCaches;
		}

		public @Nullable Boolean getLeaderOnly() {
			return this.leaderOnly;
		}

		public void setLeaderOnly(@Nullable Boolean leaderOnly) {
			this.leaderOnly = leaderOnly;
		}

		public @Nullable String getErrorHandler() {
			return this.errorHandler;
		}

		public void setErrorHandler(@Nullable String errorHandler) {
			this.errorHandler = errorHandler;
		}

		public Retry getRetry() {
			return this.retry;
		}

	}

}
