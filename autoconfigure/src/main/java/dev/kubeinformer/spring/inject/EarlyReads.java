package dev.kubeinformer.spring.inject;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.util.StringUtils;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.bean.StartWait;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.types.InformerState;

/**
 * Makes reads wait for the first sync if readiness does not: the reads of a lister that
 * was injected after the start. Other reads of an unfilled cache are logged.
 * <p>
 * A wait cannot block the start or itself: nothing waits before the informers are
 * started, injections do not wait, callbacks of informers do not wait, and each wait is
 * limited. Internal to the starter.
 */
public final class EarlyReads implements ApplicationListener<ApplicationReadyEvent> {

	private static final Logger logger = LoggerFactory.getLogger(EarlyReads.class);

	private final ClusterRuntimes clusters;

	private final InjectedInformers injected;

	private final Rules rules;

	private final CacheSyncAwaiter awaiter;

	/** Informers that a read has awaited without success. */
	private final Set<Informer<?>> givenUp = weakSet();

	private final Set<Informer<?>> logged = weakSet();

	private volatile boolean hasClient;

	private volatile boolean ready;

	/**
	 * Creates an instance.
	 * @param clusters all clusters
	 * @param injected the informers that were injected
	 * @param rules the rules
	 */
	public EarlyReads(ClusterRuntimes clusters, InjectedInformers injected, Rules rules) {
		this.clusters = clusters;
		this.injected = injected;
		this.rules = rules;
		this.awaiter = new CacheSyncAwaiter(clusters);
	}

	// Weak references, because the informers of a removed cluster do not come back.
	private static Set<Informer<?>> weakSet() {
		return Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		this.ready = true;
	}

	/**
	 * Obtains from the application context what an informer needs that is requested of a
	 * running cluster.
	 * @param cluster the cluster
	 */
	void beforeLateInjection(ClusterRuntime cluster) {
		// The engine makes all threads wait for the one that obtains the client. One of
		// them may hold Spring's lock, which the creation of the client's bean needs.
		if (!this.hasClient && cluster.isDefault()) {
			this.rules.client().run();
			this.hasClient = true;
		}
	}

	/**
	 * Lets the calling thread wait before it reads a cache that has never been filled.
	 * @param informer the informer of the cache
	 * @param point the description of the injection point
	 * @param late {@code true} if the informers were started before the injection
	 * @throws RuntimeException if the read is rejected, because it would return too
	 * little
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
				.log("Cache of informer '{}' is read before it is filled, through {}, and looks empty; read it in a "
						+ "handler, a runner or a request, set 'kubernetes.informers.startup.wait-for-sync=true', "
						+ "or call Informer.awaitSync", informer.id(), StringUtils.uncapitalize(point));
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
		// Wait only once, so that an outage does not block the threads of all requests.
		if (this.givenUp.contains(informer) || !await(informer, this.rules.timeout())) {
			this.givenUp.add(informer);
			throw this.rules.failure().apply(this.rules.timeout(), informer);
		}
		this.givenUp.remove(informer);
	}

	/**
	 * Waits for caches, in total for no longer than reads wait.
	 * @param informers the informers of the caches
	 */
	void await(Collection<Informer<?>> informers) {
		long began = System.nanoTime();
		long limit = TimeUnit.NANOSECONDS.convert(this.rules.timeout());
		List<Informer<?>> awaited = informers.stream().filter(this::isAwaited).toList();
		for (Informer<?> informer : awaited) {
			await(informer, Duration.ofNanos(Math.max(0, limit - (System.nanoTime() - began))));
		}
	}

	private boolean await(Informer<?> informer, Duration limit) {
		return StartWait.call("the cache of informer '%s'".formatted(informer.id()), () -> awaitSync(informer, limit),
				(filled) -> {
				});
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
	 * Rules of reads and injections.
	 *
	 * @param timeout the time limit of a wait; zero for no wait
	 * @param autoStartup whether informers start with the application
	 * @param client obtains the client of the default cluster, if the client is a bean
	 * @param failure creates the exception of a read that has waited for that time
	 */
	public record Rules(Duration timeout, boolean autoStartup, Runnable client,
			BiFunction<Duration, Informer<?>, RuntimeException> failure) {

	}

}
