package dev.kubeinformer.internal.informer;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ShardWork;
import dev.kubeinformer.shard.Shards;

/**
 * Adds and removes objects of one informer when slots move between replicas. It is
 * registered from the first start of the informer until its end, so a stopped informer
 * loses objects of slots that move away, too.
 * <p>
 * If this process loses a slot because its Lease expired, the cache keeps the objects of
 * the slot, and the watch continues. The informer's handlers wait until the slot was
 * gained again or drained.
 *
 * @param <T> the model class
 */
final class SlotWork<T extends KubernetesObject> implements ShardWork {

	/**
	 * Longest wait for callbacks of a slot that moves away. Like the work of a leader
	 * that steps down, they have the default grace period of a pod.
	 */
	private static final Duration LONGEST_DRAIN = Duration.ofSeconds(30);

	private final Shards shards;

	private final ObjectStore<T> store;

	private final StatusTracker status;

	private final InformerNotices notices;

	private final InformerPartitions<T> partitions;

	private final Supplier<Iterable<SharedHandler<T>>> handlers;

	/** Slots whose objects are still cached although this process lost the slots. */
	private final Set<Integer> kept = new TreeSet<>();

	private Leadership.@Nullable Registration registration;

	SlotWork(Shards shards, ObjectStore<T> store, StatusTracker status, InformerNotices notices,
			InformerPartitions<T> partitions, Supplier<Iterable<SharedHandler<T>>> handlers) {
		this.shards = shards;
		this.store = store;
		this.status = status;
		this.notices = notices;
		this.partitions = partitions;
		this.handlers = handlers;
	}

	/** Registers this work, once. */
	void register() {
		if (this.registration == null) {
			this.registration = this.shards.register(this);
		}
	}

	/** Ends the registration permanently. */
	void close() {
		if (this.registration != null) {
			this.registration.close();
		}
	}

	@Override
	public Phase phase() {
		return Phase.CACHES;
	}

	@Override
	public void gained(Set<Integer> slots) {
		this.store.gainSlots(slots);
		resume(slots);
		this.partitions.slotsChanged();
	}

	@Override
	public void settled() {
		this.store.settleSlots();
		this.partitions.slotsChanged();
	}

	@Override
	public void unsettled() {
		this.store.unsettleSlots();
	}

	@Override
	public boolean drain(Set<Integer> slots) throws InterruptedException {
		this.store.evictSlots(slots);
		Set<Integer> lost = Set.copyOf(slots);
		SlotPredicate isLost = (namespace, uid) -> lost.contains(this.shards.division().slotOf(namespace, uid));
		this.partitions.evicted(isLost);
		this.partitions.slotsChanged();
		if (this.store.hasFullState()) {
			this.status.synced();
		}
		this.notices.deliver();
		resume(slots);
		long until = System.nanoTime() + LONGEST_DRAIN.toNanos();
		for (SharedHandler<T> handler : this.handlers.get()) {
			if (!handler.awaitEnd(isLost, until)) {
				return false;
			}
		}
		return true;
	}

	@Override
	public void lost(Set<Integer> slots) {
		synchronized (this.kept) {
			this.kept.addAll(slots);
			this.kept.retainAll(this.store.heldSlots().slots());
			suspend();
		}
	}

	private void resume(Set<Integer> slots) {
		synchronized (this.kept) {
			if (this.kept.removeAll(slots)) {
				suspend();
			}
		}
	}

	private void suspend() {
		boolean suspended = !this.kept.isEmpty();
		this.handlers.get().forEach((handler) -> handler.suspend(suspended));
	}

	/**
	 * Makes a new handler wait if its informer has lost slots whose objects are still
	 * cached.
	 * @param handler the handler
	 */
	void added(SharedHandler<T> handler) {
		synchronized (this.kept) {
			handler.suspend(!this.kept.isEmpty());
		}
	}

}
