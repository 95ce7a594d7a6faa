package dev.kubeinformer.spring.handler.container;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.types.InformerState;

/**
 * Life of a leader-only handler: its informer runs at each replica, and it is at its
 * informer during the terms of this replica.
 */
final class HandlerTerms {

	private final TermDeliveries deliveries;

	private final Attachment attachment;

	private final Duration drainTimeout;

	/** The start that holds, {@code null} when stopped. */
	private final AtomicReference<@Nullable Run> current = new AtomicReference<>();

	/** A start that was stopped while the handler had something under way. */
	private volatile @Nullable Run leaving;

	/**
	 * Creates the life of a handler.
	 * @param deliveries what is delivered to it
	 * @param attachment puts it to its informer
	 * @param drainTimeout how long what is under way may go on at the end
	 */
	HandlerTerms(TermDeliveries deliveries, Attachment attachment, Duration drainTimeout) {
		this.deliveries = deliveries;
		this.attachment = attachment;
		this.drainTimeout = drainTimeout;
	}

	void start() {
		if (isStarted()) {
			return;
		}
		// It is kept from now on, with a handler or without.
		Run run = new Run(this.attachment.informer());
		if (!this.current.compareAndSet(null, run)) {
			return;
		}
		Run before = this.leaving;
		this.leaving = null;
		if (before != null) {
			before.close();
		}
		run.registered(this.deliveries.leadership().register(run));
	}

	void stop() {
		Run stopped = this.current.getAndSet(null);
		if (stopped == null) {
			return;
		}
		this.attachment.detach();
		// The Lease is not released before what is under way has ended.
		this.leaving = stopped;
		this.deliveries.whenQuiet(stopped::close);
	}

	boolean isStarted() {
		return this.current.get() != null;
	}

	/**
	 * Sets whether deliveries are held back, in this term and those that follow until the
	 * stop.
	 * @param paused whether they are
	 * @return whether there is a start that this is for
	 */
	boolean pause(boolean paused) {
		Run run = this.current.get();
		if (run != null) {
			run.paused = paused;
		}
		return run != null;
	}

	boolean isPaused() {
		Run run = this.current.get();
		return run != null && run.paused;
	}

	/**
	 * Returns the status of the handler while this replica does not lead.
	 * @param last the status of the last term
	 * @return the status: what the informer has is what a new leader has
	 */
	HandlerStatus standby(HandlerStatus last) {
		Informer<?> informer = this.attachment.informer();
		InformerStatus.Sync sync = informer.status().sync();
		boolean synced = informer.hasSynced();
		boolean everSynced = synced || sync.everSynced() || last.sync().everSynced();
		return new HandlerStatus(new HandlerStatus.Sync(synced, sync.syncedAt(), everSynced, 0),
				new HandlerStatus.Queue(0, 0, last.queue().merged(), last.queue().dropped()), last.deliveries(),
				isPaused(), null, last.lastError());
	}

	/**
	 * What puts a handler to its informer.
	 */
	interface Attachment {

		/**
		 * Returns the informer, which is kept from then on.
		 * @return the informer
		 */
		Informer<?> informer();

		/**
		 * Adds the handler to its informer.
		 * @param term the term to which its deliveries belong
		 * @param paused whether it gets nothing before it is resumed
		 * @return detaches it if it is there because of this call; {@code null} if it is
		 * not
		 */
		@Nullable Runnable attach(Leadership.Term term, BooleanSupplier paused);

		/**
		 * Removes the handler after pending events were handled, within the drain
		 * timeout.
		 */
		void detach();

		/**
		 * Removes the handler at once and interrupts its threads, also those that a
		 * {@link #detach()} left behind.
		 */
		void discard();

	}

	/**
	 * What a start leads to.
	 */
	private final class Run implements LeaderWork {

		private final AtomicReference<Leadership.@Nullable Registration> registration = new AtomicReference<>();

		/** Not asked for again: there may be none any more. */
		private final Informer<?> informer;

		/** The term that goes on, as far as it is known here. */
		private volatile Leadership.@Nullable Term term;

		private volatile boolean paused;

		private volatile boolean closed;

		private Run(Informer<?> informer) {
			this.informer = informer;
		}

		@Override
		public Collection<String> awaiting() {
			boolean awaited = isCurrent() && this.informer.status().state() == InformerState.SYNCING
					&& !this.informer.status().sync().everSynced();
			return awaited ? List.of(this.informer.id()) : List.of();
		}

		@Override
		public void granted(Leadership.Term term) {
			this.term = term;
			attach();
		}

		private void attach() {
			Leadership.Term granted = this.term;
			if (granted == null || !isCurrent()) {
				return;
			}
			Runnable detach = HandlerTerms.this.attachment.attach(granted, () -> this.paused);
			if (detach != null && (!isCurrent() || this.term != granted)) {
				// It was stopped meanwhile, or the term is over. A later start may have
				// found the handler there.
				detach.run();
				Run next = HandlerTerms.this.current.get();
				if (next != null) {
					next.attach();
				}
			}
		}

		@Override
		public boolean drain() throws InterruptedException {
			this.term = null;
			if (isCurrent()) {
				HandlerTerms.this.attachment.detach();
			}
			else {
				HandlerTerms.this.deliveries.awaitQuiet(HandlerTerms.this.drainTimeout);
			}
			return HandlerTerms.this.deliveries.isQuiet();
		}

		@Override
		public void lost() {
			this.term = null;
			HandlerTerms.this.attachment.discard();
		}

		private boolean isCurrent() {
			return HandlerTerms.this.current.get() == this;
		}

		void registered(Leadership.Registration added) {
			this.registration.set(added);
			if (this.closed) {
				close();
			}
		}

		void close() {
			this.closed = true;
			Leadership.Registration ending = this.registration.getAndSet(null);
			if (ending != null) {
				ending.close();
			}
		}

		@Override
		public String toString() {
			return "handler at " + this.informer;
		}

	}

}
