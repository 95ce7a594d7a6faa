package dev.kubeinformer.benchmark.compare;

import java.util.List;

/** Scenario that is measured in one JVM of a client. */
public enum Scenario {

	/** Sync from nothing to a full cache. */
	SYNC("Sync",
			List.of(Measure.WALL, Measure.SINCE_START, Measure.CPU, Measure.RETAINED, Measure.PER_OBJECT,
					Measure.PEAK_LIVE, Measure.PEAK_USED, Measure.RSS)),

	/** Sync with little heap, depending on the heap that the client retains. */
	FIT("Sync with little heap", List.of(Measure.HEAP, Measure.WALL, Measure.CPU, Measure.RSS)),

	/** Relist after the version expired, without changes. */
	RELIST("Relist of unchanged objects",
			List.of(Measure.CALLBACKS, Measure.NEW_INSTANCES, Measure.RELIST_TIME, Measure.RELIST_LIST,
					Measure.EXTRA_LIVE, Measure.EXTRA_AFTER)),

	/** Watch with many changes. */
	WATCH("Watch", List.of(Measure.SENT, Measure.EVENTS, Measure.P50, Measure.P99, Measure.MAX, Measure.CPU_EVENT)),

	/** Watch with many changes, and one slow handler of two. */
	SLOW("A slow and a fast handler",
			List.of(Measure.SENT, Measure.EVENTS, Measure.P50, Measure.P99, Measure.SLOW_EVENTS, Measure.GROWTH)),

	/** Reads by name while changes arrive. */
	GET("Reads by name during changes", List.of(Measure.SENT, Measure.EVENTS, Measure.GETS, Measure.GETS_CORE));

	private final String title;

	private final List<Measure> measures;

	Scenario(String title, List<Measure> measures) {
		this.title = title;
		this.measures = measures;
	}

	String title() {
		return this.title;
	}

	List<Measure> measures() {
		return this.measures;
	}

}
