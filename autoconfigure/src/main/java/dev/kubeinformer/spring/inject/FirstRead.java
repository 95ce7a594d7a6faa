package dev.kubeinformer.spring.inject;

import dev.kubeinformer.informer.Informer;

/**
 * Called before each read of one injected cache. Makes the read wait for the first sync
 * of the cache, if necessary.
 */
final class FirstRead implements Runnable {

	private final Informer<?> informer;

	private final String point;

	private final boolean late;

	private final EarlyReads early;

	private volatile boolean open;

	FirstRead(Informer<?> informer, String point, boolean late, EarlyReads early) {
		this.informer = informer;
		this.point = point;
		this.late = late;
		this.early = early;
	}

	@Override
	public void run() {
		if (this.open) {
			return;
		}
		if (this.informer.hasSynced() || this.informer.status().sync().everSynced()) {
			this.open = true;
		}
		else {
			this.early.read(this.informer, this.point, this.late);
		}
	}

}
