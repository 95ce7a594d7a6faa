package dev.kubeinformer.internal.status;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;

/**
 * The numbers of lists and watches of one informer since its start. Not safe for use by
 * several threads.
 */
final class RequestCounters {

	private final Map<ListReason, Long> lists = new EnumMap<>(ListReason.class);

	private final Map<WatchEndReason, Long> watchRestarts = new EnumMap<>(WatchEndReason.class);

	private long regressions;

	void started() {
		this.lists.clear();
		this.watchRestarts.clear();
		this.regressions = 0;
	}

	void listed(ListReason reason) {
		this.lists.merge(reason, 1L, Long::sum);
	}

	void regressed() {
		this.regressions++;
	}

	void watchEnded(WatchEndReason reason) {
		this.watchRestarts.merge(reason, 1L, Long::sum);
	}

	InformerStatus.Lists lists() {
		return new InformerStatus.Lists(Collections.unmodifiableMap(new EnumMap<>(this.lists)), this.regressions);
	}

	Map<WatchEndReason, Long> watchRestarts() {
		return Collections.unmodifiableMap(new EnumMap<>(this.watchRestarts));
	}

}
