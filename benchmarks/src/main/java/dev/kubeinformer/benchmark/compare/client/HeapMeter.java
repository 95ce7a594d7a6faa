package dev.kubeinformer.benchmark.compare.client;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

import com.sun.management.GarbageCollectionNotificationInfo;

/** Heap of this JVM, in bytes. */
final class HeapMeter {

	private static final int COLLECTIONS = 4;

	private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();

	private final Set<String> pools = ManagementFactory.getMemoryPoolMXBeans()
		.stream()
		.filter((pool) -> pool.getType() == MemoryType.HEAP)
		.map((pool) -> pool.getName())
		.collect(Collectors.toSet());

	private final AtomicLong before = new AtomicLong();

	private final AtomicLong after = new AtomicLong();

	HeapMeter() {
		for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
			((NotificationEmitter) collector).addNotificationListener(this::collected, null, null);
		}
	}

	private void collected(Notification notification, Object nothing) {
		if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
			GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo
				.from((CompositeData) notification.getUserData());
			this.before.accumulateAndGet(sum(info.getGcInfo().getMemoryUsageBeforeGc()), Math::max);
			this.after.accumulateAndGet(sum(info.getGcInfo().getMemoryUsageAfterGc()), Math::max);
		}
	}

	private long sum(Map<String, MemoryUsage> usage) {
		return usage.entrySet()
			.stream()
			.filter((entry) -> this.pools.contains(entry.getKey()))
			.mapToLong((entry) -> entry.getValue().getUsed())
			.sum();
	}

	/**
	 * Returns the heap in use after full collections. Several are needed, because one
	 * frees the objects that the previous one made unreachable by clearing references.
	 * @return the bytes
	 */
	long live() {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		return used();
	}

	/**
	 * Returns the heap in use after one full collection.
	 * @return the bytes
	 */
	long liveNow() {
		System.gc();
		return used();
	}

	long used() {
		return this.memory.getHeapMemoryUsage().getUsed();
	}

	long max() {
		return this.memory.getHeapMemoryUsage().getMax();
	}

	/**
	 * Returns the highest heap in use before any collection so far.
	 * @return the bytes
	 */
	long peakBefore() {
		return this.before.get();
	}

	/**
	 * Returns the highest heap in use after any collection so far.
	 * @return the bytes
	 */
	long peakAfter() {
		return this.after.get();
	}

}
