package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.Informer;
import dev.kubeinformer.Informers;

/**
 * Starter and stopper of the caches with the application context: before the web server
 * and after it, so that listers serve every request.
 */
final class InformersLifecycle implements SmartLifecycle {

	static final int PHASE = DEFAULT_PHASE - 4096;

	private final Informers informers;

	private final InformersProperties properties;

	InformersLifecycle(Informers informers, InformersProperties properties) {
		this.informers = informers;
		this.properties = properties;
	}

	@Override
	public void start() {
		this.informers.start();
		if (this.properties.getStartup().isWaitForSync()) {
			awaitSync(this.properties.getStartup().getTimeout());
		}
	}

	private void awaitSync(Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		List<Informer<?>> missing = new ArrayList<>();
		try {
			for (Informer<?> informer : this.informers.all()) {
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
