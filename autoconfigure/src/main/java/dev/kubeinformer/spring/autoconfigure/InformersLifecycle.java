package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerStatus;
import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.types.InformerState;

/**
 * Starter and stopper of the caches with the application context: before the web server
 * and after it, so that listers serve every request.
 */
final class InformersLifecycle implements SmartLifecycle {

	static final int PHASE = DEFAULT_PHASE - 4096;

	private final Informers informers;

	private final InformersProperties properties;

	private final InjectedInformers injected;

	/** Informers that a late injection has waited for without success. */
	private final Set<Informer<?>> givenUp = ConcurrentHashMap.newKeySet();

	InformersLifecycle(Informers informers, InformersProperties properties, InjectedInformers injected) {
		this.informers = informers;
		this.properties = properties;
		this.injected = injected;
	}

	@Override
	public void start() {
		this.givenUp.clear();
		this.informers.start();
		if (this.properties.getStartup().isWaitForSync()) {
			awaitSync(this.informers.all());
			this.injected.onInjection(this::awaitLate);
		}
	}

	/**
	 * Waits for what is injected after the start, by beans that are created on demand. A
	 * callback of an informer does not wait: others wait for the callback.
	 * @param informer what is injected
	 */
	private void awaitLate(Informer<?> informer) {
		InformerStatus status = informer.status();
		if (!status.sync().everSynced() && status.state() != InformerState.STOPPED && this.informers.isRunning()
				&& !this.informers.hooks().isInCallback()) {
			if (this.givenUp.contains(informer)) {
				// Creations of beans are not held up again and again.
				throw new InformerSyncTimeoutException(this.properties.getStartup().getTimeout(), List.of(informer));
			}
			try {
				awaitSync(List.of(informer));
			}
			catch (InformerSyncTimeoutException ex) {
				this.givenUp.add(informer);
				throw ex;
			}
		}
	}

	private void awaitSync(Collection<Informer<?>> awaited) {
		Duration timeout = this.properties.getStartup().getTimeout();
		long deadline = System.nanoTime() + timeout.toNanos();
		List<Informer<?>> missing = new ArrayList<>();
		try {
			for (Informer<?> informer : awaited) {
				Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
				if (!informer.awaitSync(left)) {
					missing.add(informer);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for informers to sync", ex);
		}
		if (!missing.isEmpty()) {
			throw new InformerSyncTimeoutException(timeout, missing);
		}
	}

	@Override
	public void stop() {
		this.injected.onInjection((informer) -> {
			// Nothing starts any more.
		});
		this.informers.stop();
	}

	@Override
	public boolean isRunning() {
		return this.informers.isRunning();
	}

	@Override
	public boolean isAutoStartup() {
		return this.properties.isAutoStartup();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
