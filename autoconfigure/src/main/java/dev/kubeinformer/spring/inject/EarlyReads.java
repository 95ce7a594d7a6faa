package dev.kubeinformer.spring.inject;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.StringUtils;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.bean.StartInterruptedException;
import dev.kubeinformer.spring.bean.StartWait;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.types.InformerState;

/**
 * Decides whether a read waits if its cache has never been filled. If a lister was
 * injected after the informers were started, its reads wait for the first sync, because
 * the readiness of the application did not wait for this sync. Other reads do not wait,
 * but are logged.
 * <p>
 * A wait cannot block the start and cannot deadlock: it begins only after the informers
 * are started, it has a time limit, and neither injections nor callbacks of informers
 * wait. All reads of a cache share one deadline, so an outage does not block the threads
 * of all requests. Internal to the starter.
 */
public final class EarlyReads implements ApplicationListener<ApplicationContextEvent> {

	private static final Logger logger = LoggerFactory.getLogger(EarlyReads.class);

	private final ClusterRuntimes clusters;

	private final InjectedInformers injected;

	private final Rules rules;

	private final ApplicationContext context;

	private final CacheSyncAwaiter awaiter;

	/**
	 * Time at which the first wait for each unfilled cache began, by
	 * {@link System#nanoTime()}.
	 */
	private final Map<Informer<?>, Long> since = Collections.synchronizedMap(new WeakHashMap<>());

	private final Set<Informer<?>> logged = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	/** Names of the clusters whose client has been obtained. */
	private final Set<String> clients = ConcurrentHashMap.newKeySet();

	/** Thread of the context's refresh; {@code null} after the refresh. */
	private volatile @Nullable Thread refreshing = Thread.currentThread();

	private volatile boolean closed;

	private volatile boolean ready;

	/**
	 * Creates an instance.
	 * @param clusters all clusters
	 * @param injected the informers that were injected
	 * @param rules the rules
	 * @param context the context, whose refresh is assumed to run on the calling thread
	 */
	public EarlyReads(ClusterRuntimes clusters, InjectedInformers injected, Rules rules, ApplicationContext context) {
		this.clusters = clusters;
		this.injected = injected;
		this.rules = rules;
		this.context = context;
		this.awaiter = new CacheSyncAwaiter(clusters);
	}

	@Override
	public void onApplicationEvent(ApplicationContextEvent event) {
		// Events of child contexts arrive, too.
		if (event.getApplicationContext() != this.context) {
			return;
		}
		if (event instanceof ContextRefreshedEvent) {
			this.refreshing = null;
		}
		else if (event instanceof ContextClosedEvent) {
			this.closed = true;
		}
	}

	/**
	 * Notifies that the runners of the application have ended.
	 */
	void applicationIsReady() {
		this.ready = true;
	}

	/**
	 * Notifies that the informers are being started, so reads wait again.
	 */
	public void informersStart() {
		this.since.clear();
	}

	/**
	 * Creates the client bean of a cluster if it does not exist yet. Called before an
	 * informer is requested from a running cluster.
	 * @param cluster the cluster
	 */
	void beforeLateInjection(ClusterRuntime cluster) {
		// To prevent a deadlock, create the bean before the engine requests it. In the
		// engine, all threads wait for the one that obtains the client. A waiting thread
		// may hold Spring's lock, which the creation of the bean needs.
		if (!this.clients.contains(cluster.name())) {
			this.rules.client().accept(cluster);
			this.clients.add(cluster.name());
		}
	}

	/**
	 * Lets the calling thread wait before it reads a cache that has never been filled.
	 * @param informer the informer of the cache
	 * @param point the description of the injection point
	 * @param late {@code true} if the informers were started before the injection
	 * @throws RuntimeException if the cache is not filled in time, because the read would
	 * return too few objects
	 */
	void read(Informer<?> informer, String point, boolean late) {
		if (isInCallback()) {
			// Handlers and reconcilers wait before their callbacks, and a transform or an
			// index function would wait for itself.
			return;
		}
		if (late && isAwaited(informer)) {
			awaitLate(informer);
		}
		else if (isLogged(informer) && this.logged.add(informer)) {
			logger.atLevel(this.ready ? Level.INFO : Level.WARN)
				.log("Cache of informer '{}' is read before it is filled, through {}, and looks empty. {}; "
						+ "wait with 'kubernetes.informers.startup.wait-for-sync=true' or Informer.awaitSync",
						informer.id(), StringUtils.uncapitalize(point), UnfilledCache.describe(informer));
		}
	}

	private boolean isInCallback() {
		return this.injected.isInCallback()
				|| this.clusters.all().stream().anyMatch((cluster) -> cluster.informers().hooks().isInCallback());
	}

	private boolean isAwaited(Informer<?> informer) {
		return !this.rules.timeout().isZero() && this.awaiter.isAwaited(informer)
				&& this.clusters.all()
					.stream()
					.filter((cluster) -> cluster.name().equals(informer.cluster()))
					.anyMatch((cluster) -> cluster.isInReadiness(informer));
	}

	private boolean isLogged(Informer<?> informer) {
		return informer.state() != InformerState.STOPPED
				&& (this.rules.autoStartup() || this.clusters.isStarted(informer));
	}

	private void awaitLate(Informer<?> informer) {
		if (!await(informer)) {
			throw this.rules.failure().apply(this.rules.timeout(), informer);
		}
		requireFilled(informer);
	}

	/**
	 * Waits for the caches that the runners of the application read. Called before the
	 * runners. The time limit of a single read applies to all of these caches together.
	 * @param informers the informers of the caches
	 * @throws StartInterruptedException if the application is stopped before these caches
	 * are filled
	 */
	void awaitBeforeRunners(Collection<Informer<?>> informers) {
		List<Informer<?>> awaited = informers.stream().filter(this::isAwaited).toList();
		awaited.forEach(this::began);
		List<String> missing = new ArrayList<>();
		for (Informer<?> informer : awaited) {
			if (!await(informer)) {
				missing.add(UnfilledCache.describe(informer));
			}
		}
		if (this.closed) {
			// The waits have ended because the closed context has stopped the informers.
			informers.forEach(this::requireFilled);
		}
		if (!missing.isEmpty()) {
			logger.warn("Runners begin although the caches that they read are not filled after {}: {}",
					UnfilledCache.print(this.rules.timeout()), String.join("; ", missing));
		}
	}

	private void requireFilled(Informer<?> informer) {
		if (informer.status().sync().everSynced()) {
			return;
		}
		String message = "Stopped while waiting for the cache of informer '%s'".formatted(informer.id());
		if (this.closed && !this.ready) {
			logger.info("{}", message);
			throw new StartInterruptedException(message);
		}
		throw new IllegalStateException(message);
	}

	private long began(Informer<?> informer) {
		return this.since.computeIfAbsent(informer, (key) -> System.nanoTime());
	}

	private boolean await(Informer<?> informer) {
		long limit = TimeUnit.NANOSECONDS.convert(this.rules.timeout());
		Duration left = Duration.ofNanos(Math.max(0, limit - (System.nanoTime() - began(informer))));
		// Spring interrupts only the thread of the refresh, and only if this thread waits
		// without a time limit.
		boolean ended = (Thread.currentThread() == this.refreshing) ? StartWait
			.call("the cache of informer '%s'".formatted(informer.id()), () -> awaitSync(informer, left), (unused) -> {
			}) : awaitSync(informer, left);
		if (ended) {
			// If the informer was stopped and is started again, reads wait again.
			this.since.remove(informer);
		}
		return ended;
	}

	private boolean awaitSync(Informer<?> informer, Duration limit) {
		try {
			return this.awaiter.await(informer, limit);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(
					"Interrupted while waiting for the cache of informer '%s'".formatted(informer.id()), ex);
		}
	}

	/**
	 * Rules for reads and injections.
	 *
	 * @param timeout the time limit of a wait; zero for no wait
	 * @param autoStartup {@code true} if informers start with the application
	 * @param client the function that obtains the client of a cluster, if the client is a
	 * bean
	 * @param failure the function that creates the exception of a read whose wait has
	 * reached the time limit
	 */
	public record Rules(Duration timeout, boolean autoStartup, Consumer<ClusterRuntime> client,
			BiFunction<Duration, Informer<?>, RuntimeException> failure) {

	}

}
