package dev.kubeinformer.benchmark.compare;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Figure of a sample: its key in result lines, its heading and its unit. MB and KB are
 * 1000² and 1000 bytes.
 */
public enum Measure {

	/**
	 * Time from before the client is created until its handler was called for every
	 * object.
	 */
	WALL("wall", "sync", "ms", 0),

	/** The same time, including the start of the JVM. */
	SINCE_START("sinceStart", "with JVM start", "ms", 0),

	/** CPU time of the whole process until then. */
	CPU("cpu", "CPU", "s", 2),

	/**
	 * Heap in use after full collections, minus its value before the client was created.
	 */
	RETAINED("retained", "retained", "MB", 1),

	/** Retained heap of each object. */
	PER_OBJECT("perObject", "per object", "KB", 2),

	/** Highest heap in use after any collection until synced. */
	PEAK_LIVE("peakLive", "peak after GC", "MB", 0),

	/** Highest heap in use before any collection until synced. */
	PEAK_USED("peakUsed", "peak heap", "MB", 0),

	/** Highest memory of the process (VmHWM) until synced. */
	RSS("rss", "peak RSS", "MB", 0),

	/** Heap limit. */
	HEAP("heap", "-Xmx", "MB", 0),

	/** Time from the expiry of the version until the first event after the list. */
	RELIST_TIME("relist", "expiry to next event", "ms", 0),

	/**
	 * The same time from the request of the list, without the client's pauses before it.
	 */
	RELIST_LIST("relistList", "list to next event", "ms", 0),

	/** Calls of the handler, without the first event after the list. */
	CALLBACKS("callbacks", "callbacks", "", 0),

	/** Cached instances that were not cached before. */
	NEW_INSTANCES("newInstances", "new instances", "", 0),

	/** Highest live heap during the relist, compared with the value before. */
	EXTRA_LIVE("extraLive", "extra live heap", "%", 1),

	/** Live heap after the relist, compared with the value before. */
	EXTRA_AFTER("extraAfter", "extra heap after", "%", 1),

	/** Events that the server sent or attempted to send. */
	SENT("sent", "sent", "1/s", 0),

	/** Events that were delivered to the handler. */
	EVENTS("events", "delivered", "1/s", 0),

	/**
	 * Median of the time from when the event was due at the server until the handler was
	 * called.
	 */
	P50("p50", "p50", "ms", 2),

	/** 99th percentile of that time. */
	P99("p99", "p99", "ms", 2),

	/** Maximum of that time. */
	MAX("max", "max", "ms", 1),

	/** CPU time of the whole process for each event. */
	CPU_EVENT("cpuEvent", "CPU an event", "µs", 1),

	/** Events that the slow handler processed. */
	SLOW_EVENTS("slowEvents", "slow handler", "1/s", 0),

	/** Growth of the live heap while the slow handler fell behind. */
	GROWTH("growth", "heap growth", "MB", 1),

	/** Reads of one thread by namespace and name. */
	GETS("gets", "gets", "M/s", 2),

	/** The same for each second of that thread's CPU time. */
	GETS_CORE("getsCore", "gets a core", "M/s", 2);

	private final String key;

	private final String heading;

	private final String unit;

	private final int decimals;

	Measure(String key, String heading, String unit, int decimals) {
		this.key = key;
		this.heading = heading;
		this.unit = unit;
		this.decimals = decimals;
	}

	/**
	 * Returns the measure of a key.
	 * @param key the key
	 * @return the measure
	 * @throws IllegalArgumentException if there is none
	 */
	public static Measure of(String key) {
		return Arrays.stream(values())
			.filter((measure) -> measure.key.equals(key))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No measure \"%s\"; there are %s".formatted(key,
					Arrays.stream(values()).map(Measure::key).collect(Collectors.joining(", ")))));
	}

	/**
	 * Returns the name in result lines and files.
	 * @return the key
	 */
	public String key() {
		return this.key;
	}

	String heading() {
		return this.unit.isEmpty() ? this.heading : this.heading + ", " + this.unit;
	}

	int decimals() {
		return this.decimals;
	}

	boolean isMilliseconds() {
		return this.unit.equals("ms");
	}

}
