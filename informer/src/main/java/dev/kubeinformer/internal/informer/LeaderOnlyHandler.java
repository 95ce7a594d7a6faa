package dev.kubeinformer.internal.informer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.internal.dispatch.TermOverException;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spi.CallbackAware;
import dev.kubeinformer.spi.DeliveryFence;
import dev.kubeinformer.types.InformerState;

/**
 * Registration of a handler that receives events only while this process leads. A term is
 * a time in which this process leads. Each term has its own {@link SharedHandler}, which
 * first receives the objects in the cache as additions. Safe for use by several threads.
 *
 * @param <T> the model class
 */
final class LeaderOnlyHandler<T extends KubernetesObject> extends TermFollower
		implements HandlerRegistration, CallbackAware {

	private static final Logger logger = LoggerFactory.getLogger(EventHandler.class);

	private static final HandlerStatus NEVER_ADDED = new HandlerStatus(new HandlerStatus.Sync(false, null, false, 0),
			new HandlerStatus.Queue(0, 0, 0, 0), new HandlerStatus.Deliveries(0, 0, 0, 0), false, null, null);

	private final SharedInformer<T> informer;

	private final EventHandler<T> handler;

	private final HandlerOptions options;

	/** Handler of the current term; {@code null} on a standby. */
	private final AtomicReference<@Nullable SharedHandler<T>> current = new AtomicReference<>();

	/** Handler of the last term, whose threads may still be running. */
	private volatile @Nullable SharedHandler<T> last;

	private volatile boolean syncedBefore;

	private volatile boolean paused;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition quiet = this.lock.newCondition();

	/**
	 * Number of active deliveries in all terms. A handler that still processes pending
	 * events before its end counts as one more. Guarded by the lock.
	 */
	private int underWay;

	LeaderOnlyHandler(Leadership leadership, SharedInformer<T> informer, EventHandler<T> handler,
			HandlerOptions options) {
		super(leadership);
		this.informer = informer;
		this.handler = handler;
		this.options = options;
	}

	@Override
	public Collection<String> awaiting() {
		InformerStatus status = this.informer.status();
		boolean awaited = !isShut() && status.state() == InformerState.SYNCING && !status.sync().everSynced();
		return awaited ? List.of(this.informer.id()) : List.of();
	}

	@Override
	protected void began(ReconcilerFence fence) {
		SharedHandler<T> next = this.informer.newHandler((event) -> deliver(fence, event), this.options);
		next.belongsTo(this);
		boolean held = this.paused;
		if (held) {
			next.pause();
		}
		// Announce the handler without a lock, because a listener may call this object.
		this.informer.announce(next);
		this.current.set(next);
		hold(next, () -> this.paused, held);
		if (!isShut() && !fence.isClosing()) {
			connect(next);
		}
		if (isShut() || fence.isClosing()) {
			// The registration was closed meanwhile, or the term is over.
			end(next);
		}
	}

	private void connect(SharedHandler<T> next) {
		boolean connected = false;
		try {
			this.informer.connect(next);
			connected = true;
		}
		finally {
			if (!connected) {
				this.current.compareAndSet(next, null);
			}
		}
	}

	/**
	 * Pauses or resumes a handler until its state is as desired. The loop is needed
	 * because another thread may change the desired state meanwhile and apply it first.
	 * @param registration the handler
	 * @param paused returns whether the handler should be paused
	 * @param now {@code true} if the handler is paused, as far as the caller knows
	 */
	static void hold(HandlerRegistration registration, BooleanSupplier paused, boolean now) {
		boolean held = now;
		while (paused.getAsBoolean() != held) {
			held = !held;
			if (held) {
				registration.pause();
			}
			else {
				registration.resume();
			}
		}
	}

	private void deliver(ReconcilerFence fence, ResourceEvent<T> event) throws Exception {
		begin();
		try {
			if (!fence.admitsRequests()) {
				throw new TermOverException(null);
			}
			call(fence, event);
		}
		catch (TermOverException ex) {
			throw ex;
		}
		catch (Exception ex) {
			if (fence.admitsRequests()) {
				throw ex;
			}
			// The delivery was interrupted, or a request of it was rejected.
			logger.debug("{}: a delivery failed after {} was over", this, fence, ex);
			throw new TermOverException(ex);
		}
		finally {
			end();
		}
	}

	private void call(ReconcilerFence fence, ResourceEvent<T> event) throws Exception {
		DeliveryFence told = this.options.fence();
		if (told == null) {
			this.handler.handle(event);
			return;
		}
		told.enter(fence::admitsRequests);
		try {
			this.handler.handle(event);
		}
		finally {
			told.leave();
		}
	}

	private void begin() {
		this.lock.lock();
		try {
			this.underWay++;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void end() {
		this.lock.lock();
		try {
			this.underWay--;
			this.quiet.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		leaveIfQuiet();
	}

	// Do not release the Lease before the deliveries have ended.
	private void leaveIfQuiet() {
		if (isShut() && this.current.get() == null && isQuiet()) {
			leave();
			this.informer.lifecycle().removeLeaderOnly(this);
		}
	}

	private boolean isQuiet() {
		this.lock.lock();
		try {
			return this.underWay == 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void awaitQuiet(Duration limit) throws InterruptedException {
		long left = TimeUnit.NANOSECONDS.convert(limit);
		this.lock.lockInterruptibly();
		try {
			while (this.underWay > 0 && left > 0) {
				left = this.quiet.awaitNanos(left);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean drain() throws InterruptedException {
		ReconcilerFence fence = fence();
		if (fence != null) {
			fence.drain();
		}
		if (isShut()) {
			awaitQuiet(this.options.drainTimeout());
		}
		else {
			end(this.current.get());
		}
		return isQuiet();
	}

	@Override
	protected void abandon(ReconcilerFence fence) {
		SharedHandler<T> left = this.last;
		SharedHandler<T> present = this.current.getAndSet(null);
		if (present != null) {
			note(present);
			present.discard();
		}
		if (left != null) {
			left.discard();
		}
	}

	/**
	 * Ends a handler after its pending events.
	 * @param ending the handler; {@code null} for none
	 */
	private void end(@Nullable SharedHandler<T> ending) {
		if (ending == null) {
			return;
		}
		// Count the handler first, because no delivery is active between two of its
		// pending events.
		begin();
		try {
			if (this.current.compareAndSet(ending, null)) {
				note(ending);
				ending.close();
				note(ending);
			}
		}
		finally {
			end();
		}
	}

	private void note(SharedHandler<T> ending) {
		this.last = ending;
		if (ending.status().sync().everSynced()) {
			this.syncedBefore = true;
		}
	}

	@Override
	public String id() {
		return Objects.requireNonNull(this.options.id());
	}

	@Override
	public boolean isStandby() {
		return !isShut() && this.current.get() == null;
	}

	@Override
	public boolean hasSynced() {
		SharedHandler<T> present = this.current.get();
		return (present != null) ? present.hasSynced() : isStandby() && this.informer.hasSynced();
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
		while (!isShut()) {
			SharedHandler<T> present = this.current.get();
			Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
			if ((present != null) ? present.awaitSync(left) : this.informer.awaitSync(left)) {
				return true;
			}
			if (this.current.get() == present || left.isZero()) {
				return false;
			}
			// The term began or ended meanwhile.
		}
		return false;
	}

	@Override
	public HandlerStatus status() {
		SharedHandler<T> present = this.current.get();
		SharedHandler<T> shown = (present != null) ? present : this.last;
		HandlerStatus status = (shown != null) ? shown.status() : NEVER_ADDED;
		if (present == null && isStandby()) {
			return standby(status);
		}
		HandlerStatus.Sync sync = status.sync();
		return new HandlerStatus(
				new HandlerStatus.Sync(sync.synced(), sync.syncedAt(), sync.everSynced() || this.syncedBefore,
						sync.pendingInitial()),
				status.queue(), status.deliveries(), status.paused(), status.handling(), status.lastError());
	}

	// When this process becomes the leader, the handler begins with the content of the
	// cache.
	private HandlerStatus standby(HandlerStatus before) {
		InformerStatus.Sync sync = this.informer.status().sync();
		boolean synced = this.informer.hasSynced();
		return new HandlerStatus(
				new HandlerStatus.Sync(synced, sync.syncedAt(), synced || sync.everSynced() || this.syncedBefore, 0),
				new HandlerStatus.Queue(0, 0, before.queue().merged(), before.queue().dropped()), before.deliveries(),
				this.paused, null, before.lastError());
	}

	@Override
	public void pause() {
		hold(true);
	}

	@Override
	public void resume() {
		hold(false);
	}

	private void hold(boolean held) {
		// Set the flag first, because a term that begins now reads it.
		this.paused = held;
		SharedHandler<T> present = this.current.get();
		if (present != null) {
			hold(present, () -> this.paused, !held);
		}
	}

	@Override
	public void resync() {
		// When this process becomes the leader, the handler receives all objects anyway.
		SharedHandler<T> present = this.current.get();
		if (present != null) {
			present.resync();
		}
	}

	@Override
	public void close() {
		shut();
		end(this.current.get());
		leaveIfQuiet();
	}

	@Override
	public void discard() {
		shut();
		ReconcilerFence fence = fence();
		if (fence != null) {
			abandon(fence);
		}
		leaveIfQuiet();
	}

	@Override
	public boolean isInCallback() {
		SharedHandler<T> present = this.current.get();
		SharedHandler<T> ended = this.last;
		return (present != null && present.isInCallback()) || (ended != null && ended.isInCallback());
	}

	@Override
	public String toString() {
		return "Handler '%s'".formatted(id());
	}

}
